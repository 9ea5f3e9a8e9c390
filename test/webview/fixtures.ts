import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import type { ChatChange, ChatViewState } from "../../src/shared/chat.ts";
import {
	type Harness,
	type PageLanguage,
	readTheme,
	startHarness,
	type ThemeName,
	themeNames,
} from "./harness.ts";

/** What the scripted host of the harness offers inside the page. */
interface ScriptedHost {
	readonly requests: { readonly method: string; readonly params: unknown }[];
	readonly failing: Record<string, string>;
	readonly results: Record<string, unknown>;
	readonly violations: readonly string[];
	state: ChatViewState | null;
	seq: number;
	push(changes: readonly ChatChange[]): void;
	event(name: string, data: unknown): void;
}

declare global {
	interface Window {
		harness: ScriptedHost;
	}
}

/** The chat view in a browser, with a host that does what a test says. */
export interface ChatPage {
	readonly page: Page;
	/** Opens the view with a state; in English when no other language is named. */
	open(state: ChatViewState, theme?: ThemeName, language?: PageLanguage): Promise<void>;
	push(...changes: readonly ChatChange[]): Promise<void>;
	/** Fires an event of the host. */
	event(name: string, data: unknown): Promise<void>;
	/** Makes the host refuse a method with a sentence. */
	fail(method: string, sentence: string): Promise<void>;
	/** Makes the host answer a method with this from now on. */
	answer(method: string, result: unknown): Promise<void>;
	/** Parameters of the requests of a kind so far, in order. */
	requests(method: string): Promise<unknown[]>;
}

/** Notes what goes wrong on a page from now on; the function it returns fails when anything did. */
function watch(page: Page): () => Promise<void> {
	const errors: string[] = [];
	page.on("pageerror", error => errors.push(error.message));
	return async () => {
		expect(errors).toEqual([]);
		expect(await page.evaluate(() => window.harness.violations)).toEqual([]);
	};
}

/** What each test is given. */
interface ChatFixtures {
	readonly chat: ChatPage;
	/** Makes one more chat view beside that of `chat`, for tests that wait more than they work. */
	readonly openAnother: () => Promise<ChatPage>;
}

/** Gives a page another theme, as VS Code does when a user picks one. */
async function useTheme(page: Page, name: ThemeName): Promise<void> {
	await page.evaluate(
		({ bodyClass, style }) => {
			const sheet = document.querySelector("#theme");
			if (sheet) {
				sheet.textContent = style;
			}
			document.body.className = bodyClass;
			document.body.dataset["vscodeThemeKind"] = bodyClass.split(" ")[0] ?? "";
			return new Promise(resolve => {
				requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)));
			});
		},
		await readTheme(name),
	);
}

/** The themes of a look at all of them: `npm test` looks at the dark one alone. */
const lookedAt = themeNames.filter(
	name => process.env["CUTAWAY_CORE"] === undefined || name === "dark",
);

/** Does something with a page in each kind of theme; what goes wrong bears the theme's name. */
export async function inEveryTheme(
	page: Page,
	check: (theme: ThemeName) => Promise<void>,
): Promise<void> {
	for (const theme of lookedAt) {
		await test.step(theme, async () => {
			await useTheme(page, theme);
			await check(theme);
		});
	}
}

/** Tests of the chat view; each ends with a look at what the page tried to load and what its policy stopped. */
export const test = base.extend<ChatFixtures, { harness: Harness }>({
	harness: [
		// oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern
		async ({}, use) => {
			const built = join(import.meta.dirname, "..", "..", "dist", "media");
			const harness = await startHarness(process.env["CUTAWAY_MEDIA"] ?? built);
			await use(harness);
			await harness.close();
		},
		{ scope: "worker" },
	],
	chat: async ({ page, harness }, use) => {
		const check = watch(page);
		await use(createChatPage(page, harness));
		await check();
		expect(harness.strayRequests).toEqual([]);
	},
	openAnother: async ({ browser, harness }, use) => {
		const checks: (() => Promise<void>)[] = [];
		await use(async () => {
			// A page behind another of its context is given no frames.
			const page = await browser.newPage();
			const check = watch(page);
			checks.push(async () => {
				await check();
				await page.close();
			});
			return createChatPage(page, harness);
		});
		for (const check of checks) {
			await check();
		}
	},
});

function createChatPage(page: Page, harness: Harness): ChatPage {
	return {
		page,
		open: async (state, theme = "dark", language = "en") => {
			await page.goto(harness.urlOf(theme, "chat", language));
			await page.evaluate(next => {
				window.harness.state = next;
			}, state);
			await page.locator("textarea").first().waitFor();
			// A font loads when it is first used, and until then text and icons have other widths.
			await page.evaluate(() => document.fonts.ready);
		},
		push: (...changes) =>
			page.evaluate(next => {
				window.harness.push(next);
				// Two frames: one to receive the message, one to show what it says.
				return new Promise(resolve => {
					requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)));
				});
			}, changes),
		event: (name, data) =>
			page.evaluate(([event, content]) => window.harness.event(event, content), [
				name,
				data,
			] as const),
		fail: (method, sentence) =>
			page.evaluate(
				([name, message]) => {
					window.harness.failing[name] = message;
				},
				[method, sentence] as const,
			),
		answer: (method, result) =>
			page.evaluate(
				([name, value]) => {
					window.harness.results[name] = value;
				},
				[method, result] as const,
			),
		requests: method =>
			page.evaluate(
				name =>
					window.harness.requests
						.filter(request => request.method === name)
						.map(request => request.params),
				method,
			),
	};
}

export { expect };
