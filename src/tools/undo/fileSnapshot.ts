import { sha256 } from "../tool/digest.ts";
import type { FileChange } from "../tool/editorActions.ts";
import { applyHunks } from "../tool/edits.ts";
import type { LedgerEntry } from "../tool/toolLedger.ts";

type LedgerFile = LedgerEntry["files"][number];

/** Markers of a missing file, and of one whose content doesn't matter. */
const missing = "missing";
const present = "present";

/** Returns the digest of a text, ignoring the kind of line endings, which an editor may change. */
export function textDigest(text: string): string {
	return sha256(text.replaceAll("\r\n", "\n"));
}

/** Returns the state of each file before and after a change, for the record made before it runs. */
export function snapshotsOf(changes: readonly FileChange[]): LedgerFile[] {
	return changes.flatMap((change): LedgerFile[] => {
		switch (change.type) {
			case "edit": {
				const { target, before, hunks } = change;
				const after = textDigest(applyHunks(before, hunks));
				return [{ label: target.label, before: textDigest(before), after }];
			}
			case "create":
				return [{ label: change.target.label, before: missing, after: textDigest(change.text) }];
			case "restore":
				return [{ label: change.target.label, before: missing, after: present }];
			case "delete":
				return [{ label: change.target.label, before: present, after: missing }];
			case "rename":
				return [
					{ label: change.from.label, before: present, after: missing },
					{ label: change.to.label, before: missing, after: present },
				];
		}
	});
}

/** Result of comparing a call whose result was lost with the files; with labels if only some were changed. */
export type FileSnapshot =
	| "applied"
	| "notApplied"
	| "unknown"
	| { readonly applied: readonly string[]; readonly notApplied: readonly string[] };

/**
 * Compares the record of a call with the current files. `read` returns a file's text, or undefined if it doesn't exist. Claims only what all files
 * confirm.
 */
export async function compareSnapshot(
	files: readonly LedgerFile[],
	read: (label: string) => Promise<string | undefined>,
): Promise<FileSnapshot> {
	const texts = await Promise.all(files.map(({ label }) => read(label)));
	const labelsOf = (wanted: (file: LedgerFile) => string): string[] =>
		files.flatMap((file, index) => (isAsRecorded(texts[index], wanted(file)) ? [file.label] : []));
	const applied = labelsOf(file => file.after);
	const notApplied = labelsOf(file => file.before);
	if (files.length === 0) {
		return "unknown";
	}
	if (applied.length === files.length) {
		return "applied";
	}
	if (notApplied.length === files.length) {
		return "notApplied";
	}
	const isClear = new Set([...applied, ...notApplied]).size === files.length;
	return isClear && applied.length + notApplied.length === files.length
		? { applied, notApplied }
		: "unknown";
}

function isAsRecorded(text: string | undefined, wanted: string): boolean {
	switch (wanted) {
		case missing:
			return text === undefined;
		case present:
			return text !== undefined;
		default:
			return text !== undefined && textDigest(text) === wanted;
	}
}
