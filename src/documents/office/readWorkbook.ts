import { type DocumentOrder, maxSheetRows } from "../documentText.ts";
import { DocumentFaultError, type ReadText } from "../textPages.ts";
import { readSharedTexts, readNumberFormats, type Formats } from "./cellFormats.ts";
import { SheetHandler } from "./sheet.ts";
import { attributeOf, isOn, mainPartOf, prefixedAttribute, readRelations, readXml } from "./xml.ts";
import type { OfficeFiles } from "./zipFile.ts";

interface NamedSheet {
	readonly name: string;
	readonly part: string;
	readonly isHidden: boolean;
	readonly isChart: boolean;
}

/** Room for the names of the sheets that are left out. */
const noteLength = 1500;

/** Reads a workbook: each sheet as CSV under its name and size. */
export async function readWorkbook(
	zip: OfficeFiles,
	{ part, maxCharacters }: Pick<DocumentOrder, "part" | "maxCharacters">,
): Promise<ReadText> {
	const main = await mainPartOf(zip, "xl/workbook.xml");
	const relations = await readRelations(zip, main);
	const sheets: NamedSheet[] = [];
	let isFrom1904 = false;
	const isFound = await readXml(zip, main, {
		open: (name, attributes) => {
			const relation = relations.get(prefixedAttribute(attributes, "id") ?? "");
			const { date1904 } = attributes;
			isFrom1904 ||= name === "workbookPr" && date1904 !== undefined && isOn(date1904);
			if (name === "sheet" && relation) {
				const isHidden = /hidden$/i.test(attributeOf(attributes, "state") ?? "");
				const isChart = relation.type !== "worksheet";
				sheets.push({ name: attributes["name"] ?? "", part: relation.target, isHidden, isChart });
			}
		},
	});
	if (!isFound || sheets.length === 0) {
		throw new DocumentFaultError("damaged");
	}
	const partOf = (type: string): string =>
		[...relations.values()].find(relation => relation.type === type)?.target ?? "";
	const formats: Formats = {
		texts: await readSharedTexts(zip, partOf("sharedStrings")),
		...(await readNumberFormats(zip, partOf("styles"))),
		isFrom1904,
	};
	const asked = part.sheet?.trim().toLowerCase();
	const chosen = sheets.filter(({ name }) => asked === undefined || name.toLowerCase() === asked);
	if (chosen.length === 0) {
		throw new DocumentFaultError("noPart", `The workbook has ${listOf(sheets)}.`);
	}
	const firstRow = part.firstRow ?? 1;
	const lastRow = part.lastRow ?? firstRow + maxSheetRows - 1;
	return await readSheets(zip, chosen, formats, {
		firstRow,
		lastRow,
		room: maxCharacters - noteLength,
	});
}

interface SheetLimits {
	readonly firstRow: number;
	readonly lastRow: number;
	readonly room: number;
}

async function readSheets(
	zip: OfficeFiles,
	sheets: readonly NamedSheet[],
	formats: Formats,
	{ firstRow, lastRow, room }: SheetLimits,
): Promise<ReadText> {
	const texts: string[] = [];
	let left: ReadText["left"] = null;
	let length = 0;
	let hasCells = false;
	for (const [index, { name, part, isHidden, isChart }] of sheets.entries()) {
		if (length >= room) {
			texts.push(`[left out: ${listOf(sheets.slice(index))}]`);
			break;
		}
		const remark = isHidden ? ", hidden" : "";
		if (isChart) {
			texts.push(`[sheet ${JSON.stringify(name)}${remark}: a chart]`);
			continue;
		}
		const sheet = new SheetHandler(formats, { firstRow, lastRow, room: room - length });
		await readXml(zip, part, sheet);
		const { rows, columns, shownTo } = sheet;
		hasCells ||= rows > 0;
		const size = `${rows} rows × ${columns} columns`;
		const isPart = (firstRow > 1 || shownTo < rows) && shownTo >= firstRow;
		const shown = isPart ? `, rows ${firstRow}–${shownTo}` : "";
		const rest = rows - shownTo;
		const omitted = rest > 0 ? `\n[rows ${shownTo + 1}–${rows} are left out]` : "";
		const text = `[sheet ${JSON.stringify(name)}${remark}: ${size}${shown}]\n${sheet.csv}${omitted}`;
		left ??= rest > 0 ? { unit: "rows", shown: shownTo, total: rows } : null;
		texts.push(text.trimEnd());
		length += text.length + 2;
	}
	return { text: hasCells ? texts.join("\n\n") : "", withoutText: 0, left };
}

function listOf(sheets: readonly NamedSheet[]): string {
	const names = sheets.slice(0, 20).map(({ name }) => JSON.stringify(name.slice(0, 40)));
	const more = sheets.length - names.length;
	return `${sheets.length === 1 ? "the sheet" : "the sheets"} ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
