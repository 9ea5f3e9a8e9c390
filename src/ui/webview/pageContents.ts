import { readFileSync } from "node:fs";
import * as z from "zod/mini";

/** Right-to-left languages, by subtag. */
const rightToLeft: ReadonlySet<string> = new Set(
	["ar", "ckb", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"], //
);

export interface DocumentLanguage {
	/** A tag such as `de` or `zh-cn`. */
	readonly lang: string;
	readonly dir: "ltr" | "rtl";
}

/** Returns the language of the page's text: the editor's if Cutaway is translated to it, otherwise English. */
export function documentLanguage(displayLanguage: string, isSpoken: boolean): DocumentLanguage {
	const isTag = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(displayLanguage);
	const lang = isSpoken && isTag ? displayLanguage : "en";
	return { lang, dir: rightToLeft.has(lang.split("-")[0] ?? "") ? "rtl" : "ltr" };
}

/**
 * Returns the element that carries translations into a page, as inert JSON that can't close the element early. Contains only the strings listed in
 * `keysFile`, which the build writes beside the pages' scripts.
 */
export function pageStrings(bundle: Readonly<Record<string, unknown>>, keysFile: string): string {
	const keys = z.parse(z.array(z.string()), JSON.parse(readFileSync(keysFile, "utf8")));
	const strings = Object.fromEntries(
		keys.flatMap(key => (typeof bundle[key] === "string" ? [[key, bundle[key]]] : [])),
	);
	const json = JSON.stringify(strings).replaceAll("<", "\\u003c");
	return `<script type="application/json" id="strings">${json}</script>`;
}

/** The scripts of each page besides its own, by page name, relative to the webviews' folder. */
const modulesSchema = z.record(z.string(), z.array(z.string().check(z.regex(/^[\w./-]+\.js$/))));

/**
 * Returns the scripts that a page needs to start, from a file written by the build, so that the document can preload them in parallel. Returns none
 * if the file can't be read, for example in watch mode.
 */
export function pageModules(file: string, page: string): readonly string[] {
	try {
		return z.parse(modulesSchema, JSON.parse(readFileSync(file, "utf8")))[page] ?? [];
	} catch {
		// The scripts then import each other, only later.
		return [];
	}
}

/** Returns the element that loads the icons' font at once. Otherwise it's loaded only when the first icon is drawn, and icons appear after the text. */
export function iconPreload(address: string): string {
	return `<link rel="preload" as="font" type="font/ttf" crossorigin href="${address}">`;
}
