/** What a chat of 2,000 messages costs in a real browser, beside all of it on the page at once in the same run. */
import { loadavg } from "node:os";
import type { Browser } from "@playwright/test";
import type { ChatViewState } from "../../src/shared/chat.ts";
import { splitForFirstPaint } from "../../src/ui/chatView/changeQueue.ts";
import { aliveOn, openPage, withChatPage } from "./chatPage.ts";
import { emptyChat, messageOf, streaming, turnOf } from "../webview/states.ts";

const rounds = 5;
const turnCount = 1000;

/** Prints the figures. */
export function run(): Promise<void> {
	return withChatPage(async (browser, url) => {
		print(`load average ${loadavg()[0]?.toFixed(1)}; medians of ${rounds}; a frame is 16.7 ms`);
		await printTimes(browser, url);
		await printOpening(browser, url);
		await printMemory(browser, url);
	});
}

/** Messages of about 1.7 KB with code, as in the measurements the targets come from. */
function chatOf(turns: number): ChatViewState {
	return {
		...emptyChat,
		chatId: "bench",
		turns: Array.from({ length: turns }, (_, index) => {
			const code = `const value${index} = await compute(${index}); // words\n`.repeat(12);
			const text = `## Answer ${index}\n\n${"Some words of **it**, and `more`. ".repeat(14)}\n\n\`\`\`ts\n${code}\`\`\`\n\n- one\n- two\n\n${"And so on. ".repeat(40)}`;
			const question = `Question ${index}. ${"Why is that so? ".repeat(100)}`;
			return turnOf(question, [messageOf(text)], { id: `turn-${index}` });
		}),
	};
}

/** Milliseconds from a change to the end of the frame that shows it; from a message's sending on for a chat's opening. */
interface Times {
	readonly open: number;
	/** Until the turns before those that came first are there as well. */
	readonly whole: number;
	readonly width: number;
	readonly theme: number;
	readonly key: number;
}

