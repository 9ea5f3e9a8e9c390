/**
 * Changes by tools, kept so that they can be undone, and the state of files before and after.
 * In: changes that the gate is about to make.
 * Out: the journal's list of changed files, and their text before.
 */
export { ChangeJournal, isWhole, type JournaledChange, type JournalCall } from "./changeJournal.ts";
export { type ChangedFile, changedFiles } from "./changedFiles.ts";
export { compareSnapshot, type FileSnapshot, snapshotsOf } from "./fileSnapshot.ts";
export { JournalFolder } from "./journalFolder.ts";
export type { KeptFile } from "./keptChange.ts";
export { removeMadeFolders } from "./madeFolders.ts";
export { planUndo } from "./undoPlan.ts";
