/**
 * Servers with video models: asked once for each video, followed, and their files brought here.
 * In: a request for a clip, and the engine that the user has chosen.
 * Out: generations like those of the local renderer.
 */
export { listVideoModels, openEngines } from "./openEngines.ts";
