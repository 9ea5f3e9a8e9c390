import * as l10n from "@vscode/l10n";
import type { KeptChange, KeptFile } from "./keptChange.ts";
import type { EditorActions, FileChange } from "../contract/editorActions.ts";
import type { Hunk } from "../contract/edits.ts";
import { readableText } from "../contract/resultText.ts";
import { type WorkspacePaths, resolveTarget, type PathTarget } from "../../paths/resolveTarget.ts";

export interface UndoPlanDependencies {
	readonly editor: Pick<EditorActions, "readText">;
	readonly paths: () => WorkspacePaths;
}

/** The changes that would undo a change, or why it can't be undone. */
export type UndoPlan =
	| { readonly type: "changes"; readonly changes: readonly FileChange[] }
	| { readonly type: "movedOn"; readonly file: KeptFile; readonly reason: string };

/** Plans how to undo exactly what a change did, last file first. Requires all files to be as the change left them; otherwise plans nothing. */
export async function planUndo(
	{ files }: Pick<KeptChange, "files">,
	dependencies: UndoPlanDependencies,
): Promise<UndoPlan> {
	const changes: FileChange[] = [];
	/** Locations of files after the renames that are undone first. */
	const moved = new Map<string, string>();
	for (const file of files.toReversed()) {
		const step = await stepFor({ ...file, path: moved.get(file.path) ?? file.path }, dependencies);
		if (typeof step === "string") {
			return { type: "movedOn", file, reason: step };
		}
		changes.push(step);
		if (file.type === "rename") {
			moved.set(file.path, file.toPath);
		}
	}
	// Edits a text at its file's current path, before renames.
	const isEdit = ({ type }: FileChange): boolean => type === "edit";
	return {
		type: "changes",
		changes: [...changes.filter(isEdit), ...changes.filter(change => !isEdit(change))],
	};
}

async function stepFor(
	file: KeptFile,
	dependencies: UndoPlanDependencies,
): Promise<FileChange | string> {
	switch (file.type) {
		case "edit":
			return undoEdit(file, dependencies);
		case "create":
			return undoCreate(file, dependencies);
		case "delete": {
			const target = targetOf(file.path, dependencies);
			if (file.bytes === null) {
				return l10n.t("Nothing was undone: {0} was too large to keep.", file.label);
			}
			return target?.kind === "missing"
				? { type: "restore", target, bytes: Buffer.from(file.bytes, "base64") }
				: l10n.t("Nothing was undone: {0} exists again.", file.label);
		}
		case "rename": {
			const [from, to] = [targetOf(file.toPath, dependencies), targetOf(file.path, dependencies)];
			if (from?.kind !== "file") {
				return goneSentence(file.toLabel);
			}
			return to?.kind === "missing"
				? { type: "rename", from, to }
				: l10n.t("Nothing was undone: {0} exists again.", file.label);
		}
	}
}

async function undoEdit(
	file: Extract<KeptFile, { type: "edit" }>,
	dependencies: UndoPlanDependencies,
): Promise<FileChange | string> {
	if (file.before === null || file.after === null) {
		return l10n.t("Nothing was undone: {0} was too large to keep.", file.label);
	}
	const found = await textAt(file.path, dependencies);
	if (!found) {
		return goneSentence(file.label);
	}
	const { target, text } = found;
	return isSameText(text, file.after)
		? { type: "edit", target, before: text, hunks: [wholeHunk(text, file.before)] }
		: l10n.t("Nothing was undone: {0} was changed since.", file.label);
}

async function undoCreate(
	file: Extract<KeptFile, { type: "create" }>,
	dependencies: UndoPlanDependencies,
): Promise<FileChange | string> {
	const found = await textAt(file.path, dependencies);
	if (!found) {
		return goneSentence(file.label);
	}
	return file.after !== null && isSameText(found.text, file.after)
		? { type: "delete", target: found.target }
		: l10n.t("Nothing was undone: {0} was changed since.", file.label);
}

/** Returns a text file; undefined if there is none in the workspace. */
export async function textAt(
	path: string,
	dependencies: UndoPlanDependencies,
): Promise<{ readonly target: PathTarget; readonly text: string } | undefined> {
	const target = targetOf(path, dependencies);
	if (target?.kind !== "file") {
		return undefined;
	}
	const text = await readableText(dependencies.editor, target);
	return text === undefined ? undefined : { target, text };
}

/** Undefined if the path now leads out of the workspace. */
function targetOf(path: string, { paths }: UndoPlanDependencies): PathTarget | undefined {
	const resolution = resolveTarget(path, paths());
	return resolution.ok ? resolution.target : undefined;
}

function isSameText(one: string, other: string): boolean {
	return unified(one) === unified(other);
}

function unified(text: string): string {
	return text.replaceAll("\r\n", "\n");
}

/** Creates one hunk from the first to the last differing line, so that cursors and marks outside it aren't moved. */
function wholeHunk(text: string, before: string): Hunk {
	const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
	const wanted = unified(before).replaceAll("\n", lineEnd);
	const shorter = Math.min(text.length, wanted.length);
	let same = 0;
	while (same < shorter && text[same] === wanted[same]) {
		same += 1;
	}
	const start = text.lastIndexOf("\n", same - 1) + 1;
	let tail = 0;
	while (tail < shorter - same && text.at(-1 - tail) === wanted.at(-1 - tail)) {
		tail += 1;
	}
	const firstEnd = text.indexOf("\n", text.length - tail);
	tail = tail === 0 || firstEnd === -1 ? 0 : text.length - firstEnd - 1;
	return {
		start,
		end: text.length - tail,
		oldText: text.slice(start, text.length - tail),
		newText: wanted.slice(start, wanted.length - tail),
		startLine: text.slice(0, start).split("\n").length,
	};
}

function goneSentence(label: string): string {
	return l10n.t("Nothing was undone: {0} no longer exists.", label);
}
