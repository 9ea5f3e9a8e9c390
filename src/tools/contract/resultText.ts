import type { PathTarget } from "../../paths/resolveTarget.ts";
import type { ToolDependencies } from "./tool.ts";
import { findSecrets } from "../../common/secretContent.ts";
import type { EditorActions } from "./editorActions.ts";
import { lineOf } from "./edits.ts";
import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { ToolFailure } from "../../common/errors.ts";
import { startOf } from "../../common/shortText.ts";

/** The longest result for the model, in UTF-16 code units. */
export const maxResultLength = 64 * 1024;

/** The most files that a list for the model names. */
export const maxListedFiles = 500;

/** Truncates a text to the limit, with a note about its length. */
export function cutResult(text: string, limit = maxResultLength): string {
	if (text.length <= limit) {
		return text;
	}
	const start = startOf(text, limit);
	return `${start}\n[cut: the first ${start.length} of ${text.length} characters]`;
}

/** Joins lines up to a limit, or returns `none` for an empty list. A last line reports the number of omitted ones. */
export function listResult(lines: readonly string[], limit: number, none: string): string {
	if (lines.length === 0) {
		return none;
	}
	const rest = lines.length - limit;
	const shown = lines.slice(0, limit).join("\n");
	return cutResult(rest > 0 ? `${shown}\n[cut: ${rest} more]` : shown);
}

interface FileListFormat<Found> {
	readonly lineOf: (label: string, found: Found) => string;
	readonly limit: number;
	/** Text if nothing was found. */
	readonly none: string;
	/** The file that the call was allowed for, if it named one. */
	readonly allowed?: PathTarget | undefined;
}

/**
 * Lists findings in files, without duplicates through links, and without files for which `read_file` would ask; reports the number of those. Includes
 * ignored files: Git ignores what isn't committed rather than what is private, and `read_file` doesn't ask for them either.
 */
export function listFoundFiles<Found extends { readonly path: string }>(
	dependencies: ToolDependencies,
	found: readonly Found[],
	{ lineOf, limit, none, allowed }: FileListFormat<Found>,
): string {
	const left = new Set<string>();
	const lines = found.flatMap(item => {
		const label = labelOf(dependencies, item.path, allowed);
		if (label === undefined) {
			left.add(item.path);
			return [];
		}
		return [lineOf(label, item)];
	});
	return withLeftOut(
		listResult([...new Set(lines)], limit, left.size === 0 ? none : ""),
		left.size,
	);
}

/** Appends the number of files that were omitted because the model may not know them without asking. */
export function withLeftOut(text: string, count: number): string {
	if (count === 0) {
		return text;
	}
	const which =
		count === 1
			? "1 file that may hold secrets, is excluded or is outside"
			: `${count} files that may hold secrets, are excluded or lie outside`;
	return `${text}${text === "" ? "" : "\n"}[left out: ${which}]`;
}

/** Returns the label of a file that the model may know without asking or that the call was allowed for. */
function labelOf(
	dependencies: ToolDependencies,
	path: string,
	allowed: PathTarget | undefined,
): string | undefined {
	const target = dependencies.look(path)?.path === allowed?.path ? allowed : undefined;
	return (target ?? dependencies.tellable(path))?.label;
}

/** Reads a file's text. Returns undefined if it isn't text or can't be read. */
export async function readableText(
	editor: Pick<EditorActions, "readText">,
	target: PathTarget,
): Promise<string | undefined> {
	try {
		return (await editor.readText(target)).text;
	} catch (error) {
		if (error instanceof ToolFailure) {
			return undefined;
		}
		throw error;
	}
}

export function notesOf(notes: readonly string[]): string {
	return notes.length > 0 ? ` (${notes.join(", ")})` : "";
}

const maxListed = 3;

/** Warns of secrets in lines of a text, counted from 1. Pass the whole text: a key is recognized by its first line. */
export function secretWarnings(
	label: string,
	text: string,
	firstLine = 1,
	lastLine = Number.POSITIVE_INFINITY,
): string[] {
	const found = findSecrets(text).filter(
		({ start, end }) => lineOf(text, end) >= firstLine && lineOf(text, start) <= lastLine,
	);
	if (found.length === 0) {
		return [];
	}
	const listed = found.slice(0, maxListed).map(({ kind, start, end }) => {
		const shown = text.slice(start, start + Math.min(4, Math.floor((end - start) / 4)));
		return `${lineOf(text, start)}: ${kind} ${shown}•••`;
	});
	const more = found.length > maxListed ? ", …" : "";
	return [l10n.t("{0} may contain secrets in lines {1}", label, `${listed.join(", ")}${more}`)];
}

export const pathSchema = z
	.string()
	.check(
		z.minLength(1),
		z.maxLength(4096),
		z.describe(
			"Path of a file in the workspace, relative to its folder, with forward slashes. With several workspace folders it begins with the folder's name.",
		),
	);

/** A line number argument, counted from 1. */
export const lineSchema = z.int().check(z.minimum(1), z.maximum(10_000_000));

export const globSchema = z.string().check(
	z.minLength(1),
	z.maxLength(500),
	z.refine(glob => !/\p{Cc}|\\|(?<!\.)\.\.(?!\.)|^\/|:/u.test(glob), {
		error: "must be a glob inside the workspace",
	}),
	z.describe(
		"Glob relative to the workspace, such as src/**/*.ts, or the path of a folder or file",
	),
);

/** A text argument to be written. */
export const textSchema = z.string().check(z.maxLength(1_000_000));