/** Opens a chat in an empty page and changes it; `isWhole` puts every turn onto the page, as the reference. */
async function measure(
	browser: Browser,
	url: string,
	turns: number,
	isWhole: boolean,
): Promise<Times> {
	const page = await openPage(browser, url);
	const { first, earlier } = splitForFirstPaint(chatOf(turns));
	const running = turnOf("Go", [messageOf("", { isFinished: false })], {
		id: "running",
		status: streaming,
	});
	const times = await page.evaluate(
		async ([chat, before, whole, last]) => {
			const shown = (): Promise<void> =>
				new Promise(resolve => {
					requestAnimationFrame(() => {
						const { port1, port2 } = new MessageChannel();
						port1.addEventListener("message", () => resolve(), { once: true });
						port1.start();
						port2.postMessage(null);
					});
				});
			const timed = async (change: () => unknown): Promise<number> => {
				const start = performance.now();
				await change();
				await shown();
				return performance.now() - start;
			};
			const added = (selector: string): Promise<void> =>
				new Promise(resolve => {
					const observer = new MutationObserver(() => {
						if (document.querySelector(selector)) {
							observer.disconnect();
							resolve();
						}
					});
					observer.observe(document.body, { childList: true, subtree: true });
				});
			window.harness.push([{ type: "reset", state: chat }]);
			const start = performance.now();
			await added(`[data-turn="${chat.turns.at(-1)?.id}"]`);
			await shown();
			let open = performance.now() - start;
			if (before.length > 0) {
				window.harness.push([{ type: "earlier-turns", turns: [...before] }]);
				await added(`[aria-setsize="${2 * (chat.turns.length + before.length)}"]`);
				await shown();
			}
			const all = performance.now() - start;
			const list = document.querySelector<HTMLElement>(".conversation");
			if (whole && list) {
				const made = [...list.querySelectorAll(".turn")].at(-1)?.outerHTML ?? "";
				const aside = document.createElement("div");
				aside.className = "conversation";
				open = await timed(() => {
					aside.innerHTML = made.repeat(before.length + chat.turns.length);
					list.after(aside);
				});
			}
			const main = document.querySelector("main");
			const width = await timed(() => main?.style.setProperty("width", "320px"));
			const theme = await timed(() => {
				document.body.className = "vscode-light";
				document.documentElement.style.setProperty("--vscode-foreground", "#123456");
			});
			const keys: number[] = [];
			window.harness.push([{ type: "turn-added", turn: last }]);
			const box = document.querySelector("textarea");
			for (let count = 0; count < 60 && box; count++) {
				const text = "Some **words** of it. ".repeat(6);
				window.harness.push([{ type: "text", turnId: last.id, index: 0, text }]);
				keys.push(
					await timed(() => {
						box.value += "x";
						box.dispatchEvent(new Event("input", { bubbles: true }));
					}),
				);
			}
			keys.sort((a, b) => a - b);
			return { open, whole: all, width, theme, key: keys[Math.floor(keys.length * 0.95)] ?? 0 };
		},
		[first, earlier, isWhole, running] as const,
	);
	await page.close();
	return times;
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function printTimes(browser: Browser, url: string): Promise<void> {
	const kinds = [
		["all on the page (reference)", turnCount, true],
		["20 messages (reference)", 10, false],
		["2,000 messages", turnCount, false],
	] as const;
	const all = new Map<string, Times[]>();
	for (let round = 0; round < rounds; round++) {
		for (const [name, turns, isWhole] of kinds) {
			all.set(name, [...(all.get(name) ?? []), await measure(browser, url, turns, isWhole)]);
		}
	}
	for (const [name, times] of all) {
		const of = (pick: (times: Times) => number): string => median(times.map(pick)).toFixed(0);
		print(
			`${name.padEnd(30)}open to first frame ${of(({ open }) => open)} ms, all of it ${of(({ whole }) => whole)}  width ${of(({ width }) => width)}  theme ${of(({ theme }) => theme)}  key while streaming p95 ${of(({ key }) => key)}`,
		);
	}
	print("targets: open 60 ms, width and theme 33 ms");
}

/**
 * What the page's thread itself works until a chat is shown, which a machine with other work does not change: the least of
 * several times. The reference has as much on the page.
 */
async function printOpening(browser: Browser, url: string): Promise<void> {
	for (const [name, turns] of [
		["20 messages (reference)", 10],
		["2,000 messages", turnCount],
	] as const) {
		const times: number[] = [];
		for (let round = 0; round < 5; round++) {
			const page = await openPage(browser, url);
			const devtools = await page.context().newCDPSession(page);
			await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
			const worked = async (): Promise<number> => {
				const { metrics } = await devtools.send("Performance.getMetrics");
				return (metrics.find(metric => metric.name === "TaskDuration")?.value ?? 0) * 1000;
			};
			const { first } = splitForFirstPaint(chatOf(turns));
			await page.evaluate(next => Object.assign(window, { next }), first);
			const before = await worked();
			await page.evaluate(
				async last => {
					const { next } = window as unknown as { readonly next: ChatViewState };
					window.harness.push([{ type: "reset", state: next }]);
					while (!document.querySelector(`[data-turn="${last}"]`)) {
						await new Promise(requestAnimationFrame);
					}
				},
				`turn-${turns - 1}`,
			);
			times.push((await worked()) - before);
			await page.close();
		}
		print(`${name.padEnd(30)}${Math.min(...times).toFixed(0)} ms of work to open`);
	}
}

async function printMemory(browser: Browser, url: string): Promise<void> {
	const page = await openPage(browser, url);
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("Performance.enable");
	const say = (name: string, { heap, nodes }: { heap: number; nodes: number }): void =>
		print(`${name.padEnd(30)}${heap.toFixed(1)} MB of script heap, ${nodes} nodes`);
	say("empty chat (reference)", await aliveOn(page, devtools));
	await page.evaluate(state => window.harness.push([{ type: "reset", state }]), chatOf(turnCount));
	await page.locator(`[data-turn="turn-${turnCount - 1}"]`).waitFor();
	say("2,000 messages opened", await aliveOn(page, devtools));
	await page.evaluate(async () => {
		const scroller = document.querySelector<HTMLElement>(".scroller");
		scroller?.dispatchEvent(new WheelEvent("wheel", { deltaY: -1 }));
		while (scroller && scroller.scrollTop > 0) {
			scroller.scrollTop -= 3000;
			await new Promise(requestAnimationFrame);
		}
	});
	say("after scrolling all of it", await aliveOn(page, devtools));
	await page.close();
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}
