/**
 * Storyboards: a long text cut into scenes, the document in which they are edited, and what becomes of them.
 * In: a text, or scenes that a user accepted.
 * Out: scenes; their jobs, each sent once; one clip made of theirs.
 */
export { cutScenes } from "./cutScenes.ts";
export {
	isSceneDocument,
	type ReadDocument,
	readSceneDocument,
	writeSceneDocument,
} from "./sceneDocument.ts";
export { proposalQuestion, proposedDocument } from "./sceneProposal.ts";
export { sceneJobs } from "./sceneJobs.ts";
export { Storyboards } from "./storyboards.ts";
