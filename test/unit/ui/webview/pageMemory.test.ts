import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLog } from "../../../../src/common/log.ts";
import { PageMemory, pageMemoryElement } from "../../../../src/ui/webview/pageMemory.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

test("what a page has kept for it is there for the page of the next window", async () => {
	const folder = join(await makeTempFolder(), "workspace");
	const memory = new PageMemory({ folder, log: silentLog });
	expect(memory.text()).toBe("");
	for (const text of ["Ha", "Half", "Half a thought"]) {
		memory.keep(text);
	}
	expect(memory.text()).toBe("Half a thought");
	await memory.settled();
	expect(new PageMemory({ folder, log: silentLog }).text()).toBe("Half a thought");
	memory.keep("");
	await memory.settled();
	expect(new PageMemory({ folder, log: silentLog }).text()).toBe("");
});

test("a window without a folder of its own keeps nothing", async () => {
	const memory = new PageMemory({ folder: undefined, log: silentLog });
	memory.keep("Half a thought");
	await memory.settled();
	expect(memory.text()).toBe("");
});

test("a disk that refuses takes nothing from the page of the same window", async () => {
	const file = join(await makeTempFolder(), "a-file");
	await writeFile(file, "not a folder");
	const memory = new PageMemory({ folder: file, log: silentLog });
	expect(memory.text()).toBe("");
	memory.keep("Half a thought");
	await memory.settled();
	expect(memory.text()).toBe("Half a thought");
});

test("the document holds the text where nothing in it can end the element", () => {
	expect(pageMemoryElement("")).toBe("");
	const text = '</script><script>alert("\u2028")</script><!--';
	const element = pageMemoryElement(text);
	expect(element.match(/<\/?script/g)).toHaveLength(2);
	expect(element).not.toContain("<!--");
	const json = /^<script [^>]*>(.*)<\/script>$/s.exec(element)?.[1] ?? "";
	expect(JSON.parse(json)).toBe(text);
});
