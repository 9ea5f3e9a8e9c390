import type * as vscode from "vscode";

/** The code that a code action of Cutaway applies to. */
export interface CodeTarget {
	readonly uri: vscode.Uri;
	readonly range: vscode.Range;
	/** The problems it was offered for; empty if it was offered for a selection. */
	readonly diagnostics: readonly vscode.Diagnostic[];
}

const made = new WeakSet<object>();

/** Creates a target. Only these are accepted, so no other caller can point a command at a document. */
export function createCodeTarget(target: CodeTarget): CodeTarget {
	const own = { ...target };
	made.add(own);
	return own;
}

/** Whether a command's argument is a target created here. */
export function isCodeTarget(argument: unknown): argument is CodeTarget {
	return typeof argument === "object" && argument !== null && made.has(argument);
}
