import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";

const stringsSchema = z.record(z.string(), z.string());

/**
 * Takes the words of the editor's display language from the page, where the host put them; without them, or with something
 * else in their place, the page speaks English. To be called before anything is drawn.
 */
export function configureStrings(page: Document): void {
	const json = page.querySelector("#strings")?.textContent;
	if (json) {
		l10n.config({ contents: z.parse(stringsSchema, JSON.parse(json)) });
	}
}
