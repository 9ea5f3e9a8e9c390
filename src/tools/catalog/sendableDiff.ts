import { relative, sep } from "node:path";
import { maskKeyLines, maskSecrets } from "../../common/secretContent.ts";
import { secretRule } from "../../paths/sensitivePaths.ts";
import type { FileDiff } from "../tool/editorActions.ts";
import { shortenData } from "../tool/longData.ts";

/** The most files to name without their changes. */
const maxNamed = 200;

/**
 * Formats a repository's changes that a model may get without approval: at most `limit` characters of diffs, smallest first, and a line for each
 * further file. Only counts files that may contain secrets or that `isExcluded` names, and masks secrets in others. Empty without changes.
 */
export function sendableDiff(
	root: string,
	diffs: readonly FileDiff[],
	limit: number,
	isExcluded: (path: string) => boolean,
): string {
	const named = diffs.flatMap(({ paths, diff }) => {
		const names = paths.map(path => relative(root, path).split(sep).join("/"));
		const isSent =
			names.length > 0 &&
			!names.some(name => secretRule(name) !== undefined) &&
			!paths.some(isExcluded);
		const text = isSent ? maskSecrets(maskKeyLines(shortenData(diff.trimEnd()))) : "";
		return isSent ? [{ name: names.at(-1) ?? "", text }] : [];
	});
	const fitting = new Set<(typeof named)[number]>();
	let length = 0;
	for (const file of named.toSorted((one, other) => one.text.length - other.text.length)) {
		length += file.text.length + 1;
		if (length <= limit) {
			fitting.add(file);
		}
	}
	const beyond = named.filter(file => !fitting.has(file));
	const leftOut = diffs.length - named.length;
	return [
		...named.filter(file => fitting.has(file)).map(({ text }) => text),
		...beyond
			.slice(0, maxNamed)
			.map(({ name }) => `[changed as well, too long to show: ${JSON.stringify(name)}]`),
		...(beyond.length > maxNamed ? [`[and ${beyond.length - maxNamed} more files]`] : []),
		...(leftOut > 0 ? [`[left out: ${leftOut} that may hold secrets or are excluded]`] : []),
	].join("\n");
}
