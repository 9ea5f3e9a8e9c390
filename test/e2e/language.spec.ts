import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { projectRoot } from "../../scripts/project.ts";
import { expect, serviceTest as test } from "./fixtures.ts";
import { untilDone } from "./patience.ts";
import { takePictures } from "./pictures.ts";

/** The strings of a file, by their keys; none when there is no such file. */
function stringsOf(...path: readonly string[]): Readonly<Record<string, string>> {
	const file = join(projectRoot, ...path);
	return existsSync(file)
		? z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, "utf8")))
		: {};
}

const bundle = stringsOf("l10n", "bundle.l10n.de.json");
const manifest = { ...stringsOf("package.nls.json"), ...stringsOf("package.nls.de.json") };

/** A sentence of the code as a user with a German editor reads it. */
const translated = (sentence: string): string => bundle[sentence] ?? sentence;

test.use({ language: "de" });

test("a German editor has Cutaway's commands, chat and notifications in German", async ({
	workbench,
	editorServer,
	settings,
	model,
}) => {
	model.script({ text: "This answer breaks off", ending: "cut" });
	await workbench.runCommand(`Cutaway: ${manifest["command.openChat"] ?? ""}`);
	const chat = await workbench.chatFrame();
	await expect(chat.locator("html")).toHaveAttribute(
		"lang",
		Object.keys(bundle).length === 0 ? "en" : "de",
	);
	const message = chat.getByRole("textbox", { name: translated("Message"), exact: true });
	await expect(message).toBeFocused();
	await expect(chat.getByRole("heading", { name: translated("Ask Cutaway") })).toBeVisible();
	await expect(chat.getByText(translated("What can you do?"), { exact: true })).toBeVisible();
	await takePictures(workbench, editorServer, "german empty chat", settings);

	const ending = chat.locator(".ending");
	await message.fill("And then?");
	// Sent words leave the box at once, and are not sent twice.
	await untilDone(async timeout => {
		if ((await message.inputValue()) === "And then?") {
			await message.press("Enter", { timeout });
		}
		await expect(ending).toBeVisible({ timeout });
	});
	await expect(ending).toContainText(translated("Interrupted: the connection broke."));
	await expect(ending).toContainText(translated("The text so far is kept."));
	await expect(
		chat.getByRole("button", { name: translated("Show the error"), exact: true }),
	).toBeVisible();
	await takePictures(workbench, editorServer, "german answer", settings);

	await workbench.runCommand(`Cutaway: ${manifest["command.askAboutSelection"] ?? ""}`);
	await expect(workbench.notifications().first()).toContainText(
		translated("Select some text in an editor first."),
	);
});
