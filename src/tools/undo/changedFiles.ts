import type { KeptChange, KeptFile } from "./keptChange.ts";

/** Content of a file before the first change of a chat: a text, nothing because it was not there, or what is now unknown. */
export type TextBefore =
	| { readonly type: "text"; readonly text: string }
	/** `same` of a file that was only renamed. */
	| { readonly type: "missing" | "tooLarge" | "same" };

/** A file that tools changed in a chat. */
export interface ChangedFile {
	/** As it is called now, or was before it was deleted. */
	readonly label: string;
	/** Absolute; undefined for one that was deleted. */
	readonly path: string | undefined;
	/** As it was called before the first change. */
	readonly oldLabel: string;
	readonly before: TextBefore;
	/** How many changes touched it. */
	readonly changeCount: number;
}

type Trail = { -readonly [Key in keyof ChangedFile]: ChangedFile[Key] };

/** Sums up the changes of a chat, file by file; those taken back and those that were never made do not count. */
export function changedFiles(changes: readonly KeptChange[]): readonly ChangedFile[] {
	const trails: Trail[] = [];
	for (const file of changes.filter(isApplied).flatMap(({ files }) => files)) {
		follow(trails, file);
	}
	// A file that was made and deleted again leaves nothing to see.
	return trails.filter(({ path, before }) => path !== undefined || before.type !== "missing");
}

function isApplied({ state }: KeptChange): boolean {
	return state === "applied";
}

function follow(trails: Trail[], file: KeptFile): void {
	const known = trails.find(({ path }) => path === file.path);
	const { label, path } = file;
	const trail = known ?? { label, path, oldLabel: label, before: { type: "same" }, changeCount: 0 };
	if (!known) {
		trails.push(trail);
	}
	trail.changeCount += 1;
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
