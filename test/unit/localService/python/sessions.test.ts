// @module-tag thorough
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "../../../../src/common/async.ts";
import {
	CodeInterpreter,
	type CodeInterpreterOptions,
	type Interpreter,
	type PythonRun,
} from "../../../../src/localService/python/codeInterpreter.ts";
import { PythonThread } from "../../../../src/localService/python/pythonThread.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { writeWorker } from "../fixtures.ts";
import { makeTestFolder } from "../testService.ts";

/** Stands in for Python's thread: says how many cells it has run, or does what a cell's code is the name of. */
const countingWorker = `
	import { parentPort, workerData } from "node:worker_threads";
	let count = 0;
	let heldBytes = 0;
	const bell = new Int32Array(workerData.bell);
	const sleep = isAsleep => Atomics.store(bell, 1, isAsleep ? 1 : 0);
	const files = { count: 0, shown: [] };
	const deeds = {
		hang: () => undefined,
		die: () => process.exit(3),
		lie: () => parentPort.postMessage({ type: "report", report: '{"status":"done"}', heldBytes, written: [] }),
		hold: () => {
			heldBytes = 2000;
			deeds.count();
		},
		goOn: () => {
			deeds.count();
			sleep(false);
		},
		babble: () => parentPort.postMessage({ type: "hello" }),
		output: () => {
			parentPort.postMessage({ type: "output", text: "some " });
			parentPort.postMessage({ type: "output", text: "text" });
			deeds.count();
		},
		count: () => {
			const report = { status: "done", result: { text: String(count) }, files, figures: [] };
			parentPort.postMessage({ type: "report", report: JSON.stringify(report), heldBytes, written: [] });
			sleep(true);
		},
	};
	parentPort.on("message", ({ code, files }) => {
		count += 1;
		if (code === "mounts") {
			code = "output";
			parentPort.postMessage({ type: "output", text: files.map(file => file.name).join() + ": " });
		}
		deeds[code]();
	});
	parentPort.postMessage({ type: "ready" });
`;

const never = new AbortController().signal;

async function openInterpreter(
	options: Partial<CodeInterpreterOptions> = {},
	worker = countingWorker,
	clock: Clock = systemClock,
): Promise<CodeInterpreter> {
	const file = await writeWorker(await makeTestFolder(), worker);
	const files = { runtime: "-", wasm: "-", stdlib: "-" };
	const interpreter = new CodeInterpreter(
		{ workerFile: pathToFileURL(file), files, ...options },
		clock,
	);
	onTestFinished(() => interpreter.stop());
	return interpreter;
}

const run = (interpreter: Interpreter, code = "count"): Promise<PythonRun> =>
	interpreter.run(code, never);

/** How many cells the Python that ran this one has run. */
async function countOf(interpreter: Interpreter): Promise<number> {
	const outcome = await run(interpreter);
	const result = outcome.status === "done" ? outcome.result : null;
	return Number(result && "text" in result ? result.text : Number.NaN);
}

test("a conversation that goes on finds its Python by its id; a request without one has its own", async () => {
	const interpreter = await openInterpreter({ maxThreads: 9 });
	expect(await countOf(interpreter.open("a", []))).toBe(1);
	expect(await countOf(interpreter.open("a", []))).toBe(2);
	expect(await countOf(interpreter.open("b", []))).toBe(1);
	expect(await countOf(interpreter.open("a", []))).toBe(3);
	for (const none of [undefined, "", undefined]) {
		expect(await countOf(interpreter.open(none, []))).toBe(1);
	}
});

test("of 501 conversations the one unused for longest is forgotten", async () => {
	const interpreter = await openInterpreter();
	const held = interpreter.open("0", []);
	expect([await countOf(held), await countOf(held)]).toEqual([1, 2]);
	for (let number = 1; number < 500; number += 1) {
		interpreter.open(String(number), []);
	}
	expect(await countOf(interpreter.open("0", []))).toBe(3);
	for (let number = 1; number <= 500; number += 1) {
		interpreter.open(String(number), []);
	}
	expect(await countOf(interpreter.open("0", []))).toBe(1);
});

test("a file is mounted once, and again in a Python that begins afresh", async () => {
	const interpreter = await openInterpreter({ cellTimeoutMs: 100 });
	const file = { id: "1", name: "a.csv", type: "text/csv", size: 1, path: "/nowhere" };
	const conversation = interpreter.open("a", [file]);
	expect((await run(conversation, "mounts")).output).toBe("a.csv: some text");
	expect((await run(conversation, "mounts")).output).toBe(": some text");
	expect(await run(conversation, "hang")).toMatchObject({ status: "timeout" });
	expect((await run(conversation, "mounts")).output).toBe("a.csv: some text");
});

