/** Every state of the pages that a contact sheet shows, and how to reach it. */
import { previewScenes, recordClip } from "../webview/scenes.ts";
import { chatSettings, emptyChat, messageOf, turnOf } from "../webview/states.ts";
import type { SheetScene } from "./contactSheet.ts";
import { sheetScenes } from "./sheetScenes.ts";

export const allScenes: readonly SheetScene[] = [
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
				fileName: "a-paper-boat.webm",
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
