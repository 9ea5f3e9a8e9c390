/** The part of the build that makes what documents are read with; tests use it as well. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { storeZip } from "../src/localService/python/storedZip.ts";
import { pack } from "./pythonFiles.ts";

const root = join(import.meta.dirname, "..");

/** The character maps that the standard names for fonts that bring none, and those from there to Unicode. ISO 32000-1, table 118. */
const characterMap =
	/^(?:GB-EUC|GBpc-EUC|GBK-EUC|GBKp-EUC|GBK2K|B5pc|HKscs-B5|ETen-B5|ETenms-B5|CNS-EUC|83pv-RKSJ|90ms-RKSJ|90msp-RKSJ|90pv-RKSJ|Add-RKSJ|EUC|Ext-RKSJ|KSC-EUC|KSCms-UHC|KSCms-UHC-HW|KSCpc-EUC|Uni(?:GB|CNS|JIS|KS)-(?:UCS2|UTF16)|UniJIS-UCS2-HW)-[HV]\.bcmap$|^[HV]\.bcmap$|^Adobe-\w+-UCS2\.bcmap$/;

/** Writes PDF.js and its character maps, packed with Brotli, into a folder. */
export async function writeDocumentFiles(folder: string, isProduction: boolean): Promise<void> {
	const maps = `${root}/node_modules/pdfjs-dist/cmaps`;
	const names = (await readdir(maps)).filter(name => characterMap.test(name));
	const read = names.map(async name => [name, await readFile(`${maps}/${name}`)] as const);
	const emptyZip = Buffer.concat([Buffer.from("PK\u0005\u0006"), Buffer.alloc(18)]);
	const files = {
		"pdf.js": await bundlePdfLibrary(),
		"characterMaps.zip": storeZip(emptyZip, () => true, new Map(await Promise.all(read))),
	};
	await mkdir(folder, { recursive: true });
	await Promise.all(
		Object.entries(files).map(async ([name, bytes]) =>
			writeFile(`${folder}/${name}.br`, await pack(bytes, isProduction)),
		),
	);
}

async function bundlePdfLibrary(): Promise<Uint8Array> {
	const { outputFiles } = await build({
		entryPoints: [`${root}/src/documents/pdf/pdfLibrary.ts`],
		bundle: true,
		minify: true,
		legalComments: "none",
		format: "iife",
		globalName: "pdfLibrary",
		platform: "neutral",
		mainFields: ["module"],
		target: "node22",
		define: { "import.meta.url": '"pdf:library"' },
		logLevel: "warning",
		write: false,
	});
	return outputFiles[0]?.contents ?? new Uint8Array();
}
