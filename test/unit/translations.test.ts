import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { englishBundle, placeholders } from "../../scripts/strings.ts";

const root = resolve(import.meta.dirname, "../..");

type Strings = Readonly<Record<string, string>>;

function stringsOf(file: string): Strings {
	const json: unknown = JSON.parse(readFileSync(join(root, file), "utf8"));
	return z.record(z.string(), z.string()).parse(json);
}

/** The languages Cutaway speaks beside English: those of which there is a bundle. */
const languages = readdirSync(join(root, "l10n")).flatMap(
	file => /^bundle\.l10n\.([\w-]+)\.json$/.exec(file)?.[1] ?? [],
);

/** Both kinds of strings: those of the code and those of the manifest. */
const kinds = [
	{ english: "l10n/bundle.l10n.json", of: (tag: string) => `l10n/bundle.l10n.${tag}.json` },
	{ english: "package.nls.json", of: (tag: string) => `package.nls.${tag}.json` },
] as const;

/** Names, units and formats that are the same in most languages. */
const sameEverywhere =
	/^(?:Cutaway(?:: \{0\})?|Markdown|Chat|Top P|Prompt|Video: \{0\}|\{0\} (?:[KMG]B|s|h|min)|\{0\}: \{1\}|\{0\}, \{1\}|\{0\} \{1\})$/;

/** Of what is between the words, nothing may be lost: values, commands, code, keys, lines. */
function marksOf(text: string): string[] {
	const code =
		text.match(/`[^`]+`|\(command:[\w.]+\)|<keybinding:[\w.]+>|https?:\/\/[\w.…]*\w/g) ?? [];
	const lines = text.split("\n").length;
	return [...placeholders(text), ...code.toSorted(), `${lines} lines`];
}

/** Titles of commands that a sentence names, as «Cutaway: TITLE». */
function commandsIn(text: string, titles: Strings): string[] {
	return Object.keys(titles).filter(
		key => key.startsWith("command.") && text.includes(`Cutaway: ${titles[key]}`),
	);
}

test("the English bundle is what the code says; `npm run strings` writes it", () => {
	expect(readFileSync(join(root, kinds[0].english), "utf8")).toBe(englishBundle());
});

test("a language that translates the code translates the manifest, and the other way around", () => {
	const inManifest = readdirSync(root).flatMap(
		file => /^package\.nls\.([\w-]+)\.json$/.exec(file)?.[1] ?? [],
	);
	expect(inManifest.toSorted()).toEqual(languages.toSorted());
	expect(languages.length).toBeGreaterThanOrEqual(5);
});

describe.each(languages)("%s", tag => {
	const titles = stringsOf("package.nls.json");

	test.each(kinds)(
		"$english: every string is translated, and no other is there",
		({ english, of }) => {
			const [keys, translated] = [Object.keys(stringsOf(english)), Object.keys(stringsOf(of(tag)))];
			expect(translated.filter(key => !keys.includes(key))).toEqual([]);
			expect(keys.filter(key => !translated.includes(key))).toEqual([]);
		},
	);

	test.each(kinds)(
		"$english: values, commands, code and lines are where they were",
		({ english, of }) => {
			const translated = stringsOf(of(tag));
			const lost = Object.entries(stringsOf(english)).filter(
				([key, text]) => marksOf(translated[key] ?? "").join() !== marksOf(text).join(),
			);
			expect(lost.map(([key]) => [key, translated[key]])).toEqual([]);
		},
	);

	test.each(kinds)(
		"$english: nothing is empty, and no sentence is left in English",
		({ english, of }) => {
			const translated = stringsOf(of(tag));
			const left = Object.entries(stringsOf(english)).filter(([key, text]) => {
				const words = text.split(/\s+/).filter(word => /\p{L}{2}/u.test(word));
				const own = translated[key] ?? "";
				return (
					own.trim() === "" || (own === text && words.length > 2 && !sameEverywhere.test(text))
				);
			});
			expect(left.map(([key]) => key)).toEqual([]);
		},
	);

	test.each(kinds)("$english: a command is called what the palette calls it", ({ english, of }) => {
		const [translated, ownTitles] = [stringsOf(of(tag)), stringsOf(kinds[1].of(tag))];
		const misnamed = Object.entries(stringsOf(english)).filter(([key, text]) =>
			commandsIn(text, titles).some(
				command => !(translated[key] ?? "").includes(`Cutaway: ${ownTitles[command]}`),
			),
		);
		expect(misnamed.map(([key]) => [key, translated[key]])).toEqual([]);
	});

	test("numbers and dates are written in the same language", () => {
		const locale = Object.entries(stringsOf(kinds[0].of(tag))).find(([key]) =>
			key.startsWith("en/"),
		)?.[1];
		expect(Intl.getCanonicalLocales(locale ?? "")).toEqual(Intl.getCanonicalLocales(tag));
	});
});

test.each(kinds)(
	"$english: one word that most languages leave in English is a name",
	({ english, of }) => {
		const all = languages.map(tag => stringsOf(of(tag)));
		const left = Object.entries(stringsOf(english)).filter(
			([key, text]) =>
				all.filter(strings => strings[key] === text).length > 2 &&
				/\p{L}{2}/u.test(text) &&
				!sameEverywhere.test(text),
		);
		expect(left.map(([key]) => key)).toEqual([]);
	},
);
