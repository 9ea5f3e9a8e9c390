import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServerResponse } from "node:http";
import type { Frame, Locator } from "@playwright/test";
import {
	type ScriptedService,
	startScriptedService,
	writeJson,
	writeStream,
} from "../integration/service.ts";
import { answered } from "./chatView.ts";
import { expect, test as base } from "./fixtures.ts";
import { untilDone } from "./patience.ts";
import { lastStep, openReady, pickMoreAction, selectLines } from "./videoSteps.ts";
import type { Workbench } from "./workbench.ts";

/** A service whose uploads wait until a test lets them go. */
interface HeldService {
	readonly service: ScriptedService;
	/** How many uploads were started. */
	uploads(): number;
	/** Ends all uploads that wait with this status, and those to come. */
	release(status: number): void;
	/** The last question that was asked. */
	question(): Readonly<Record<string, unknown>>;
	/** How many questions were asked. */
	questions(): number;
	/** Forgets what it was asked, and holds uploads. */
	reset(): void;
}

async function startHeldService(): Promise<HeldService> {
	let waiting: ServerResponse[] = [];
	let ending: number | undefined;
	let first = 0;
	const end = (response: ServerResponse, status: number): void =>
		writeJson(
			response,
			status,
			status === 200 ? { file_id: "file-1" } : { error: { message: "Not now" } },
		);
	const service = await startScriptedService((request, response) => {
		if (request.path !== "/v1/files") {
			writeStream(response, [["Done."]]);
		} else if (ending === undefined) {
			waiting.push(response);
		} else {
			end(response, ending);
		}
	});
	const heard = (isUpload: boolean) =>
		service.heard.slice(first).filter(({ path }) => (path === "/v1/files") === isUpload);
	return {
		service,
		uploads: () => heard(true).length,
		release: status => {
			ending = status;
			waiting.forEach(response => end(response, status));
			waiting = [];
		},
		reset: () => {
			waiting.forEach(response => response.destroy());
			[waiting, ending, first] = [[], undefined, service.heard.length];
		},
		questions: () => heard(false).length,
		question: () => JSON.parse(heard(false).at(-1)?.body ?? "{}") as Record<string, unknown>,
	};
}

const test = base.extend<{ readonly held: HeldService }, { readonly heldOfWorker: HeldService }>({
	heldOfWorker: [
		// oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to learn what a fixture needs.
		async ({}, use) => {
			const held = await startHeldService();
			await use(held);
			await held.service.stop();
		},
		{ scope: "worker" },
	],
	held: ({ heldOfWorker }, use) => {
		heldOfWorker.reset();
		return use(heldOfWorker);
	},
	settings: async ({ held }, use) => {
		await use({ "cutaway.endpoint": held.service.baseUrl, "cutaway.chat.serverTools": [] });
	},
});

const chips = (chat: Frame): Locator =>
	chat.getByRole("list", { name: "Attachments", exact: true }).locator(":scope > li");

/** Chooses a file in the list the paperclip opens. */
async function attach(workbench: Workbench, chat: Frame, name: string): Promise<void> {
	const before = await chips(chat).count();
	await chat.getByRole("button", { name: "Attach files" }).click();
	await workbench.answerQuickInput(name);
	await expect(chips(chat)).toHaveCount(before + 1);
}

