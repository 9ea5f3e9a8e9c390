import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { accessibilityHelpText } from "../../src/ui/app/accessibilityHelpText.ts";

const root = resolve(import.meta.dirname, "../..");
const manifest = z
	.object({
		contributes: z.object({
			commands: z.array(z.object({ command: z.string(), title: z.string() })),
			languages: z.array(z.object({ id: z.string() })),
			configurationDefaults: z.record(z.string(), z.unknown()),
			keybindings: z.array(z.object({ command: z.string(), when: z.string() })),
			views: z.record(
				z.string(),
				z.array(z.object({ id: z.string(), accessibilityHelpContent: z.string() })),
			),
		}),
	})
	.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
const words = z
	.record(z.string(), z.string())
	.parse(JSON.parse(readFileSync(join(root, "package.nls.json"), "utf8")));
const { commands, keybindings, views } = manifest.contributes;

function english(text: string): string {
	return words[text.replaceAll("%", "")] ?? text;
}

/** The help of a view, and the commands it names with their keys. */
function helpOf(viewId: string): { readonly text: string; readonly named: readonly string[] } {
	const view = Object.values(views)
		.flat()
		.find(({ id }) => id === viewId);
	const text = english(view?.accessibilityHelpContent ?? "");
	return { text, named: [...text.matchAll(/<keybinding:([^>]+)>/g)].map(([, id = ""]) => id) };
}

test("The chat's accessibility help names every command that has a key", () => {
	const { named } = helpOf("cutaway.chat");
	for (const { command } of keybindings) {
		expect(named).toContain(command);
	}
	expect(named).toContain("cutaway.showAccessibilityHelp");
});

test("The help of each view calls commands by the titles the palette has", () => {
	for (const viewId of ["cutaway.chat", "cutaway.videos"]) {
		const { text, named } = helpOf(viewId);
		expect(named).not.toEqual([]);
		for (const id of named) {
			const title = english(commands.find(({ command }) => command === id)?.title ?? "?");
			expect(text).toContain(`${title.replace(/…$/, "")}<keybinding:${id}>`);
		}
	}
});

test("The chat's help names the keys of its page", () => {
	const { text } = helpOf("cutaway.chat");
	for (const key of ["Enter", "Shift+Enter", "Escape", "Tab", "Shift+Tab", "@"]) {
		expect(text).toContain(key);
	}
});

test("The chat's help names the buttons that a block of code shows, and where the others are", () => {
	const { text } = helpOf("cutaway.chat");
	expect(text).toContain("the block's buttons copy or apply it, and More actions has the rest.");
});

test("The help as a document is wrapped, so that no sentence runs out of sight", () => {
	const { languages, configurationDefaults } = manifest.contributes;
	expect(languages).toEqual([{ id: "cutaway-help" }]);
	expect(configurationDefaults).toEqual({ "[cutaway-help]": { "editor.wordWrap": "on" } });
});

test("One view alone has the help of the chat", () => {
	const contents = Object.values(views)
		.flat()
		.map(({ accessibilityHelpContent }) => accessibilityHelpContent);
	expect(contents).toEqual(["%view.chat.accessibilityHelp%", "%view.videos.accessibilityHelp%"]);
});

test("The help as a document has every key of the manifest, a sentence a line, and nothing unresolved", () => {
	const raw: unknown = JSON.parse(
		readFileSync(join(root, "package.json"), "utf8"),
		(_, value: unknown) => (typeof value === "string" ? english(value) : value),
	);
	const text = accessibilityHelpText(raw);
	expect(text).not.toMatch(/<keybinding|%/);
	expect(text).toContain(
		"Next Code Block (Ctrl+Alt+PageDown, on a Mac Cmd+Alt+PageDown) and Previous Code Block (Ctrl+Alt+PageUp",
	);
	expect(text).toContain("Ask About Selection (Ctrl+K Ctrl+Alt+A, on a Mac Cmd+K Cmd+Alt+A)");
	expect(text).toContain("Show Videos lists your videos.\n");
	expect(text).toContain("These are the videos made with Cutaway");
	expect(text.split("\n").filter(line => line.trim() !== line)).toEqual([]);
	const paragraphs = text.trimEnd().split("\n\n");
	expect(new Set(paragraphs).size).toBe(paragraphs.length);
});
