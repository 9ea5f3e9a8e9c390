import { attributeOf, readXml } from "./xml.ts";
import type { OfficeFiles } from "./zipFile.ts";

/** How numbers of a style are shown. */
type NumberFormat = "number" | "date" | "duration";

/** What cells refer to. */
export interface Formats {
	readonly texts: readonly string[];
	/** By index of a cell's style. */
	readonly numbers: readonly NumberFormat[];
	/** Whether days are counted from 1904, as in files of old Macs. */
	readonly isFrom1904: boolean;
}

/** The most shared texts to keep in memory, in characters. */
const maxSharedLength = 100_000_000;

/** Reads the texts that cells share, without the readings of characters. */
export async function readSharedTexts(zip: OfficeFiles, part: string): Promise<readonly string[]> {
	const texts: string[] = [];
	let text = "";
	let isText = false;
	let isReading = false;
	let length = 0;
	await readXml(zip, part, {
		open: name => {
			text = name === "si" ? "" : text;
			isReading = name === "rPh" || isReading;
			isText = name === "t" && !isReading;
		},
		close: name => {
			isText = false;
			isReading = name === "rPh" ? false : isReading;
			if (name === "si") {
				texts.push(text);
				length += text.length;
			}
		},
		text: piece => {
			text += isText ? piece : "";
		},
		isDone: () => length > maxSharedLength,
	});
	return texts;
}

/** Reads which styles of cells show numbers as dates. */
export async function readNumberFormats(
	zip: OfficeFiles,
	part: string,
): Promise<Pick<Formats, "numbers">> {
	const codes = new Map<string, string>();
	const numbers: NumberFormat[] = [];
	let isInCells = false;
	await readXml(zip, part, {
		open: (name, attributes) => {
			const id = attributeOf(attributes, "numFmtId") ?? "0";
			if (name === "numFmt") {
				codes.set(id, attributeOf(attributes, "formatCode") ?? "");
			} else if (name === "cellXfs") {
				isInCells = true;
			} else if (name === "xf" && isInCells) {
				numbers.push(formatOf(codes.get(id), Number(id)));
			}
		},
		close: name => {
			isInCells = name === "cellXfs" ? false : isInCells;
		},
	});
	return { numbers };
}

function formatOf(code: string | undefined, id: number): NumberFormat {
	if (code === undefined) {
		// The formats that files refer to without naming them. ECMA-376, part 1, 18.8.30.
		const isDate = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
		return id === 46 ? "duration" : isDate || id === 45 || id === 47 ? "date" : "number";
	}
	// Quoted and escaped characters stand for themselves, as do colors and languages in brackets.
	const plain = code.replaceAll(/"[^"]*"|\\.|_.|\*./g, "");
	if (/\[(?:h+|m+|s+)\]/i.test(plain)) {
		return "duration";
	}
	return /[ymdhs]/i.test(plain.replaceAll(/\[[^\]]*\]|General/gi, "")) ? "date" : "number";
}

const dayMs = 86_400_000;

/** Formats a number of a cell by its style: dates as in ISO 8601, other numbers with the digits that Excel keeps. */
export function numberText(value: string, style: string | undefined, formats: Formats): string {
	const number = Number(value);
	if (value.trim() === "" || !Number.isFinite(number)) {
		return value;
	}
	const format = formats.numbers[Number(style ?? "0")] ?? "number";
	if (format === "duration") {
		const seconds = Math.round(number * 86_400);
		const two = (part: number): string => String(part).padStart(2, "0");
		return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
	}
	if (format === "date") {
		return dateText(number, formats.isFrom1904);
	}
	return String(Number(number.toPrecision(15)));
}

/** The last day that Excel shows, in 9999. */
const maxDay = 2_958_466;

function dateText(days: number, isFrom1904: boolean): string {
	if (days < 0 || days >= maxDay) {
		return String(days);
	}
	// Excel counts a 29 February 1900 that never was.
	const shift = isFrom1904 ? 24_107 : days < 60 ? 25_568 : 25_569;
	const iso = new Date(Math.round(((days - shift) * dayMs) / 1000) * 1000).toISOString();
	const [date = "", time = ""] = iso.slice(0, 19).split("T");
	if (days < 1 && !isFrom1904) {
		return time;
	}
	return time === "00:00:00" ? date : `${date} ${time}`;
}
