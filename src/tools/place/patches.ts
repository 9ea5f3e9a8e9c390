/** Lines that become others: one hunk of a diff, or one pair of SEARCH and REPLACE. */
export interface Patch {
	readonly old: readonly string[];
	readonly fresh: readonly string[];
}

/** The replacements of a block that is a unified diff or a list of SEARCH/REPLACE pairs; undefined for one that is neither. */
export function patchesOf(code: readonly string[]): Patch[] | undefined {
	const patches = searchPatches(code) ?? diffPatches(code);
	return patches && patches.length > 0 ? patches : undefined;
}

function searchPatches(code: readonly string[]): Patch[] | undefined {
	const patches: { old: string[]; fresh: string[] }[] = [];
	let side: "old" | "fresh" | undefined;
	for (const line of code) {
		if (/^[<-]{5,}\s*(?:SEARCH|ORIGINAL|HEAD)>?\s*$/.test(line)) {
			patches.push({ old: [], fresh: [] });
			side = "old";
		} else if (side === "old" && /^={5,}\s*$/.test(line)) {
			side = "fresh";
		} else if (side === "fresh" && /^[>+]{5,}\s*\w*>?\s*$/.test(line)) {
			side = undefined;
		} else if (side) {
			patches.at(-1)?.[side].push(line);
		}
	}
	return patches.length > 0 && side === undefined ? patches : undefined;
}

const header =
	/^(?:diff --git |index [0-9a-f]|(?:new|deleted) file |similarity |rename |\*\*\* (?:Begin|End|Update|Add|Move) )/;

function diffPatches(code: readonly string[]): Patch[] | undefined {
	// A removed line may begin with dashes of its own; the two names of a file are one above the other.
	const isName = (at: number): boolean =>
		(code[at]?.startsWith("--- ") === true && code[at + 1]?.startsWith("+++ ") === true) ||
		(code[at]?.startsWith("+++ ") === true && code[at - 1]?.startsWith("--- ") === true);
	const body = code.filter((line, at) => !header.test(line) && !isName(at));
	const hasHunks = body.some(line => line.startsWith("@@"));
	const isMarked = body.every(line => line === "" || /^[-+ @\\]/.test(line));
	const has = (mark: string): boolean => body.some(line => line.startsWith(mark));
	if (!isMarked || !(has("-") || has("+")) || !(hasHunks || (has("-") && has("+")))) {
		return undefined;
	}
	const patches: { old: string[]; fresh: string[] }[] = [{ old: [], fresh: [] }];
	for (const line of body) {
		const current = patches.at(-1);
		if (line.startsWith("@@")) {
			patches.push({ old: [], fresh: [] });
		} else if (line.startsWith("-")) {
			current?.old.push(line.slice(1));
		} else if (line.startsWith("+")) {
			current?.fresh.push(line.slice(1));
		} else if (!line.startsWith("\\")) {
			current?.old.push(line.replace(/^ /, ""));
			current?.fresh.push(line.replace(/^ /, ""));
		}
	}
	return patches.filter(({ old, fresh }) => old.join("\n") !== fresh.join("\n"));
}

/**
 * Where the old lines of a patch are in a text: the one place that has them as they are, else but for indentation and
 * the whitespace at their ends. Undefined where there is none or more than one.
 */
export function placeOfPatch(lines: readonly string[], { old }: Patch): number | undefined {
	const wanted = trimBlank(old);
	if (wanted.length === 0) {
		return undefined;
	}
	for (const form of [(line: string) => line.trimEnd(), (line: string) => line.trim()]) {
		const places = lines.flatMap((_, at) =>
			wanted.every((line, index) => form(lines[at + index] ?? "\0") === form(line)) ? [at] : [],
		);
		if (places.length > 0) {
			return places.length === 1 ? places[0] : undefined;
		}
	}
	return undefined;
}

/** The lines without blank ones at both ends. */
export function trimBlank(lines: readonly string[]): string[] {
	const first = lines.findIndex(line => line.trim() !== "");
	return first === -1
		? []
		: lines.slice(first, lines.findLastIndex(line => line.trim() !== "") + 1);
}
