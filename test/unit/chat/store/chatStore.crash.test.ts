// @module-tag thorough
import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ChatStore } from "../../../../src/chat/store/chatStore.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { bundleProgram } from "../../../helpers/bundledProgram.ts";
import { openForTest } from "../../../helpers/chatBench.ts";
import { createRandom, type Random } from "../../../helpers/random.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

/** A few by default, to be quick; `npm run test:long` asks for forty, and `CUTAWAY_KILLS=1000` proves more. */
const kills = Number(process.env["CUTAWAY_KILLS"] ?? 4);
const seed = Number(process.env["CUTAWAY_SEED"] ?? Date.now() % 1_000_000);

/** Starts a writing process, kills it the hard way after some of its writes, and returns what it had reported. */
async function killWriter(program: string, folder: string, random: Random): Promise<string[]> {
	const child = spawn(process.execPath, [program, folder, String(random.below(1e9))], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const turnsBefore = random.below(12);
	let output = "";
	for await (const chunk of child.stdout) {
		output += String(chunk);
		if (output.split("\n").length > turnsBefore + 1 && !child.killed) {
			setTimeout(() => child.kill("SIGKILL"), random.below(8));
		}
	}
	return output.split("\n").slice(0, -1);
}

test(
	`G7, L2: killed at ${kills} random points, a log loses nothing it had reported kept`,
	async () => {
		console.log(`kills from seed ${seed}`);
		const random = createRandom(seed);
		const root = await makeTempFolder();
		const program = await bundleProgram("chatWriterProcess", root);
		const killOne = async (number: number): Promise<void> => {
			const folder = join(root, String(number));
			const [id = "", ...reported] = await killWriter(program, folder, random);
			const store = new ChatStore({ folder, clock: systemClock });
			const chat = await openForTest(store, id);
			expect(chat).toMatchObject({ readOnly: undefined, keptAt: undefined });
			expect(chat.turns.length).toBeGreaterThanOrEqual(reported.length);
			for (const turn of chat.turns.slice(0, reported.length)) {
				expect(turn.progress).toEqual({ state: "complete" });
			}
			await chat.writer.append([{ type: "title", at: 0, title: "After" }], true);
			await chat.writer.close();
			expect((await openForTest(store, id)).title).toBe("After");
			expect((await readdir(folder)).filter(name => name.includes("unreadable"))).toEqual([]);
		};
		const numbers = Array.from({ length: kills }, (_, number) => number);
		const work = async (): Promise<void> => {
			for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
				await killOne(number);
			}
		};
		await Promise.all([work(), work(), work()]);
	},
	60_000 + kills * 1000,
);
