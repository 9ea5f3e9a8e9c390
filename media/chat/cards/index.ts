/**
 * The cards in an answer: calls of tools with what the user is asked about them, and videos.
 * In: cards as the host describes them.
 * Out: elements, and actions: allow, deny, undo, play.
 */
export { groupCalls, renderCallGroups } from "./callGroups.ts";
export { describeToolRun, renderToolRun } from "./toolRun.ts";
export { renderVideoCards, VideoCardWatch } from "./videoCard.ts";
