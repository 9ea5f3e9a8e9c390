/**
 * Definition of a tool: its schema, its effect, its dependencies; edits of text and their previews; what an editor must be
 * able to do for tools.
 * In: nothing.
 * Out: the types and small pure functions that gate, catalog and undo share.
 */
export { sha256 } from "./digest.ts";
export type {
	ActiveDocument,
	EditorActions,
	FileChange,
	FileDiff,
	FileLocation,
	ModelQuestion,
	FileSymbol,
	OpenTab,
	Problem,
	TextSnapshot,
} from "./editorActions.ts";
export {
	applyHunks,
	type EditPreview,
	type FilePreview,
	type Hunk,
	placeEdits,
	warningsOf,
} from "./edits.ts";
export { bytesOf, shortenData, sizeWords } from "./longData.ts";
export { isBinary, isUnchangedTarget, isWriteProtected, readTarget } from "./safeFile.ts";
export {
	defineTool,
	type PathUse,
	type Tool,
	type ToolDependencies,
	type ToolEffect,
	type ToolPlan,
	type ToolRequest,
} from "./tool.ts";
export { ToolFailure } from "./toolFailure.ts";
export type { LedgerEntry, ToolLedger } from "./toolLedger.ts";
