/**
 * What tools changed, kept so that it can be undone, and what a file was before and after.
 * In: changes that the gate is about to make.
 * Out: the journal's list of changed files, and their text before.
 */
export {
	type ChangeJournal,
	type ChangeStanding,
	createChangeJournal,
	type JournalCall,
} from "./changeJournal.ts";
export { type ChangedFile, changedFiles } from "./changedFiles.ts";
export { compareSnapshot, type FileSnapshot, snapshotsOf } from "./fileSnapshot.ts";
export { createJournalFolder } from "./journalFolder.ts";
export type { KeptFile } from "./keptChange.ts";
export { planUndo } from "./undoPlan.ts";
