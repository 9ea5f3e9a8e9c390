/** View and announcements of queued messages: loaded with the first one. */
export { focusRow, keepRowFocus } from "./queueList.ts";
export { createQueueActions } from "./queueActions.ts";
export { renderQueue } from "./queueList.ts";
export { describeQueue } from "./queueNews.ts";
