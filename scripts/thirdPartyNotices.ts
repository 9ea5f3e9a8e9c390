/** Writes the licences of everything that is bundled, as those licences ask for, from the packages that are installed. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import * as z from "zod/mini";

const manifestSchema = z.object({
	name: z.string(),
	version: z.string(),
	license: z.optional(z.string()),
	homepage: z.optional(z.string()),
	repository: z.optional(z.union([z.string(), z.object({ url: z.string() })])),
});

interface Notice {
	readonly name: string;
	readonly version: string;
	readonly licence: string;
	readonly source: string;
	/** Texts of its licence files. */
	readonly texts: readonly string[];
}

/** What packages leave out: where their source is, the licence's name, and whose file holds the text of the same licence. */
const amendments: Readonly<
	Record<string, { readonly source?: string; readonly textOf?: string; readonly licence?: string }>
> = {
	"@resvg/resvg-wasm": { source: "https://github.com/thx/resvg-js", textOf: "mediabunny" },
	"@vscode/l10n": { textOf: "@vscode/test-electron" },
	"@jsquash/webp": { source: "https://github.com/jamsinclair/jSquash" },
	pyodide: { textOf: "mediabunny" },
	boolbase: { textOf: "uhyphen" },
	"dejavu-fonts-ttf": {
		source: "https://github.com/dejavu-fonts/dejavu-fonts",
		licence: "Bitstream Vera and Arev",
	},
	khroma: { source: "https://github.com/fabiospampinato/khroma", licence: "MIT" },
	"lodash-es": { source: "https://github.com/lodash/lodash" },
	"markdown-it": { source: "https://github.com/markdown-it/markdown-it" },
	"uc.micro": { source: "https://github.com/markdown-it/uc.micro" },
};

/** Licence of a codec that a package carries in compiled form, in a folder of its own. */
const innerFolders: Readonly<Record<string, string>> = { "@jsquash/webp": "codec" };

/** The packages that any of these builds took code from, by their folders below `node_modules`: two versions of one are two. */
export function bundledPackages(metafiles: readonly Metafile[]): readonly string[] {
	const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
	const folders = inputs.flatMap(
		input => /node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
	);
	return [...new Set(folders)].toSorted();
}

/** The notices as one text, the same licence only once. Throws when a package has no licence to show. */
export async function thirdPartyNotices(
	root: string,
	packages: readonly string[],
): Promise<string> {
	const notices = await Promise.all(packages.map(folder => readNotice(root, folder)));
	notices.sort((one, other) => (one.name < other.name ? -1 : 1));
	const texts = [...new Set(notices.flatMap(({ texts }) => texts))];
	const list = notices.map(notice => {
		const numbers = notice.texts.map(text => texts.indexOf(text) + 1).join(" and ");
		return `${notice.name} ${notice.version}: ${notice.licence}, text ${numbers}\n    Source: ${notice.source}`;
	});
	const bodies = texts.map((text, index) => `${"=".repeat(80)}\nText ${index + 1}\n\n${text}`);
	return [
		"Cutaway contains the work of others, unchanged but for bundling; the fonts are cut down to the tables that are drawn.",
		"Each is listed with its licence and the place its source can be had from.",
		"",
		...list,
		"",
		...bodies,
		"",
	].join("\n");
}

async function readNotice(root: string, folder: string): Promise<Notice> {
	const path = join(root, "node_modules", folder, "package.json");
	const json: unknown = JSON.parse(await readFile(path, "utf8"));
	const { name, version, license, homepage, repository } = z.parse(manifestSchema, json);
	const amended = amendments[name];
	const url = typeof repository === "string" ? repository : repository?.url;
	const source = amended?.source ?? (url && webAddressOf(url)) ?? homepage;
	const texts = await licenceTexts(root, amended?.textOf ?? folder, name);
	const licence = amended?.licence ?? license;
	if (texts.length === 0 || source === undefined || licence === undefined) {
		throw new Error(
			`${name} says nowhere what its licence or its source is: name both in thirdPartyNotices.ts.`,
		);
	}
	return { name, version, licence, source, texts };
}

/** The page of a repository that npm knows by one of Git's own addresses. */
function webAddressOf(repository: string): string {
	return repository
		.replace(/^(?:git\+)?(?:git|https?|ssh):\/\/(?:git@)?/, "https://")
		.replace(/\.git$/, "");
}

async function licenceTexts(root: string, from: string, name: string): Promise<readonly string[]> {
	const folder = join(root, "node_modules", from);
	const inner = innerFolders[name];
	const folders = [folder, ...(inner === undefined ? [] : [join(folder, inner)])];
	const files = folders.flatMap(path =>
		readdirSync(path)
			.filter(file => /^(licen[cs]e|notice|copying)/i.test(file))
			.map(file => join(path, file)),
	);
	const texts = await Promise.all(files.map(file => readFile(file, "utf8")));
	return texts.map(text => text.replaceAll("\r\n", "\n").trim());
}
