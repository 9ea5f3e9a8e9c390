/** Windows and Python itself both know files by these names; a mounted file never takes one. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;

/** Characters that end a path's part, or that no shell and no string literal takes as they are. */
const unsafe = /[/\\:*?"'<>|`$%\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const maxNameBytes = 120;

/**
 * The name a file is mounted under: like its own, but fit for a path and a string literal, and unlike `taken`, by letters
 * of either case. `report.csv` taken makes the next one `report (2).csv`.
 */
export function mountedName(name: string, taken: ReadonlySet<string>): string {
	const plain = name.normalize("NFC").replaceAll(unsafe, "_").replaceAll(/\s+/g, " ").trim();
	const dotless = plain.replace(/^\.+/, "_").replace(/[. ]+$/, "");
	const base = dotless === "" || reserved.test(dotless) ? `file_${dotless}` : dotless;
	const dot = base.lastIndexOf(".");
	const ending = dot > 0 && base.length - dot <= 16 ? base.slice(dot) : "";
	const stem = shortened(base.slice(0, base.length - ending.length));
	const isTaken = (candidate: string): boolean => taken.has(candidate.toLowerCase());
	let candidate = `${stem}${ending}`;
	for (let count = 2; isTaken(candidate); count += 1) {
		candidate = `${stem} (${count})${ending}`;
	}
	return candidate;
}

function shortened(stem: string): string {
	let text = "";
	for (const character of stem) {
		if (Buffer.byteLength(text + character) > maxNameBytes) {
			break;
		}
		text += character;
	}
	return text;
}
