/**
 * Videos in this window: commands and actions on jobs, notices, links in documents, files of the user.
 * In: clicks, and jobs that changed.
 * Out: requests to `src/video`, and changes of the user's files that the user asked for.
 */
export { VideoEntry, type VideoCommandId } from "./videoEntry.ts";
export { videoRecordsFolder, videosFolder } from "./videoFolders.ts";
export type { Videos } from "./videos.ts";
