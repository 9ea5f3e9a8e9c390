/**
 * Clips where people share: files of other formats, and pictures in a README.
 * In: a finished clip, and what the user chooses.
 * Out: a file that the user named, or a picture beside a document and the text that shows it.
 */
export { LastDocuments } from "./documentTarget.ts";
export { exportVideo, type VideoShareDependencies } from "./exportVideo.ts";
export { copyClipFile, insertForReadme } from "./readmeImage.ts";
export { insertClip } from "./videoInsert.ts";
