/** What a chat that streams all day leaves in its page with every answer. */
import type { Page } from "@playwright/test";
import { streaming, turnOf } from "../webview/states.ts";
import { aliveOn, openPage, withChatPage } from "./chatPage.ts";

const hour = 100;
const day = 1000;

/** Prints the figures. */
export function run(): Promise<void> {
	return withChatPage(async (browser, url) => {
		const page = await openPage(browser, url);
		const devtools = await page.context().newCDPSession(page);
		await devtools.send("Performance.enable");
		await stream(page, 0, hour);
		const early = await aliveOn(page, devtools);
		const characters = await stream(page, hour, day);
		const late = await aliveOn(page, devtools);
		const perAnswer = ((late.heap - early.heap) * 1024) / day;
		print(`after ${hour} answers: ${early.heap.toFixed(1)} MB, ${early.nodes} nodes`);
		print(`after ${day} more: ${late.heap.toFixed(1)} MB, ${late.nodes} nodes`);
		print(
			`${perAnswer.toFixed(1)} KB an answer, of which ${(characters / day / 1024).toFixed(1)} KB text`,
		);
	});
}

/** Asks and answers, an exchange a frame; returns how many characters that was. */
async function stream(page: Page, first: number, count: number): Promise<number> {
	let characters = 0;
	for (let index = first; index < first + count; index++) {
		const turnId = `day-${index}`;
		const text = `Answer ${index}. ${"Some words, and `code`. ".repeat(40)}\n\n\`\`\`ts\nconst x = ${index};\n\`\`\`\n`;
		characters += text.length;
		const turn = turnOf(`Question ${index}`, [], { id: turnId, status: streaming });
		await page.evaluate(
			async ([added, words]) => {
				const place = { turnId: added.id, index: 0 };
				window.harness.push([
					{ type: "turn-added", turn: added },
					{
						type: "message-started",
						turnId: added.id,
						message: { index: 0, role: "assistant", text: "", isFinished: false, toolNames: [] },
					},
					...(words.match(/[^]{1,20}/g) ?? []).map(
						text => ({ type: "text", ...place, text }) as const,
					),
					{ type: "message-finished", ...place, toolNames: [] },
					{ type: "status", turnId: added.id, status: { state: "complete", actions: [] } },
				]);
				await new Promise(requestAnimationFrame);
			},
			[turn, text] as const,
		);
	}
	return characters;
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}
