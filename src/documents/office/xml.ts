import { Parser } from "htmlparser2";
import { DocumentFaultError } from "../textPages.ts";
import type { OfficeFiles } from "./zipFile.ts";

/** Attributes by name with prefix. */
export type XmlAttributes = Readonly<Record<string, string>>;

/** Receives elements by name without prefix: writers choose their own prefixes. */
export interface XmlHandler {
	open(name: string, attributes: XmlAttributes): void;
	close?(name: string): void;
	text?(text: string): void;
	/** Ends reading early. */
	isDone?(): boolean;
}

/** Maximum nesting depth. Parsing an element takes time in proportion to its depth. */
const maxDepth = 1000;

/**
 * Parses an XML file of a document while it is unpacked. Supports only XML's predefined entities and ignores declarations, so a document can't define
 * entities or refer to other files. Returns false if the file is missing.
 */
export async function readXml(
	zip: OfficeFiles,
	name: string,
	handler: XmlHandler,
): Promise<boolean> {
	if (!zip.has(name)) {
		return false;
	}
	let depth = 0;
	const parser = new Parser(
		{
			onopentag: (tag, attributes) => {
				depth += 1;
				if (depth > maxDepth) {
					throw new DocumentFaultError("damaged");
				}
				handler.open(localName(tag), attributes);
			},
			onclosetag: tag => {
				depth -= 1;
				handler.close?.(localName(tag));
			},
			ontext: text => handler.text?.(text),
		},
		{ xmlMode: true, decodeEntities: true },
	);
	let decoder: InstanceType<typeof TextDecoder> | undefined;
	for await (const piece of zip.read(name)) {
		decoder ??= new TextDecoder(encodingOf(piece));
		parser.write(decoder.decode(piece, { stream: true }));
		if (handler.isDone?.()) {
			return true;
		}
	}
	parser.end();
	return true;
}

function encodingOf(head: Uint8Array): string {
	const [first, second] = head;
	return first === 0xff && second === 0xfe
		? "utf-16le"
		: first === 0xfe && second === 0xff
			? "utf-16be"
			: "utf-8";
}

function localName(name: string): string {
	return name.slice(name.indexOf(":") + 1);
}

/** Returns an attribute by its name without prefix; one without prefix first. */
export function attributeOf(attributes: XmlAttributes, name: string): string | undefined {
	return attributes[name] ?? prefixedAttribute(attributes, name);
}

/** Returns an attribute that has a prefix, such as the relationship in `r:id`. */
export function prefixedAttribute(attributes: XmlAttributes, name: string): string | undefined {
	return Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1];
}

/** Whether an attribute or element's value switches something on, which is so without a value. */
export function isOn(value: string | undefined): boolean {
	return value === undefined || !/^(?:0|false|off)$/.test(value);
}

/** A relationship of a part: what its type ends with, and the name of the file in the zip. */
export interface Relation {
	readonly type: string;
	readonly target: string;
}

/** Reads the relationships of a part by their ids. Leaves out those that lead outside. */
export async function readRelations(
	zip: OfficeFiles,
	part: string,
): Promise<ReadonlyMap<string, Relation>> {
	const folder = part.slice(0, part.lastIndexOf("/") + 1);
	const relations = new Map<string, Relation>();
	await readXml(zip, `${folder}_rels/${part.slice(folder.length)}.rels`, {
		open: (name, { Id, Type = "", Target = "", TargetMode }) => {
			if (name === "Relationship" && Id !== undefined && TargetMode !== "External") {
				const { pathname } = new URL(Target, `zip://document/${folder}`);
				const type = Type.slice(Type.lastIndexOf("/") + 1);
				relations.set(Id, { type, target: decodeURIComponent(pathname).replace(/^\//, "") });
			}
		},
	});
	return relations;
}

/** Returns the main part, such as `word/document.xml`. */
export async function mainPartOf(zip: OfficeFiles, usual: string): Promise<string> {
	const relations = await readRelations(zip, "");
	return [...relations.values()].find(({ type }) => type === "officeDocument")?.target ?? usual;
}
