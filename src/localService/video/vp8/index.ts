/**
 * An encoder of VP8 that is made for text on a still ground.
 * In: pixels, and which macroblocks may have changed.
 * Out: frames of VP8.
 */
export { Vp8Encoder } from "./vp8Encoder.ts";