test("words and files are kept whatever becomes of an upload: Escape, a view that goes away, a refusal", async ({
	workbench,
	held,
}) => {
	const first = await workbench.openChat();
	const message = first.getByRole("textbox", { name: "Message" });
	await attach(workbench, first, "orders.csv");
	await message.fill("Sum up the orders");
	await message.press("Enter");
	await expect(chips(first)).toContainText("Uploading");
	await expect.poll(() => held.uploads()).toBe(1);
	await workbench.screenshot("upload-under-way");

	await message.press("Escape");
	await expect(message).toHaveValue("Sum up the orders");
	await expect(first.getByText("Stopped. The message wasn't sent.")).toBeVisible();
	await expect(chips(first)).toHaveAttribute("data-state", "ready");
	await workbench.screenshot("upload-stopped");

	// What is sent before would wait in the queue.
	await answered(first);
	await message.press("Enter");
	await expect.poll(() => held.uploads()).toBe(2);
	await expect(message).toHaveValue("");
	await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
	await expect(workbench.page.locator(".part.auxiliarybar")).toBeHidden();
	held.release(500);
	await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
	const second = await workbench.chatFrame();
	const again = second.getByRole("textbox", { name: "Message" });
	await expect(again).toHaveValue("Sum up the orders");
	await expect(second.getByText(/Not sent: the chat view closed or reloaded/)).toBeVisible();
	await expect(chips(second)).toContainText("failed (500)");
	await expect(chips(second)).toContainText("Service message: Not now");
	await workbench.screenshot("upload-put-back");
	expect(held.questions()).toBe(0);

	held.release(200);
	await second.getByRole("button", { name: "Retry orders.csv (may be charged)" }).click();
	await expect(chips(second)).toContainText("Uploaded");
	await again.press("Enter");
	await answered(second);
	await expect(second.getByRole("article", { name: "You" })).toContainText("orders.csv");
	expect(held.uploads()).toBe(3);
});

test("a question asks with what the switches show at the very moment of Enter", async ({
	workbench,
	held,
}) => {
	const chat = await workbench.openChat();
	const message = chat.getByRole("textbox", { name: "Message" });
	for (const [count, tools] of [["browsing"], ["browsing", "code_interpreter"], []].entries()) {
		await message.fill("What now?");
		// One task of the page, so that nothing of the host's can come between.
		await chat.locator("#app").evaluate((app, wanted) => {
			for (const [tool, name] of [
				["browsing", "Browsing"],
				["code_interpreter", "Code interpreter"],
			] as const) {
				const control = app.querySelector<HTMLElement>(`[aria-label="${name}"]`);
				if ((control?.getAttribute("aria-checked") === "true") !== wanted.includes(tool)) {
					control?.click();
				}
			}
			const options = { key: "Enter", bubbles: true, cancelable: true };
			app.querySelector("textarea")?.dispatchEvent(new KeyboardEvent("keydown", options));
		}, tools);
		await expect.poll(() => held.questions()).toBe(count + 1);
		// The service hears a question before the chat shows it, which until then has nothing that runs.
		await expect(chat.getByRole("article", { name: "You" })).toHaveCount(count + 1);
		expect(held.question()["tools"] ?? []).toEqual(expect.arrayContaining(tools));
		expect(held.question()["tools"] ?? []).toHaveLength(tools.length);
		await answered(chat);
	}
	await workbench.screenshot("switches-flipped");
});

test("a text that is too long says beforehand that it goes in part, and afterwards by how much", async ({
	workbench,
	held,
}) => {
	held.release(200);
	await writeFile(join(workbench.folder, "long.txt"), "Cut here. ".repeat(15_000));
	const chat = await workbench.openChat();
	await attach(workbench, chat, "long.txt");
	await chat.getByRole("switch", { name: "For Python: long.txt" }).click();
	await expect(chips(chat)).toContainText("Only the first 100,000 characters will be sent.");
	await workbench.screenshot("text-too-long");
	const message = chat.getByRole("textbox", { name: "Message" });
	await message.fill("What is said?");
	await message.press("Enter");
	await expect.poll(() => held.questions()).toBe(1);
	await answered(chat);
	const sent = chat.getByRole("list", { name: "Attached", exact: true });
	await expect(sent).toContainText(", shortened");
	await expect(sent).toContainText("read as text without its last 50,000 characters");
	await workbench.screenshot("text-cut");
	expect(JSON.stringify(held.question()["messages"]).length).toBeLessThan(110_000);
});

