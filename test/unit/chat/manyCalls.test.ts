// @module-tag thorough
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { calling, makeToolChat, saying } from "../../helpers/toolChat.ts";

/** The threads of this process. */
const threads = (): number => readdirSync("/proc/self/task").length;

test.runIf(process.platform === "linux")(
	"300 searches of one answer: 50 run, at most four at once, and the rest are answered",
	async () => {
		const ids = Array.from({ length: 300 }, (_, index) => `c${index}`);
		const chat = await makeToolChat([
			calling(
				...ids.map(
					id => [id, "search_text", { query: "al+pha", isRegularExpression: true }] as const,
				),
			),
			saying("Done."),
		]);
		chat.bench.put("ws/a.txt", "alpha\n");
		const before = threads();
		let [most, reading, mostReading] = [0, 0, 0];
		const { readText } = chat.bench.editor;
		chat.bench.editor.readText = async target => {
			most = Math.max(most, threads() - before);
			reading += 1;
			mostReading = Math.max(mostReading, reading);
			await new Promise(resolve => setImmediate(resolve));
			reading -= 1;
			return await readText(target);
		};
		expect(await chat.ask()).toBe("complete");
		const results = chat.results();
		expect(Object.keys(results)).toEqual(ids);
		const found = ids.filter(id => results[id]?.startsWith("a.txt:1: alpha"));
		expect(found).toEqual(ids.slice(0, 50));
		expect(results["c50"]).toBe(
			"Error: not run. Of one answer at most 50 tool calls are run; make fewer at a time.",
		);
		expect(new Set(ids.slice(50).map(id => results[id])).size).toBe(1);
		const refused = chat.changes.filter(
			change => change.type === "tool-call" && change.state.state === "refused",
		);
		expect(refused).toHaveLength(250);
		// A few threads more are those of the disk, of which Node starts four when it needs them.
		expect(most).toBeLessThanOrEqual(12);
		expect(mostReading).toBe(4);
	},
);
