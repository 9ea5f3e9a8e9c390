import { readTables } from "../layout/fontMetrics.ts";

/** Features that the renderer asks every font for. */
const always = new Set(["calt", "ccmp", "clig", "liga", "locl", "rclt", "rlig"]);

/** Names of features that it asks for too, and that fonts of code seldom have. */
const spare = ["clig", "rclt", "dist", "curs", "abvm", "blwm", "mkmk", "mark"] as const;

/** A name that nothing asks for. */
const unasked = "none";

/**
 * A font whose letters are substituted as these features say. The renderer has no way to name features: one that is not wanted
 * gets a name that it never asks for, one that is wanted the name of another that it always asks for. All else stays.
 * @see https://learn.microsoft.com/typography/opentype/spec/chapter2#feature-list-table
 */
export function withFeatures(
	font: Uint8Array,
	faceAt: number,
	features: Readonly<Record<string, boolean>>,
): Uint8Array {
	const bytes = font.slice();
	const view = new DataView(bytes.buffer);
	const start = readTables(view, faceAt).get("GSUB");
	if (start === undefined) {
		return font;
	}
	const list = start + view.getUint16(start + 6);
	const records = Array.from(
		{ length: view.getUint16(list) },
		(_, index) => list + 2 + index * 6,
	).map(at => ({ at, tag: Buffer.from(bytes.subarray(at, at + 4)).toString("latin1") }));
	const free = spare.filter(tag => !records.some(record => record.tag === tag)).values();
	for (const [tag, isWanted] of Object.entries(features)) {
		const own = records.filter(record => record.tag === tag);
		if (own.length > 0 && !(isWanted && always.has(tag))) {
			const name = isWanted ? free.next().value : unasked;
			own.forEach(({ at }) => bytes.set(Buffer.from(name ?? tag, "latin1"), at));
		}
	}
	return bytes;
}
