/**
 * An encoder of VP8 that is made for text on a still ground.
 * In: pixels, which macroblocks may have changed, and from where pixels have moved.
 * Out: frames of VP8.
 */
export { Vp8Encoder } from "./vp8Encoder.ts";
export { vectorOf } from "./motion.ts";