test.each([
	["ends", "die", /ended with code 3/],
	["reports nonsense", "lie", /makes no sense/],
	["says nonsense", "babble", /not understood/],
])(
	"a thread that %s counts as broken, and the loss is reported with the next run",
	async (_name, code, reason) => {
		const conversation = (await openInterpreter()).open("a", []);
		expect(await run(conversation, code)).toMatchObject({
			status: "broken",
			reason: expect.stringMatching(reason),
		});
		expect(await run(conversation)).toMatchObject({ result: { text: "1" }, hasLostState: true });
		expect(await run(conversation)).toMatchObject({ result: { text: "2" }, hasLostState: false });
	},
);

test("a Python that cannot start says why", async () => {
	const broken = `
		import { parentPort } from "node:worker_threads";
		parentPort.postMessage({ type: "broken", reason: "no wasm" });
	`;
	const conversation = (await openInterpreter({}, broken)).open("a", []);
	expect(await run(conversation)).toMatchObject({ status: "broken", reason: "no wasm" });
});

test("a cancelled run rejects at once and ends its Python", async () => {
	const conversation = (await openInterpreter()).open("a", []);
	await run(conversation);
	const leaving = new AbortController();
	const running = conversation.run("hang", leaving.signal);
	systemClock.setTimer(30, () => leaving.abort());
	await expect(running).rejects.toMatchObject({ name: "AbortError" });
	expect(await run(conversation)).toMatchObject({ result: { text: "1" }, hasLostState: true });
});

test("runs of one conversation wait for each other", async () => {
	const conversation = (await openInterpreter()).open("a", []);
	const runs = await Promise.all([run(conversation), run(conversation), run(conversation)]);
	expect(runs.map(each => each.status === "done" && each.result)).toEqual([
		{ text: "1" },
		{ text: "2" },
		{ text: "3" },
	]);
});

test("the Python unused for longest makes room, and nobody's run is ended for another", async () => {
	const interpreter = await openInterpreter({ maxThreads: 2, cellTimeoutMs: 500 });
	const [first, second, third] = ["1", "2", "3"].map(name => interpreter.open(name, []));
	if (!first || !second || !third) {
		throw new Error("Three are needed");
	}
	expect([await countOf(first), await countOf(second), await countOf(first)]).toEqual([1, 1, 2]);
	expect(await countOf(third)).toBe(1);
	expect(await countOf(first)).toBe(3);
	expect(await run(second)).toMatchObject({ result: { text: "1" }, hasLostState: true });
	const hanging = [run(first, "hang"), run(second, "hang")];
	await expect
		.poll(() => run(third))
		.toMatchObject({
			status: "broken",
			reason: expect.stringContaining("busy with other conversations"),
		});
	expect((await Promise.all(hanging)).map(({ status }) => status)).toEqual(["timeout", "timeout"]);
});

test("a Python that holds more than it may between two runs is ended, and its last outcome kept", async () => {
	const interpreter = await openInterpreter({ maxHeldBytes: 1999 });
	const conversation = interpreter.open("a", []);
	expect(await countOf(conversation)).toBe(1);
	expect(await run(conversation, "hold")).toMatchObject({ result: { text: "2" } });
	expect(await run(conversation)).toMatchObject({ result: { text: "1" }, hasLostState: true });
});

test("a Python that does not sleep after its run is ended, and one that sleeps is kept", async () => {
	const clock = createFakeClock();
	const interpreter = await openInterpreter({}, countingWorker, clock);
	const [quiet, busy] = ["1", "2"].map(name => interpreter.open(name, []));
	if (!quiet || !busy) {
		throw new Error("Two are needed");
	}
	expect(await countOf(quiet)).toBe(1);
	expect(await run(busy, "goOn")).toMatchObject({ result: { text: "1" } });
	await clock.advance(5_000);
	expect(await run(busy)).toMatchObject({ result: { text: "1" }, hasLostState: true });
	expect(await run(quiet)).toMatchObject({ result: { text: "2" }, hasLostState: false });
});

test("a cell that installs packages first has a minute more", async () => {
	const clock = createFakeClock();
	const workerFile = pathToFileURL(await writeWorker(await makeTestFolder(), countingWorker));
	const files = { runtime: "-", wasm: "-", stdlib: "-" };
	const thread = new PythonThread({ workerFile, files, clock });
	onTestFinished(() => thread.stop());
	const cell = { code: "count", files: [], packages: [], isInspected: false };
	await thread.run(cell, never);
	const large = { name: "large.whl", path: "/nowhere", sha256: "", target: "site" } as const;
	let isOver = false;
	const running = thread
		.run({ ...cell, code: "hang", packages: [large] }, never)
		.finally(() => (isOver = true));
	await clock.advance(79_000);
	expect(isOver).toBe(false);
	await clock.advance(1_000);
	expect(await running).toMatchObject({ status: "timeout", seconds: 80 });
});

test("an idle Python is let go", async () => {
	const interpreter = await openInterpreter({ idleMs: 20 });
	const conversation = interpreter.open("a", []);
	await run(conversation);
	await new Promise<void>(resolve => void systemClock.setTimer(200, resolve));
	expect(await run(conversation)).toMatchObject({ result: { text: "1" }, hasLostState: true });
});
