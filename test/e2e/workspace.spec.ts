import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "../../scripts/project.ts";
import { answered, answers, ask } from "./chatView.ts";
import { expect, modelTest as test } from "./fixtures.ts";

test.use({ isRestricted: true });

test("T31: in Restricted Mode the chat works, opening the folder alone starts nothing, its prompts are not offered and its instructions and skills not sent @core", async ({
	workbench,
	model,
}) => {
	const prompts = join(workbench.folder, ".cutaway", "prompts");
	await mkdir(prompts, { recursive: true });
	await writeFile(join(prompts, "haiku.md"), "---\ndescription: Rhymes\n---\nRhyme $file.");
	await writeFile(join(workbench.folder, "AGENTS.md"), "Prefer small functions.\n");
	const skill = join(workbench.folder, ".agents", "skills", "deploy");
	await mkdir(skill, { recursive: true });
	await writeFile(join(skill, "SKILL.md"), "---\ndescription: Deploys the site\n---\nDo it.");
	const chat = await workbench.openChat();
	await expect(chat.getByText("The workspace is in Restricted Mode.")).toBeVisible();
	await workbench.screenshot("restricted-empty");
	const message = chat.getByRole("textbox", { name: "Message" });
	const options = chat.getByRole("listbox", { name: "Commands" }).getByRole("option");
	await message.pressSequentially("/");
	await expect(options.filter({ hasText: "/help" })).toHaveCount(1);
	await expect(options.filter({ hasText: "/haiku" })).toHaveCount(0);
	await expect(options.filter({ hasText: "/deploy" })).toHaveCount(0);
	await ask(chat, "Explain the selection");
	await answered(chat);
	await expect(answers(chat)).toHaveCount(1);
	await expect(chat.getByText("AGENTS.md")).toHaveCount(0);
	expect(model.questions).toHaveLength(1);
	expect(model.questions[0]).not.toContain("get_selection");
	expect(model.questions[0]).not.toContain("Prefer small functions");
	expect(model.questions[0]).not.toContain("Deploys the site");
	await workbench.screenshot("restricted");
});

test("T31, T35: in Restricted Mode what a folder writes below the names of settings sends no question to another model", async ({
	workbench,
	model,
}) => {
	const manifest = await readFile(join(projectRoot, "package.json"), "utf8");
	const names = [...manifest.matchAll(/^\t+"(cutaway\.[\w.]+)": \{$/gm)].map(([, name]) => name);
	expect(names.length).toBeGreaterThan(40);
	const hostile = Object.fromEntries(names.map(name => [`${name}.x`, 1]));
	const settings = { ...hostile, "workbench.statusBar.visible": false };
	await mkdir(join(workbench.folder, ".vscode"), { recursive: true });
	await writeFile(join(workbench.folder, ".vscode", "settings.json"), JSON.stringify(settings));
	const chat = await workbench.openChat();
	// VS Code has read the file.
	await expect(workbench.page.locator(".part.statusbar")).toBeHidden();
	await ask(chat, "Who answers?");
	await answered(chat);
	expect(model.questions).toHaveLength(1);
});
