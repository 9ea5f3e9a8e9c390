/**
 * Every tool a model may ask for: looking at files, searching, editing, asking the user.
 * In: arguments that the gate has checked, and the editor's actions.
 * Out: a result for the model, within its limits.
 */
export { applyCode, blockPath, type CodeBlock } from "./codeBlock.ts";
export { readGitDiff } from "./gitDiff.ts";
export { cutResult } from "./resultText.ts";
export { createToolRegistry, type ToolRegistry } from "./toolRegistry.ts";
