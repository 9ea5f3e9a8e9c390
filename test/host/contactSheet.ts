/**
 * A program: `npm run contact-sheet` draws every state of the built pages in four themes and three widths, and writes them into one
 * HTML page to look at.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import type { ChatSettingsView } from "../../src/shared/chatSettings.ts";
import { drawContactSheet, type SheetScene } from "../pictures/contactSheet.ts";
import { sheetScenes } from "../pictures/sheetScenes.ts";
import { startHarness } from "../webview/harness.ts";
import { previewScenes, recordClip } from "../webview/scenes.ts";
import { emptyChat, messageOf, turnOf } from "../webview/states.ts";
import { browserFlags, ensureBrowser } from "./browser.ts";
import { projectRoot, say } from "./project.ts";

const noSettings = {
	systemPrompt: "",
	model: "llm-4-turbo-tools",
	temperature: "",
	topP: "",
	maxTokens: "",
	extraParameters: "",
};
const chatSettings: ChatSettingsView = {
	chatId: "chat",
	values: { ...noSettings, temperature: "0.2" },
	defaults: noSettings,
	models: emptyChat.composer.models,
	library: [{ name: "Reviewer", text: "Answer as a strict reviewer." }],
	maxSystemPrompt: 32_000,
};

const scenes: readonly SheetScene[] = [
	...Object.entries(sheetScenes).map(([name, state]) => ({ name, page: "chat" as const, state })),
	{
		name: "the settings of a chat",
		page: "chat",
		state: emptyChat,
		prepare: async page => {
			await page.evaluate(view => {
				Object.assign(window.harness.results, { chatSettings: view });
			}, chatSettings);
			await page.getByRole("button", { name: "Chat settings", exact: true }).press("Enter");
			await page.getByRole("dialog", { name: "Chat settings" }).waitFor();
		},
	},
	{
		name: "the search in a chat",
		page: "chat",
		state: {
			...emptyChat,
			turns: [turnOf("Where is the hay?", [messageOf("Hay is where **hay** is.")])],
		},
		prepare: async page => {
			await page.getByRole("textbox", { name: "Message", exact: true }).focus();
			await page.keyboard.press("ControlOrMeta+f");
			await page.getByRole("textbox", { name: "Find in chat", exact: true }).fill("hay");
			await page.locator(".find-count").filter({ hasText: "3" }).waitFor();
		},
	},
	...Object.entries(previewScenes).map(([name, state]) => ({
		name: `a preview: ${name}`,
		page: "video" as const,
		state,
	})),
	{
		name: "a preview: ready, with its clip",
		page: "video",
		state: previewScenes.working,
		prepare: async page => {
			const clip = {
				url: await recordClip(page),
				fileName: "a-paper-boat-2026-01-31.webm",
				size: "40 KB",
				hasAacSound: false,
			};
			await page.evaluate(state => window.harness.event("state", state), {
				...previewScenes.ready,
				clip,
			});
			await page.locator("video").evaluate(
				element =>
					(element as HTMLVideoElement).readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ||
					new Promise(resolve => {
						element.addEventListener("loadeddata", resolve, { once: true });
					}),
			);
		},
	},
];

const file = join(projectRoot, "test-results", "contact-sheet.html");
const harness = await startHarness(join(projectRoot, "dist", "media"));
const browser = await chromium.launch({
	executablePath: ensureBrowser(),
	args: [...browserFlags],
});
const html = await drawContactSheet({ browser, harness, scenes, onScene: say });
await mkdir(dirname(file), { recursive: true });
await writeFile(file, html);
await browser.close();
await harness.close();
say(file);
