import { readFileSync } from "node:fs";
import * as z from "zod/mini";

/** Languages written from right to left, by their subtag. */
const rightToLeft: ReadonlySet<string> = new Set(
	["ar", "ckb", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"], //
);

/** The language and the direction of a page's words. */
export interface DocumentLanguage {
	/** A tag such as `de` or `zh-cn`. */
	readonly lang: string;
	readonly dir: "ltr" | "rtl";
}

/**
 * Language of the page's words: the editor's display language when Cutaway speaks it, otherwise English, because screen
 * readers pronounce by it.
 */
export function documentLanguage(displayLanguage: string, isSpoken: boolean): DocumentLanguage {
	const isTag = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(displayLanguage);
	const lang = isSpoken && isTag ? displayLanguage : "en";
	return { lang, dir: rightToLeft.has(lang.split("-")[0] ?? "") ? "rtl" : "ltr" };
}

/**
 * The element that carries the words of a language into a page: inert JSON, of which nothing can end the element early. Of
 * the bundle it holds the sentences in `keysFile`, the ones the pages draw, which the build writes beside their scripts.
 */
export function pageStrings(bundle: Readonly<Record<string, unknown>>, keysFile: string): string {
	const keys = z.parse(z.array(z.string()), JSON.parse(readFileSync(keysFile, "utf8")));
	const strings = Object.fromEntries(
		keys.flatMap(key => (typeof bundle[key] === "string" ? [[key, bundle[key]]] : [])),
	);
	const json = JSON.stringify(strings).replaceAll("<", "\\u003c");
	return `<script type="application/json" id="strings">${json}</script>`;
}
