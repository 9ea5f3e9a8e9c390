import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";

const stringsSchema = z.record(z.string(), z.string());

/** Loads the translations that the host put into the page. Without them, or if they are invalid, the page is in English. Call it before rendering. */
export function configureStrings(page: Document): void {
	const json = page.querySelector("#strings")?.textContent;
	if (json) {
		l10n.config({ contents: z.parse(stringsSchema, JSON.parse(json)) });
	}
}
