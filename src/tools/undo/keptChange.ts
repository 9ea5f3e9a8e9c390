import * as z from "zod/mini";
import type { MadeChange } from "../contract/editorActions.ts";
import { existsSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { resolveTarget, type WorkspacePaths } from "../../paths/resolveTarget.ts";

const place = {
	label: z.string(),
	path: z.string(),
	undoes: z.exactOptional(z.array(z.object({ callId: z.string(), index: z.int() }))),
};

/** Absolute paths of the folders created for the file, innermost first. */
const madeFolders = z.array(z.string());

/** Record of a file. Null stands for content that was too large to store. */
const keptFileSchema = z.discriminatedUnion("type", [
	z.object({
		type: z.literal("edit"),
		...place,
		before: z.nullable(z.string()),
		after: z.nullable(z.string()),
	}),
	z.object({ type: z.literal("create"), ...place, after: z.nullable(z.string()), madeFolders }),
	/** `bytes` in Base64. */
	z.object({ type: z.literal("delete"), ...place, bytes: z.nullable(z.string()) }),
	z.object({
		type: z.literal("rename"),
		...place,
		toLabel: z.string(),
		toPath: z.string(),
		madeFolders,
	}),
]);
export type KeptFile = z.infer<typeof keptFileSchema>;

/** Record of a call's changes. */
export const keptChangeSchema = z.object({
	version: z.literal(1),
	callId: z.string(),
	/** Milliseconds since 1970. */
	at: z.number(),
	/** `started` until the outcome is known. */
	state: z.enum(["started", "applied", "undone"]),
	files: z.array(keptFileSchema),
	/** The lines that were added to and removed from texts. Missing until the outcome is known. */
	counts: z.exactOptional(z.object({ added: z.int(), removed: z.int() })),
});
export type KeptChange = z.infer<typeof keptChangeSchema>;

/** A file of a change, and its index in the record. */
export interface EffectiveChange extends MadeChange {
	readonly file: KeptFile;
}

/** Returns the changes of tools that were not undone, by file, in the order of the records. */
export function effectiveChanges(changes: readonly KeptChange[]): readonly EffectiveChange[] {
	const made = changes
		.filter(({ state }) => state === "applied")
		.flatMap(({ callId, files }) => files.map((file, index) => ({ callId, index, file })));
	const undone = new Set(made.flatMap(({ file }) => file.undoes?.map(keyOf) ?? []));
	return made.filter(change => !change.file.undoes && !undone.has(keyOf(change)));
}

function keyOf({ callId, index }: MadeChange): string {
	return JSON.stringify([callId, index]);
}

/** Returns the absolute paths of a file's missing parent folders, innermost first. */
export function missingFolders(path: string): string[] {
	const missing: string[] = [];
	for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) {
		missing.push(folder);
	}
	return missing;
}

/**
 * Removes the folders that a change created for its files, after it was undone. Keeps folders that aren't empty, have become links or are outside the
 * workspace, and those around them. Never throws.
 */
export function removeMadeFolders(
	{ files }: Pick<KeptChange, "files">,
	paths: WorkspacePaths,
): void {
	for (const file of files) {
		const folders = file.type === "create" || file.type === "rename" ? file.madeFolders : [];
		folders.every(folder => isRemoved(folder, paths));
	}
}

function isRemoved(folder: string, paths: WorkspacePaths): boolean {
	const resolution = resolveTarget(folder, paths);
	if (!resolution.ok || resolution.target.path !== folder) {
		return false;
	}
	try {
		rmdirSync(folder);
		return true;
	} catch {
		// Not empty, or not permitted: keeps the folder.
		return false;
	}
}
