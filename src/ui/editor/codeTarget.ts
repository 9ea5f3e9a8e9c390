import type * as vscode from "vscode";

/** A piece of a document that one of Cutaway's own code actions is about. */
export interface CodeTarget {
	readonly uri: vscode.Uri;
	readonly range: vscode.Range;
	/** The problems it was offered for; empty when it was offered for a selection. */
	readonly diagnostics: readonly vscode.Diagnostic[];
}

const made = new WeakSet<object>();

/** Makes a target; only what was made here counts as one, so that no other caller can point a command at a document. */
export function createCodeTarget(target: CodeTarget): CodeTarget {
	const own = { ...target };
	made.add(own);
	return own;
}

/** Whether the argument of a command is a target that Cutaway made. */
export function isCodeTarget(argument: unknown): argument is CodeTarget {
	return typeof argument === "object" && argument !== null && made.has(argument);
}
