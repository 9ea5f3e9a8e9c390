import { isUtf8 } from "node:buffer";
import type { KeptFile, EffectiveChange } from "./keptChange.ts";

/** Content of a file before the first change: text, missing, or unknown. */
type TextBefore =
	| { readonly type: "text"; readonly text: string }
	/** `same` for a file that was only renamed. */
	| { readonly type: "missing" | "tooLarge" | "same" };

export interface ChangedFile {
	/** Its current name, or the one before it was deleted. */
	readonly label: string;
	/** Absolute; undefined if it was deleted. */
	readonly path: string | undefined;
	/** Its name before the first change. */
	readonly oldLabel: string;
	readonly before: TextBefore;
	readonly changes: readonly EffectiveChange[];
}

type Trail = { -readonly [Key in keyof ChangedFile]: ChangedFile[Key] };

/** Combines changes by file, following renames. */
export function changedFiles(changes: readonly EffectiveChange[]): readonly ChangedFile[] {
	const trails: Trail[] = [];
	changes.forEach(change => follow(trails, change));
	// Omits files that were created and deleted again.
	return trails.filter(({ path, before }) => path !== undefined || before.type !== "missing");
}

function follow(trails: Trail[], change: EffectiveChange): void {
	const { file } = change;
	const { label, path } = file;
	const known = trails.find(trail => trail.path === path) ?? deletedAt(trails, file);
	const trail = known ?? { label, path, oldLabel: label, before: { type: "same" }, changes: [] };
	if (!known) {
		trails.push(trail);
	}
	trail.changes = [...trail.changes, change];
	trail.path = path;
	if (trail.before.type === "same") {
		trail.before = textBefore(file);
	}
	if (file.type === "delete") {
		trail.path = undefined;
	}
	if (file.type === "rename") {
		trail.label = file.toLabel;
		trail.path = file.toPath;
	}
}

/** Finds the deleted file that is created again with other text. Files without text, or with other line endings, are different files. */
function deletedAt(trails: readonly Trail[], made: KeptFile): Trail | undefined {
	return trails.findLast(trail => {
		const last = trail.changes.at(-1)?.file;
		return (
			trail.path === undefined &&
			made.type === "create" &&
			last?.type === "delete" &&
			last.path === made.path &&
			isSameKind(last.bytes, made.after)
		);
	});
}

function isSameKind(bytes: string | null, text: string | null): boolean {
	const old = bytes === null ? undefined : Buffer.from(bytes, "base64");
	return (
		old !== undefined &&
		text !== null &&
		isUtf8(old) &&
		old.includes("\r\n") === text.includes("\r\n")
	);
}

/** Returns the combined change from a file's content before the first change to that after the last one. Undoing it undoes all. */
export function netChange({ before, label, path, changes }: ChangedFile): KeptFile[] {
	const files = changes.map(({ file }) => file);
	const [first] = files;
	const last = files.at(-1);
	if (!first || !last || files.length === 1) {
		return files;
	}
	const madeFolders = files.flatMap(file => ("madeFolders" in file ? file.madeFolders : []));
	const after = files.findLast(file => file.type === "edit" || file.type === "create")?.after;
	const text = before.type === "text" ? before.text : null;
	const old = { label: first.label, path: first.path };
	if (path === undefined) {
		// Without edits before it, the deleted content is the original.
		return last.type === "delete"
			? [{ type: "delete", ...old, bytes: after === undefined ? last.bytes : bytesOf(text, last) }]
			: [];
	}
	if (before.type === "missing") {
		return [{ type: "create", label, path, after: after ?? null, madeFolders }];
	}
	const renamed: KeptFile[] =
		path === first.path
			? []
			: [{ type: "rename", ...old, toLabel: label, toPath: path, madeFolders }];
	return after === undefined
		? renamed
		: [...renamed, { type: "edit", label, path, before: text, after }];
}

/** Whether a file was edited and then deleted in an encoding in which its text before can't be written. */
export function isOtherEncoding({ before, changes }: ChangedFile): boolean {
	const last = changes.at(-1)?.file;
	const bytes = last?.type === "delete" ? last.bytes : null;
	return before.type === "text" && bytes !== null && !isText(bytes);
}

/** Encodes a text like a deleted file's content; null if that wasn't UTF-8. */
function bytesOf(
	text: string | null,
	{ bytes }: Extract<KeptFile, { type: "delete" }>,
): string | null {
	if (text === null || bytes === null || !isText(bytes)) {
		return null;
	}
	const mark = Buffer.from(bytes, "base64").toString("utf8").startsWith("\uFEFF") ? "\uFEFF" : "";
	return Buffer.from(mark + text.replace(/^\uFEFF/, "")).toString("base64");
}

function isText(base64: string): boolean {
	return isUtf8(Buffer.from(base64, "base64"));
}

function textBefore(file: KeptFile): TextBefore {
	switch (file.type) {
		case "edit":
			return textOrTooLarge(file.before);
		case "create":
			return { type: "missing" };
		case "delete":
			return textOrTooLarge(file.bytes && Buffer.from(file.bytes, "base64").toString("utf8"));
		case "rename":
			return { type: "same" };
	}
}

function textOrTooLarge(text: string | null): TextBefore {
	return text === null ? { type: "tooLarge" } : { type: "text", text };
}
