import * as l10n from "@vscode/l10n";
import { findSecrets } from "../../common/secretContent.ts";

/** At most this many secrets are listed in a warning. */
const maxListed = 3;

/**
 * A warning when lines of a text, counted from 1, hold secrets: where, of what kind, and how they begin. None otherwise.
 * Pass the whole text even when only some lines are told: a key is known by its first line.
 */
export function secretWarnings(
	label: string,
	text: string,
	firstLine = 1,
	lastLine = Number.POSITIVE_INFINITY,
): string[] {
	const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
	const found = findSecrets(text).filter(
		({ start, end }) => lineOf(end) >= firstLine && lineOf(start) <= lastLine,
	);
	if (found.length === 0) {
		return [];
	}
	const listed = found.slice(0, maxListed).map(({ kind, start, end }) => {
		const shown = text.slice(start, start + Math.min(4, Math.floor((end - start) / 4)));
		return `${lineOf(start)}: ${kind} ${shown}•••`;
	});
	const more = found.length > maxListed ? ", …" : "";
	return [l10n.t("{0} may contain secrets in lines {1}", label, `${listed.join(", ")}${more}`)];
}
