/** The part of the build that makes Python's `tzdata` package, without which `zoneinfo` knows no time zone. */
import moment from "moment-timezone";

/** Returns the files of the package by name, from the time zone database in `moment-timezone`. */
export function timeZoneFiles(): ReadonlyMap<string, Uint8Array> {
	const names = moment.tz.names();
	const folders = new Set(
		names.flatMap(name => {
			const parts = name.split("/").slice(0, -1);
			return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
		}),
	);
	const packages = [
		"tzdata",
		"tzdata/zoneinfo",
		...[...folders].map(path => `tzdata/zoneinfo/${path}`),
	];
	return new Map<string, Uint8Array>([
		...packages.map(path => [`${path}/__init__.py`, new Uint8Array()] as const),
		["tzdata/zones", Buffer.from(`${names.join("\n")}\n`)],
		...names.map(name => [`tzdata/zoneinfo/${name}`, timeZoneFile(name)] as const),
	]);
}

/** A rule from a moment on. */
interface Transition {
	/** In seconds. */
	readonly at: number;
	/** Index into the zone's types. */
	readonly type: number;
}

/** Encodes a zone. @see https://www.rfc-editor.org/rfc/rfc8536 */
function timeZoneFile(name: string): Uint8Array {
	const zone = moment.tz.zone(name);
	if (!zone) {
		throw new Error(`There is no time zone ${name}`);
	}
	const { abbrs, offsets, untils } = zone;
	const types: Uint8Array[] = [];
	const designations = [...new Set(abbrs)];
	const starts = designations.map((_, index) =>
		designations.slice(0, index).reduce((sum, each) => sum + each.length + 1, 0),
	);
	const typeOf = (index: number): number => {
		const type = Buffer.alloc(6);
		type.writeInt32BE(Math.round(-(offsets[index] ?? 0) * 60));
		type.writeUInt8(isSummerTime(offsets, untils, index) ? 1 : 0, 4);
		type.writeUInt8(starts[designations.indexOf(abbrs[index] ?? "")] ?? 0, 5);
		const known = types.findIndex(each => type.equals(each));
		return known === -1 ? types.push(type) - 1 : known;
	};
	const transitions = abbrs.map((_, index): Transition => ({
		at: Math.round((untils[index - 1] ?? 0) / 1000),
		type: typeOf(index),
	}));
	const later = transitions.slice(1);
	const times = Buffer.alloc(later.length * 8);
	for (const [index, { at }] of later.entries()) {
		times.writeBigInt64BE(BigInt(at), index * 8);
	}
	const texts = Buffer.from(designations.map(each => `${each}\0`).join(""), "latin1");
	return Buffer.concat([
		header([0, 1, 1]),
		Buffer.alloc(7),
		header([later.length, types.length, texts.length]),
		times,
		Uint8Array.from(later.map(({ type }) => type)),
		...types,
		texts,
		Buffer.from("\n\n"),
	]);
}

/** A block's header with the numbers of its transitions, types and characters. */
function header(counts: readonly [transitions: number, types: number, characters: number]): Buffer {
	const block = Buffer.alloc(44);
	block.write("TZif2", "latin1");
	for (const [index, count] of counts.entries()) {
		block.writeUInt32BE(count, 32 + index * 4);
	}
	return block;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Whether a period of less than 11 months is ahead of those around it. The database in `moment-timezone` doesn't tell. */
function isSummerTime(
	offsets: readonly number[],
	untils: readonly (number | null)[],
	index: number,
): boolean {
	const [before, own, after] = [offsets[index - 1], offsets[index] ?? 0, offsets[index + 1]];
	const length = (untils[index] ?? Infinity) - (untils[index - 1] ?? -Infinity);
	return (
		before !== undefined &&
		after !== undefined &&
		own < before &&
		own < after &&
		length < 330 * dayMs
	);
}
