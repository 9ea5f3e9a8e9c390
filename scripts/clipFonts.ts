/** The part of the build that makes the fonts of clips; tests and benchmarks use it as well. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { withFeatures } from "../src/localService/video/fonts/editorFont.ts";
import { joinMetrics, readFontMetrics } from "../src/localService/video/layout/fontMetrics.ts";
import { trimFont } from "../src/localService/video/layout/trimFont.ts";
import { fontAlphabets as alphabets } from "../src/localService/video/bundledAssets.ts";
import { projectRoot } from "./project.ts";

/** What code is mostly made of: Latin, Greek and Cyrillic, punctuation, arrows, signs, boxes. The rest comes from Sans. */
const isCodeLetter = (codePoint: number): boolean =>
	codePoint < 0x250 ||
	(codePoint >= 0x370 && codePoint < 0x460) ||
	(codePoint >= 0x2000 && codePoint < 0x20c0) ||
	(codePoint >= 0x2190 && codePoint < 0x2300) ||
	(codePoint >= 0x2500 && codePoint < 0x2600);

/** The fonts of clips as TrueType, by the names of their files: one for prose and one for code, and what these lack from DejaVu. */
export function clipFonts(): ReadonlyMap<string, Uint8Array> {
	const dejavu = (name: string): Uint8Array =>
		readFileSync(join(projectRoot, "node_modules/dejavu-fonts-ttf/ttf", `${name}.ttf`));
	const files = alphabets.flatMap(alphabet => [
		[`Inter-${alphabet}.ttf`, trimFont(webFont("inter", alphabet))] as const,
		// Editors join no letters of code unless they are asked to.
		[
			`JetBrainsMono-${alphabet}.ttf`,
			withFeatures(trimFont(webFont("jetbrains-mono", alphabet)), 0, { liga: false, calt: false }),
		] as const,
	]);
	const { covers } = joinMetrics(
		files.filter(([name]) => name.startsWith("JetBrains")).map(([, font]) => readFontMetrics(font)),
	);
	const isMissing = (codePoint: number): boolean => isCodeLetter(codePoint) && !covers(codePoint);
	return new Map([
		...files,
		["DejaVuSans.ttf", trimFont(dejavu("DejaVuSans"))],
		["DejaVuSansMono.ttf", trimFont(dejavu("DejaVuSansMono"), isMissing)],
	]);
}

function webFont(name: string, alphabet: string): Uint8Array {
	const file = `node_modules/@fontsource/${name}/files/${name}-${alphabet}-400-normal.woff`;
	return unpackWoff(readFileSync(join(projectRoot, file)));
}

/** A font as it is in a WOFF file. @see https://www.w3.org/TR/WOFF/ */
function unpackWoff(file: Buffer): Uint8Array {
	const count = file.readUInt16BE(12);
	const tables = Array.from({ length: count }, (_, index) => {
		const entry = 44 + index * 20;
		const start = file.readUInt32BE(entry + 4);
		const packed = file.subarray(start, start + file.readUInt32BE(entry + 8));
		const length = file.readUInt32BE(entry + 12);
		const bytes = packed.length < length ? inflateSync(packed) : packed;
		return { head: file.subarray(entry, entry + 4), sum: file.readUInt32BE(entry + 16), bytes };
	});
	const head = Buffer.alloc(12 + count * 16);
	head.writeUInt32BE(file.readUInt32BE(4), 0);
	head.writeUInt16BE(count, 4);
	let position = head.length;
	const parts: Buffer[] = [head];
	for (const [index, { head: tag, sum, bytes }] of tables.entries()) {
		const entry = 12 + index * 16;
		head.set(tag, entry);
		head.writeUInt32BE(sum, entry + 4);
		head.writeUInt32BE(position, entry + 8);
		head.writeUInt32BE(bytes.length, entry + 12);
		const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
		padded.set(bytes);
		parts.push(padded);
		position += padded.length;
	}
	return Buffer.concat(parts);
}
