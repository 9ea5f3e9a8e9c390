import type { PathTarget } from "../../paths/resolveTarget.ts";
import { listResult } from "./resultText.ts";
import type { ToolDependencies } from "../tool/tool.ts";

/** Format of a list of locations in files. */
export interface FileListFormat<Found> {
	readonly lineOf: (label: string, found: Found) => string;
	/** The most lines. */
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
