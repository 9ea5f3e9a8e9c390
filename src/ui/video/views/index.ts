/**
 * Jobs as every place shows them: words and actions of a job, gallery, status bar, preview, cards in a chat.
 * In: jobs.
 * Out: what is drawn, and the action that was chosen.
 */
export { captionMemoryIn, type CaptionMemory } from "./captionMemory.ts";
export { type VideoCardChange, VideoCards } from "./videoCards.ts";
export { VideoGallery, type VideoRow } from "./videoGallery.ts";
export { endingNotice, videoJobView, type VideoJobView } from "./videoJobView.ts";
export { storyboardView } from "./storyboardView.ts";
export { chooseVideoAction, showScenes } from "./videoPicks.ts";
export { VideoPictures } from "./videoPictures.ts";
export { VideoPreviews } from "./videoPreview.ts";
export { VideoStatusBar } from "./videoStatusBar.ts";
