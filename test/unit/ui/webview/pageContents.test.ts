import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as l10n from "@vscode/l10n";
import { Window } from "happy-dom";
import { afterEach, expect, test } from "vitest";
import { configureStrings } from "../../../../media/shared/l10n.ts";
import { documentLanguage, pageStrings } from "../../../../src/ui/webview/pageContents.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

afterEach(() => l10n.config({ contents: {} }));

async function keysFile(keys: readonly string[]): Promise<string> {
	const file = join(await makeTempFolder(), "strings.json");
	await writeFile(file, JSON.stringify(keys));
	return file;
}

function pageOf(html: string): Document {
	const window = new Window();
	window.document.body.innerHTML = html;
	return window.document as unknown as Document;
}

test("a page says the editor's language only when Cutaway speaks it", () => {
	expect(documentLanguage("de", true)).toEqual({ lang: "de", dir: "ltr" });
	expect(documentLanguage("zh-cn", true)).toEqual({ lang: "zh-cn", dir: "ltr" });
	expect(documentLanguage("ru", false)).toEqual({ lang: "en", dir: "ltr" });
});

test("a language written from right to left turns the page round", () => {
	expect(documentLanguage("ar", true)).toEqual({ lang: "ar", dir: "rtl" });
	expect(documentLanguage("he-IL", true)).toEqual({ lang: "he-IL", dir: "rtl" });
});

test("a display language that is no language tag does not reach the page", () => {
	expect(documentLanguage('"><script>', true)).toEqual({ lang: "en", dir: "ltr" });
});

test("the page's own sentences, and no others, come through the document", async () => {
	const words = { Send: "Senden", Delete: "Löschen" };
	const page = pageOf(pageStrings(words, await keysFile(["Send", "Stop"])));
	expect(JSON.parse(page.querySelector("#strings")?.textContent ?? "")).toEqual({ Send: "Senden" });
	configureStrings(page);
	expect([l10n.t("Send"), l10n.t("Stop")]).toEqual(["Senden", "Stop"]);
});

test("no sentence can end the element that carries it", async () => {
	const html = pageStrings({ Send: "</script><b>" }, await keysFile(["Send"]));
	expect(html.match(/</g)).toHaveLength(2);
	const page = pageOf(html);
	expect(page.querySelector("b")).toBeNull();
	configureStrings(page);
	expect(l10n.t("Send")).toBe("</script><b>");
});

test("a page without words speaks English", () => {
	configureStrings(pageOf("<div></div>"));
	expect(l10n.t("Send")).toBe("Send");
});
