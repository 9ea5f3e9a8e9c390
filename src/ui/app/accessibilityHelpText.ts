import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { locale } from "../../shared/locale.ts";

/** The parts of the manifest used in the help, in VS Code's display language. */
const manifestSchema = z.object({
	contributes: z.object({
		keybindings: z.array(
			z.object({ command: z.string(), key: z.string(), mac: z.optional(z.string()) }),
		),
		views: z.record(
			z.string(),
			z.array(z.object({ accessibilityHelpContent: z.optional(z.string()) })),
		),
	}),
});

type Keybinding = z.infer<typeof manifestSchema>["contributes"]["keybindings"][number];

/**
 * Returns the accessibility help of all views as plain text, one sentence per line, so that screen readers stop at each. Keys are those in the
 * manifest, with those of a Mac beside them, because the window may be on another machine.
 */
export function accessibilityHelpText(manifest: unknown): string {
	const { keybindings, views } = z.parse(manifestSchema, manifest).contributes;
	const contents = Object.values(views)
		.flat()
		.map(({ accessibilityHelpContent = "" }) => accessibilityHelpContent)
		.filter(content => content !== "");
	const own = l10n.t("These are the default keys. Alt+F1 in the chat shows your own.");
	return `${[...contents, own]
		.flatMap(content => content.split(/\n+/))
		.map(paragraph => sentences(withKeys(paragraph, keybindings)).join("\n"))
		.join("\n\n")}\n`;
}

/** Inserts the keys of commands that the text names. A command without a key is named alone. */
function withKeys(text: string, keybindings: readonly Keybinding[]): string {
	return text.replaceAll(/<keybinding:([\w.]+)>/g, (_, id: string) => {
		const binding = keybindings.find(({ command }) => command === id);
		if (!binding) {
			return "";
		}
		const key = keyWords(binding.key);
		const mac = keyWords(binding.mac ?? binding.key);
		return ` ${key === mac ? `(${key})` : l10n.t("({0}, on a Mac {1})", key, mac)}`;
	});
}

/** Formats `ctrl+k ctrl+alt+pagedown` as `Ctrl+K Ctrl+Alt+PageDown`. */
function keyWords(key: string): string {
	return key
		.replaceAll(/[a-z]+/g, name => name.slice(0, 1).toUpperCase() + name.slice(1))
		.replaceAll(/Page(?:up|down)/g, name => (name === "Pageup" ? "PageUp" : "PageDown"));
}

function sentences(paragraph: string): string[] {
	const segmenter = new Intl.Segmenter(locale(), { granularity: "sentence" });
	return [...segmenter.segment(paragraph)].map(({ segment }) => segment.trim());
}
