// @module-tag thorough
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { bundleProgram } from "../../../helpers/bundledProgram.ts";
import { keepChat, turnRecords } from "../../../helpers/keptChats.ts";
import { openEveryChat } from "../../../helpers/openEveryChat.ts";
import { createRandom } from "../../../helpers/random.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

/** A few by default, to be quick; `npm run test:long` asks for forty, and `CUTAWAY_KILLS=1000` proves more. */
const kills = Math.ceil(Number(process.env["CUTAWAY_KILLS"] ?? 4) / 4);
const seed = Number(process.env["CUTAWAY_SEED"] ?? Date.now() % 1_000_000);
const damagedChats = 12;

/** A folder of chats with a hole in each. */
async function makeDamaged(folder: string): Promise<void> {
	for (let chat = 0; chat < damagedChats; chat += 1) {
		const turns = [1, 2].map(turn => turnRecords(turn, "word ".repeat(20_000)));
		const { path } = await keepChat(systemClock, turns, folder);
		await writeFile(path, (await readFile(path, "utf8")).replace("word word", "word wire"));
	}
}

async function logsIn(folder: string): Promise<Map<string, string>> {
	const names = (await readdir(folder)).filter(name => name.endsWith(".jsonl"));
	return new Map(
		await Promise.all(
			names.map(async name => [name, await readFile(join(folder, name), "utf8")] as const),
		),
	);
}

/** A minute later: a lease that a kill left half made says nothing of its holder, and lapses only with time. */
const later = { ...systemClock, now: () => systemClock.now() + 61_000 };

/** Opens the chats in a program of its own, and kills that the hard way so many milliseconds after it began. */
async function killOpening(program: string, folder: string, afterMs: number): Promise<void> {
	const child = spawn(process.execPath, [program, folder], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), afterMs));
	await once(child, "close");
}

test(
	`L10, G7: killed at ${kills} points while damaged logs are repaired, each is the old one or the new one, and the old ones are kept`,
	async () => {
		console.log(`kills from seed ${seed}`);
		const random = createRandom(seed);
		const root = await makeTempFolder();
		const program = await bundleProgram("openChatsProcess", root);
		const [before, after] = [join(root, "before"), join(root, "after")];
		await makeDamaged(before);
		await cp(before, after, { recursive: true });
		await openEveryChat(after, later);
		const [old, repaired] = [await logsIn(before), await logsIn(after)];
		expect(repaired).not.toEqual(old);
		for (let kill = 0; kill < kills; kill += 1) {
			const folder = join(root, String(kill));
			await cp(before, folder, { recursive: true });
			await killOpening(program, folder, random.below(60));
			const found = await logsIn(folder);
			expect([...found.keys()].sort()).toEqual([...old.keys()].sort());
			for (const [name, text] of found) {
				expect([old.get(name), repaired.get(name)].includes(text)).toBe(true);
			}
			await openEveryChat(folder, later);
			expect(await logsIn(folder)).toEqual(repaired);
			const kept = (await readdir(folder)).filter(name => name.includes(".unreadable-"));
			const copies = await Promise.all(kept.map(name => readFile(join(folder, name), "utf8")));
			expect(copies).toEqual(expect.arrayContaining([...old.values()]));
		}
	},
	60_000 + kills * 2000,
);
