import type { PathTarget } from "../../paths/resolveTarget.ts";
import { listResult } from "./resultText.ts";
import type { ToolDependencies } from "../tool/tool.ts";

/** How a list of places in files is told. */
export interface FileListFormat<Found> {
	readonly lineOf: (label: string, found: Found) => string;
	/** The most lines. */
	readonly limit: number;
	/** Text when nothing was found. */
	readonly none: string;
	/** The file the call was allowed for, if it named one. */
	readonly allowed?: PathTarget | undefined;
}

/**
 * A list of what was found in files, each place once, whatever links lead to it, without the files `read_file` would ask about; says how many those are. That Git ignores
 * a file is no reason: it says what is not committed, not what is private, and `read_file` does not ask about it either.
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

/** A result, and below it how many files are missing from it because the model may not be told of them unasked. */
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

/** The label of a file the model may be told of: without asking, or because it is the one the call was allowed for. */
function labelOf(
	dependencies: ToolDependencies,
	path: string,
	allowed: PathTarget | undefined,
): string | undefined {
	const target = dependencies.look(path)?.path === allowed?.path ? allowed : undefined;
	return (target ?? dependencies.tellable(path))?.label;
}
