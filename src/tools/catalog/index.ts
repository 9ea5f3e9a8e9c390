/**
 * Every tool a model may ask for: looking at files, searching, editing, asking the user. One more is an entry in the list
 * of its kind.
 * In: arguments that the gate has checked, and the editor's actions.
 * Out: a result for the model, within its limits.
 */
export { applyCode, blockPath, type CodeBlock, placeBlock } from "./codeBlock.ts";
export { type DiffSource, readFileDiff, readGitDiff } from "./gitDiff.ts";
export { cutResult } from "./resultText.ts";
export { textOf } from "./searchText.ts";
export { ToolRegistry } from "./toolRegistry.ts";
