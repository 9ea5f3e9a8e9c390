import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pageModules } from "../../../../src/ui/webview/pageContents.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

test("a page's scripts are those of its name, and none where nothing was written", async () => {
	const file = join(await makeTempFolder(), "modules.json");
	expect(pageModules(file, "chat")).toEqual([]);
	await writeFile(file, '{"chat":["chunks/a-1.js","chunks/b-2.js"]}');
	expect(pageModules(file, "chat")).toEqual(["chunks/a-1.js", "chunks/b-2.js"]);
	expect(pageModules(file, "video")).toEqual([]);
});

test("what is no script's name does not get into a document", async () => {
	const file = join(await makeTempFolder(), "modules.json");
	await writeFile(file, '{"chat":["\\"><script>.js"]}');
	expect(pageModules(file, "chat")).toEqual([]);
});
