import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ColorOrder } from "../../../src/codeColors/colorOrder.ts";
import { ColorThread } from "../../../src/codeColors/colorThread.ts";
import { createFakeClock } from "../../helpers/fakeClock.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

/** A thread that counts its orders, and does with each what its theme's ground names. */
const program = `import { parentPort } from "node:worker_threads";
let count = 0;
parentPort.on("message", ({ theme }) => {
	count += 1;
	if (theme.background === "end") {
		process.exit(1);
	} else if (theme.background === "throw") {
		throw new Error("The grammar is broken");
	} else if (theme.background !== "hang") {
		const known = theme.background === "odd" ? 1 : { colors: {}, notes: [String(count)] };
		parentPort.postMessage(known);
	}
});`;

async function openThread() {
	const file = join(await makeTempFolder(), "worker.mjs");
	await writeFile(file, program);
	const clock = createFakeClock();
	const thread = new ColorThread(file, clock);
	const orderOf = (background: string): ColorOrder => ({
		texts: [],
		grammars: [],
		configurations: {},
		oniguruma: "",
		theme: {
			background,
			foreground: "",
			rules: [],
			semantic: [],
			semanticScopes: [],
			superTypes: {},
			brackets: [],
			unexpectedBracket: "",
			isDepthPerBracket: false,
		},
	});
	const countOf = async (background = ""): Promise<string | undefined> =>
		(await thread.find(orderOf(background))).notes[0];
	return { thread, clock, countOf };
}

test("one thread finds the colors of several clips, and ends after five minutes without one", async () => {
	const { thread, clock, countOf } = await openThread();
	expect(await Promise.all([countOf(), countOf()])).toEqual(["1", "2"]);
	await clock.advance(299_000);
	expect(await countOf()).toBe("3");
	await clock.advance(301_000);
	expect(await countOf()).toBe("1");
	thread.dispose();
});

test("a thread that hangs is ended, and the next clip has a new one", async () => {
	const { thread, clock, countOf } = await openThread();
	expect(await countOf()).toBe("1");
	const hung = expect(countOf("hang")).rejects.toThrow("took more than 10 s");
	const next = countOf();
	await clock.advance(10_000);
	await hung;
	expect(await next).toBe("1");
	thread.dispose();
});

test.each([
	["end", "ended"],
	["throw", "The grammar is broken"],
	["odd", "not understood"],
])(
	"a thread that does “%s” fails its order with the reason, and the next one works",
	async (act, reason) => {
		const { thread, countOf } = await openThread();
		await expect(countOf(act)).rejects.toThrow(reason);
		expect(await countOf()).toBe("1");
		thread.dispose();
	},
);
