import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answered, ask } from "./chatView.ts";
import { expect, test as base } from "./fixtures.ts";
import { takePictures } from "./pictures.ts";
import { asService } from "../helpers/scriptedModel.ts";

const test = base.extend({
	settings: ({ model }, use) =>
		use({
			...asService(model),
			"cutaway.chat.systemPrompts": { Reviewer: "Answer as a strict reviewer." },
		}),
});

test("a chat is given a system prompt and parameters, shows them, sends them, and still has them when it is opened again", async ({
	workbench,
	editorServer,
	model,
	settings,
}) => {
	const body = () => JSON.parse(model.questions.at(-1) ?? "{}");
	const chat = await workbench.openChat();
	const open = chat.getByRole("button", { name: "Chat settings", exact: true });
	await open.click();
	const dialog = chat.getByRole("dialog", { name: "Chat settings" });
	await expect(dialog.getByRole("textbox", { name: "System prompt" })).toBeFocused();
	await takePictures(workbench, editorServer, "chat-settings", settings);
	await dialog
		.getByRole("combobox", { name: "System prompts of your library" })
		.selectOption("Reviewer");
	await dialog.getByRole("textbox", { name: "Temperature" }).fill("3");
	await dialog.getByRole("textbox", { name: "Extra parameters" }).fill('{ "stream": false }');
	await dialog.getByRole("button", { name: "Save", exact: true }).click();
	await expect(dialog).toContainText("Temperature must be a number from 0 to 2");
	await expect(dialog).toContainText("“stream” is set by Cutaway");
	await takePictures(workbench, editorServer, "chat-settings-faults", settings);
	await dialog.getByRole("textbox", { name: "Temperature" }).fill("0.4");
	await dialog.getByRole("textbox", { name: "Extra parameters" }).fill('{ "seed": 7 }');
	await dialog.getByRole("button", { name: "Save", exact: true }).click();
	await expect(dialog).toHaveCount(0);
	await expect(open).toBeFocused();
	await expect(chat.getByText("System prompt: Reviewer")).toBeVisible();
	await takePictures(workbench, editorServer, "chat-settings-choices", settings);

	await workbench.reload();
	const again = await workbench.chatFrame();
	await expect(again.getByText("System prompt: Reviewer")).toBeVisible();
	await ask(again, "Is this right?");
	await answered(again);
	expect(body()).toMatchObject({ temperature: 0.4, seed: 7 });
	expect(body().messages[0]).toEqual({
		role: "system",
		content: "Answer as a strict reviewer.",
	});

	await workbench.titleButton("New chat").click();
	await expect(again.getByText("System prompt: Reviewer")).toHaveCount(0);
	await expect(again.getByRole("article")).toHaveCount(0);
	await ask(again, "And this?");
	await answered(again);
	expect(body()).not.toHaveProperty("temperature");
	expect(body().messages).toHaveLength(1);

	await writeFile(join(workbench.folder, "AGENTS.md"), "Prefer small functions.\n");
	const instructions = again.getByRole("button", { name: /^AGENTS\.md, / });
	await expect(instructions).toHaveAccessibleName(/^AGENTS\.md, sent with every message/);
	await takePictures(workbench, editorServer, "project-instructions", settings);
	await ask(again, "With the project's instructions?");
	await answered(again);
	expect(body().messages[0]).toEqual({
		role: "system",
		content: "Instructions of this project (AGENTS.md):\n\nPrefer small functions.\n",
	});
	const pick = async (item: string): Promise<void> => {
		await instructions.click();
		const menu = again.getByRole("menu", { name: "Project instructions", exact: true });
		await menu.getByText(item, { exact: true }).click();
	};
	await pick("Send with every message");
	await expect(instructions).toHaveAccessibleName("AGENTS.md, not sent in this chat");
	await ask(again, "And without?");
	await answered(again);
	expect(body().messages[0]).toMatchObject({ role: "user" });
	await pick("Open");
	await expect(workbench.page.getByRole("tab", { name: /AGENTS\.md/ })).toBeVisible();

	const skill = join(workbench.folder, ".agents", "skills", "deploy");
	await mkdir(skill, { recursive: true });
	await writeFile(
		join(skill, "SKILL.md"),
		"---\ndescription: Deploys the site\n---\nFirst the tests.\n",
	);
	await expect(instructions).toHaveAccessibleName(
		"AGENTS.md, .agents/skills (1), not sent in this chat",
	);
	await pick("Send with every message");
	await ask(again, "And with its skills?");
	await answered(again);
	const told = "deploy (.agents/skills/deploy/SKILL.md): Deploys the site";
	expect(body().messages[0]?.content).toContain(told);
	expect(JSON.stringify(body())).not.toContain("First the tests.");
	const message = again.getByRole("textbox", { name: "Message" });
	await message.pressSequentially("/depl");
	await takePictures(workbench, editorServer, "skill-offered", settings);
	await again.getByRole("option", { name: "/deploy, Deploys the site" }).click();
	await expect(message).toHaveValue("Follow the skill deploy.");
	await expect(again.getByText("SKILL.md", { exact: true })).toBeVisible();
	await message.press("Enter");
	await expect.poll(() => body().messages.at(-1)?.content).toContain("First the tests.");
	await answered(again);
});
