import { attributeOf, readXml } from "./xml.ts";
import type { OfficeFiles } from "./zipFile.ts";

/** What the style of a paragraph means for its text. */
export interface ParagraphStyle {
	readonly heading: number | undefined;
	readonly list: { readonly id: string; readonly depth: number } | undefined;
}

interface RawStyle {
	name: string;
	base: string | undefined;
	outline: number | undefined;
	listId: string | undefined;
	depth: number;
}

/** Returns how deep in a list an item is, from 0 to 8. */
export function depthOf(value: string | undefined): number {
	return Math.min(8, Math.max(0, Math.floor(Number(value)) || 0));
}

/** Reads the styles of paragraphs by id, with what they have from those they are based on. */
export async function readStyles(
	zip: OfficeFiles,
	part: string,
): Promise<ReadonlyMap<string, ParagraphStyle>> {
	const raw = new Map<string, RawStyle>();
	let style: RawStyle | undefined;
	await readXml(zip, part, {
		open: (name, attributes) => {
			const value = attributeOf(attributes, "val");
			if (name === "style") {
				style = { name: "", base: undefined, outline: undefined, listId: undefined, depth: 0 };
				raw.set(attributeOf(attributes, "styleId") ?? "", style);
			} else if (style && name === "name") {
				style.name = value ?? "";
			} else if (style && name === "basedOn") {
				style.base = value;
			} else if (style && name === "outlineLvl") {
				style.outline = Number(value) + 1;
			} else if (style && name === "numId") {
				style.listId = value;
			} else if (style && name === "ilvl") {
				style.depth = depthOf(value);
			}
		},
	});
	return new Map([...raw.keys()].map(id => [id, styleOf(raw, id)]));
}

/** Styles may be based on one another in a circle in a damaged file. */
const maxBases = 20;

function styleOf(raw: ReadonlyMap<string, RawStyle>, id: string): ParagraphStyle {
	let heading: number | undefined;
	let list: ParagraphStyle["list"];
	let each = raw.get(id);
	for (let step = 0; each && step < maxBases; step += 1) {
		heading ??= each.outline ?? headingOfName(each.name);
		list ??= each.listId === undefined ? undefined : { id: each.listId, depth: each.depth };
		each = each.base === undefined ? undefined : raw.get(each.base);
	}
	return { heading, list };
}

/** Word's own styles have English names in files of every language. */
function headingOfName(name: string): number | undefined {
	const [, level] = /^heading (\d)$/i.exec(name) ?? [];
	return level === undefined ? (/^title$/i.test(name) ? 1 : undefined) : Number(level);
}

/** Numbers list items. */
export class Numbering {
	/** Whether each level of a list has bullets. */
	private readonly bullets: ReadonlyMap<string, ReadonlySet<number>>;
	private readonly counts = new Map<string, number[]>();

	constructor(bullets: ReadonlyMap<string, ReadonlySet<number>>) {
		this.bullets = bullets;
	}

	/** Returns the mark of the next item of a list: `-`, or its number. */
	markOf(id: string, depth: number): string {
		if (this.bullets.get(id)?.has(depth)) {
			return "-";
		}
		const counts = this.counts.get(id) ?? [];
		const count = (counts[depth] ?? 0) + 1;
		counts.length = Math.min(counts.length, depth);
		counts[depth] = count;
		this.counts.set(id, counts);
		return `${count}.`;
	}
}

/** Reads which lists have bullets. */
export async function readNumbering(zip: OfficeFiles, part: string): Promise<Numbering> {
	const abstract = new Map<string, Set<number>>();
	const bullets = new Map<string, ReadonlySet<number>>();
	let levels = new Set<number>();
	let level = 0;
	let list = "";
	await readXml(zip, part, {
		open: (name, attributes) => {
			const value = attributeOf(attributes, "val");
			if (name === "abstractNum") {
				levels = new Set();
				abstract.set(attributeOf(attributes, "abstractNumId") ?? "", levels);
			} else if (name === "lvl") {
				level = depthOf(attributeOf(attributes, "ilvl"));
			} else if (name === "numFmt" && value === "bullet") {
				levels.add(level);
			} else if (name === "num") {
				list = attributeOf(attributes, "numId") ?? "";
				levels = new Set();
			} else if (name === "abstractNumId") {
				bullets.set(list, abstract.get(value ?? "") ?? new Set());
			}
		},
	});
	return new Numbering(bullets);
}
