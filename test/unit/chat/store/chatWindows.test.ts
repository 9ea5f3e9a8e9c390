// @module-tag thorough
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ChatLibrary } from "../../../../src/chat/library/chatLibrary.ts";
import { decodeLog } from "../../../../src/chat/log/chatLog.ts";
import { replayChat } from "../../../../src/chat/log/chatReplay.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { bundleProgram } from "../../../helpers/bundledProgram.ts";
import type { Kept } from "../../../helpers/chatWindowProcess.ts";
import { createRandom, type Random } from "../../../helpers/random.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

/** A quick run by default; `CUTAWAY_WINDOW_RUNS=20 CUTAWAY_WINDOW_OPERATIONS=500` proves more. */
const runs = Number(process.env["CUTAWAY_WINDOW_RUNS"] ?? 1);
const operations = Number(process.env["CUTAWAY_WINDOW_OPERATIONS"] ?? 30);
const windows = 4;

/** A few by default, to be quick; `npm run test:long` asks for forty, and `CUTAWAY_KILLS=1000` proves more. */
const kills = Math.ceil(Number(process.env["CUTAWAY_KILLS"] ?? 4) / 4);
const killSeed = Number(process.env["CUTAWAY_SEED"] ?? Date.now() % 1_000_000);

async function runWindow(program: string, folder: string, seed: number): Promise<Kept[]> {
	const child = spawn(process.execPath, [program, folder, String(seed), String(operations)], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const ended = once(child, "exit");
	let output = "";
	for await (const chunk of child.stdout) {
		output += String(chunk);
	}
	expect(await ended).toEqual([0, null]);
	return keptIn(output);
}

/** The same, killed the hard way some time after so many of its operations. */
async function killWindow(
	program: string,
	folder: string,
	seed: number,
	random: Random,
): Promise<Kept[]> {
	const child = spawn(process.execPath, [program, folder, String(seed), "1000"], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const before = random.below(40);
	let output = "";
	for await (const chunk of child.stdout) {
		output += String(chunk);
		if (output.split("\n").length > before + 1 && !child.killed) {
			setTimeout(() => child.kill("SIGKILL"), random.below(8));
		}
	}
	return keptIn(output);
}

function keptIn(output: string): Kept[] {
	return output
		.split("\n")
		.slice(0, -1)
		.map(line => JSON.parse(line) as Kept);
}

/** The last value each chat was reported to have. */
function lastOf<Value>(pairs: readonly (readonly [string, Value])[]): Map<string, Value> {
	return new Map(pairs);
}

async function expectAllThere(folder: string, kept: readonly Kept[]): Promise<void> {
	const library = new ChatLibrary({ folder, clock: systemClock });
	const list = await library.list();
	library.dispose();
	const turns = new Set<string>();
	for (const { id } of list) {
		const { condition, records } = decodeLog(await readFile(join(folder, `${id}.jsonl`)));
		expect(condition).toBe("whole");
		const { turns: found } = replayChat(records);
		expect(found.every(({ progress }) => progress.state === "complete")).toBe(true);
		found.forEach(turn => turns.add(`${id} ${turn.id}`));
	}
	const reported = kept.flatMap(each =>
		each.type === "turn" ? [`${each.chat} ${each.turn}`] : [],
	);
	expect(new Set(reported)).toEqual(turns);
	expect(reported).toHaveLength(turns.size);
	const titles = lastOf(
		kept.flatMap(each => (each.type === "title" ? [[each.chat, each.title] as const] : [])),
	);
	const pins = lastOf(
		kept.flatMap(each => (each.type === "pin" ? [[each.chat, each.isPinned] as const] : [])),
	);
	for (const { id, title, isPinned } of list) {
		expect([id, title, isPinned]).toEqual([id, titles.get(id) ?? "First", pins.get(id) ?? false]);
	}
	const others = (await readdir(folder)).filter(
		name => !/\.(jsonl|meta)$|^index\.json$/.test(name),
	);
	expect(others).toEqual([]);
}

test(
	`G9, L5: what ${windows} windows did to the same chats at once is all there (${runs} × ${windows} × ${operations} operations)`,
	async () => {
		const root = await makeTempFolder();
		const program = await bundleProgram("chatWindowProcess", root);
		for (let run = 0; run < runs; run += 1) {
			const folder = join(root, String(run));
			const seeds = Array.from({ length: windows }, (_, window) => run * windows + window + 1);
			const kept = await Promise.all(seeds.map(seed => runWindow(program, folder, seed)));
			expect(kept.map(({ length }) => length)).toEqual(seeds.map(() => operations));
			await expectAllThere(folder, kept.flat());
		}
	},
	60_000 + runs * operations * 1000,
);

/** What state the logs of a folder are in. */
async function conditionsIn(folder: string): Promise<string[]> {
	const logs = (await readdir(folder)).filter(name => name.endsWith(".jsonl"));
	return Promise.all(
		logs.map(async name => decodeLog(await readFile(join(folder, name))).condition),
	);
}

/** The number of the operation that gave a chat its name; the names are in the order they were given. */
function operationOf(title: string | undefined): number {
	return Number(title?.split("-")[1] ?? -1);
}

test(
	`G7, L2: killed at ${kills} random points of everything a window does to chats, nothing it had reported kept is lost`,
	async () => {
		console.log(`kills from seed ${killSeed}`);
		const random = createRandom(killSeed);
		const root = await makeTempFolder();
		const program = await bundleProgram("chatWindowProcess", root);
		for (let kill = 0; kill < kills; kill += 1) {
			const folder = join(root, `killed-${kill}`);
			const kept = await killWindow(program, folder, kill + 1, random);
			const library = new ChatLibrary({ folder, clock: systemClock });
			expect(await conditionsIn(folder)).not.toContain("damaged");
			const list = new Map((await library.list()).map(chat => [chat.id, chat]));
			for (const each of kept) {
				if (each.type === "turn") {
					const { records } = decodeLog(await readFile(join(folder, `${each.chat}.jsonl`)));
					expect(replayChat(records).turns.map(({ id }) => id)).toContain(each.turn);
				} else if (each.type === "title") {
					const found = list.get(each.chat)?.title;
					expect(operationOf(found)).toBeGreaterThanOrEqual(operationOf(each.title));
				}
			}
			library.dispose();
		}
	},
	60_000 + kills * 2000,
);
