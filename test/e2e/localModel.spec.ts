import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { answered, answers, ask, conversation } from "./chatView.ts";
import { expect, modelTest as test } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import { selectLines } from "./videoSteps.ts";

const pricing = "src/pricing.ts";
const edited = "// Prices of orders.\n";

test("a local model reads for a while, edits through a tool, and a reload in the middle of its words loses nothing", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	const text = (): Promise<string> => readFile(join(workbench.folder, pricing), "utf8");
	const reading = Promise.withResolvers<void>();
	model.script(
		{ calls: [["replace_selection", { text: edited }]], until: reading.promise },
		// It is left in the middle of its words.
		{ text: "The first line is a comment", until: new Promise(() => undefined) },
		{ text: "The comment is there." },
	);
	const before = await text();
	await workbench.openFile(pricing);
	const chat = await workbench.openChat();
	await selectLines(workbench, 2);
	await ask(chat, "Replace the selection with a comment");
	await expect(conversation(chat).getByText(/^Reading the prompt… \d+ s$/)).toBeVisible();
	await takePictures(workbench, editorServer, "model-reading", settings);
	reading.resolve();

	const change = chat.getByRole("group", { name: "Tool: Replace the selection" });
	const allow = change.getByRole("button", { name: "Allow", exact: true });
	await expect(allow).toBeEnabled();
	expect(await text()).toBe(before);
	await takePictures(workbench, editorServer, "model-edit", settings);
	await allow.click();
	await expect(answers(chat).last()).toContainText("The first line is a comment");
	await expect.poll(text).toMatch(/^\/\/ Prices of orders\.\n/);
	expect(model.questions).toHaveLength(2);
	expect(model.questions[1]).toContain('"role":"tool"');

	await workbench.reload();
	const again = await workbench.chatFrame();
	await expect(conversation(again).getByText(/^Interrupted/)).toBeVisible();
	await expect(answers(again).last()).toContainText("The first line is a comment");
	expect(model.questions).toHaveLength(2);
	await takePictures(workbench, editorServer, "model-reloaded", settings);
	await again.getByRole("button", { name: "Try again" }).first().click();
	await answered(again);
	await expect(answers(again).last()).toContainText("The comment is there.");
	expect(await text()).toMatch(/^\/\/ Prices of orders\.\n/);
	expect(model.questions).toHaveLength(3);
});

/** Draws a blue square as a PNG, with what Python has by itself. */
const pngProgram = `import struct, zlib
def chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
rows = b"".join(b"\\0" + b"\\x20\\x60\\xe0" * 16 for _ in range(16))
with open("square.png", "wb") as file:
    file.write(b"\\x89PNG\\r\\n\\x1a\\n")
    file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)))
    file.write(chunk(b"IDAT", zlib.compress(rows)))
    file.write(chunk(b"IEND", b""))
`;

test("a picture that Python drew is shown, and the code can be copied and inserted", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	model.script(
		{ calls: [["code_interpreter", { code: pngProgram }]] },
		{ text: "Here is a square." },
	);
	await workbench.openFile("src/pricing.ts");
	const chat = await workbench.openChat();
	const tool = chat.getByRole("switch", { name: "Code interpreter" });
	await tool.click();
	await expect(tool).toBeChecked();
	await ask(chat, "Draw a blue square");
	await answered(chat);
	const run = answers(chat).filter({ has: chat.getByText("Ran Python") });
	await expect(run.locator("details")).toHaveJSProperty("open", false);
	const output = answers(chat).filter({ has: chat.getByText("Output", { exact: true }) });
	await output.locator("summary").first().click();
	const picture = output.getByRole("img", { name: "square.png" });
	await expect(picture).toBeVisible();
	await expect(picture).toHaveJSProperty("naturalWidth", 16);
	await run.locator("summary").first().click();
	await takePictures(workbench, editorServer, "python-picture", settings);
	await run.getByRole("button", { name: "More actions" }).click();
	await chat.getByRole("menuitem", { name: "Insert at cursor" }).click();
	await expect(workbench.page.locator(".monaco-editor .view-lines")).toContainText("import struct");
});