test("a file dragged from the operating system onto the chat is attached with its bytes", async ({
	workbench,
	held,
	testFolder,
}) => {
	held.release(200);
	const path = join(testFolder, "far away.csv");
	await writeFile(path, "name,count\nbeans,3\n");
	const chat = await workbench.openChat();
	const message = chat.getByRole("textbox", { name: "Message" });
	const session = await workbench.page.context().newCDPSession(workbench.page);
	const { page } = workbench;
	const shift = 8;
	// The browser's own door for what its surroundings drag over it.
	const drag = (
		type: "dragEnter" | "dragOver" | "drop",
		x: number,
		y: number,
		modifiers: number,
	): Promise<unknown> =>
		session.send("Input.dispatchDragEvent", {
			type,
			x,
			y,
			modifiers,
			data: {
				items: [],
				files: [path],
				dragOperationsMask: 1,
			},
		});
	const dropHere = async (modifiers: number): Promise<void> => {
		const box = await message.boundingBox();
		const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + 10];
		// A hand sends these all the time, and the chat takes them once the window lets them through to it.
		await untilDone(async timeout => {
			await drag("dragEnter", x, y, modifiers);
			await drag("dragOver", x, y, modifiers);
			await expect(chat.getByText("Drop to attach")).toBeVisible({ timeout });
		});
		await workbench.screenshot("drag-from-system");
		await drag("dragOver", x, y, modifiers);
		await drag("drop", x, y, modifiers);
		await expect(chat.getByText("Drop to attach")).toBeHidden();
	};
	// Straight onto the chat no key is needed; over the window's other parts Shift is.
	await dropHere(0);
	await expect(chips(chat)).toContainText("far away.csv");
	await chat.getByRole("button", { name: "Remove far away.csv" }).click();
	await expect(chips(chat)).toHaveCount(0);
	await page.mouse.move(700, 400);
	await drag("dragEnter", 700, 400, shift);
	await drag("dragOver", 700, 400, shift);
	await dropHere(shift);
	await expect(chips(chat)).toContainText("far away.csv");
	await message.fill("How many?");
	await message.press("Enter");
	const upload = (): string | undefined =>
		held.service.heard.findLast(({ path: asked }) => asked === "/v1/files")?.body;
	await expect.poll(upload).toContain("beans,3");
	await expect(chat.getByRole("article", { name: "You" })).toContainText("far away.csv");
});

test("a file that failed is brought into sight among many", async ({ workbench, held }) => {
	held.release(413);
	// A file that the service has already is not uploaded again.
	await writeFile(join(workbench.folder, "refused.csv"), "name,count\nrefused,1\n");
	const chat = await workbench.openChat();
	for (const name of [
		"README.md",
		"products.json",
		"pricing.ts",
		"sales_report.py",
		"refused.csv",
	]) {
		await attach(workbench, chat, name);
	}
	const message = chat.getByRole("textbox", { name: "Message" });
	await message.fill("And?");
	await message.press("Enter");
	await expect(chat.getByText(/couldn't be attached/)).toBeVisible();
	await expect(chips(chat).filter({ hasText: "This file is too large" }).first()).toBeInViewport();
	await workbench.screenshot("upload-refused");
	expect(held.questions()).toBe(0);
});

base("a link that was inserted is not left selected", async ({ workbench }) => {
	const { page } = workbench;
	await workbench.openFile("README.md");
	await selectLines(workbench, 3);
	await workbench.runCommand("Cutaway: Make Clip from Selection");
	await (await lastStep(workbench)).press("Enter");
	await openReady(workbench);
	const insertLink = async (): Promise<void> => {
		const preview = await workbench.frameWith(".preview");
		await expect(preview.locator("video")).toBeVisible();
		await pickMoreAction(
			workbench,
			preview,
			"Insert Markdown Link",
			"Copy the clip next to the document",
		);
	};
	const text = page.locator(".editor-instance .view-lines").first();
	await insertLink();
	await expect(text).toContainText(".webm)");
	await page.keyboard.type("!");
	await workbench.screenshot("video-link-inserted");
	await page.keyboard.press("ControlOrMeta+S");
	const saved = (): Promise<string> => readFile(join(workbench.folder, "README.md"), "utf8");
	await expect.poll(saved).toMatch(/\[.*Corner Roastery.*\]\([^)]+\.webm\)!/);

	// The same clip again is the file that is already there.
	await page.getByRole("tab", { name: /^Corner Roastery/ }).click();
	await insertLink();
	await expect(text).toContainText(/\.webm\)!.*\.webm\)/);
	const clips = (await readdir(workbench.folder)).filter(name => name.endsWith(".webm"));
	expect(clips).toHaveLength(1);
});
