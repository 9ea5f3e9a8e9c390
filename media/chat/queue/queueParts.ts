/** View and announcements of queued messages; loaded on first use. */
export { focusRow, keepRowFocus } from "./queueList.ts";
export { createQueueActions } from "./queueActions.ts";
export { renderQueue } from "./queueList.ts";
export { describeQueue } from "./queueNews.ts";
