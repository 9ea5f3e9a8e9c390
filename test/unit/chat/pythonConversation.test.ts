import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ChatSession } from "../../../src/chat/chatSession.ts";
import { ChatStore } from "../../../src/chat/store/chatStore.ts";
import type { ChatTools } from "../../../src/chat/turnRun.ts";
import { systemClock } from "../../../src/common/async.ts";
import { silentLog } from "../../../src/common/log.ts";
import type { Engine } from "../../../src/localService/engine.ts";
import { HttpFailure } from "../../../src/localService/base/failureResponse.ts";
import { plainOptions, waitUntil } from "../../helpers/chatBench.ts";
import { clientOf } from "../../helpers/clientHarness.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";
import { chatToolsOf, createToolBench } from "../../helpers/toolBench.ts";
import { writeWorker } from "../localService/fixtures.ts";
import { startTestService, testToken } from "../localService/testService.ts";

/** Stands in for Python's thread, whose one variable counts the runs. */
const countingWorker = `
	import { parentPort, workerData } from "node:worker_threads";
	let count = 0;
	parentPort.on("message", () => {
		count += 1;
		const report = { status: "done", result: { text: String(count) }, files: { count: 0, shown: [] }, figures: [] };
		parentPort.postMessage({ type: "report", report: JSON.stringify(report), heldBytes: 0, written: [] });
		Atomics.store(new Int32Array(workerData.bell), 1, 1);
	});
	parentPort.postMessage({ type: "ready" });
`;

/** A model that runs Python once for every request, and then does what the question asks for. */
const engine: Engine = {
	async *answer({ messages }, signal, python) {
		const run = await python?.run("count += 1", signal);
		const result = run?.status === "done" ? run.result : null;
		yield { type: "message-start", role: "assistant" };
		yield { type: "text-delta", text: `${result && "text" in result ? result.text : "none"}.` };
		yield { type: "message-end" };
		const last = messages.at(-1);
		if (last?.role === "user" && last.content === "tool") {
			yield { type: "message-start", role: "assistant" };
			yield { type: "tool-call", id: "c1", name: "list_files", arguments: "{}" };
			yield { type: "message-end" };
		} else if (last?.role === "user" && last.content === "cut") {
			yield { type: "message-start", role: "assistant" };
			yield { type: "text-delta", text: "Half" };
			throw new HttpFailure(502, "cut_at_limit", "Cut at the model's limit.");
		}
	},
};

async function openChats() {
	const folder = await makeTempFolder();
	const { gate } = await createToolBench();
	const tools: ChatTools = {
		...chatToolsOf(gate),
		service: () => "local",
		mayContinue: async () => true,
	};
	const workerFile = pathToFileURL(await writeWorker(folder, countingWorker));
	const files = { runtime: "-", wasm: "-", stdlib: "-" };
	const { baseUrl } = await startTestService({
		engine,
		python: { workerFile, files },
	});
	const client = clientOf(baseUrl, { connect: { apiKey: testToken, hasDetails: true } });
	const store = new ChatStore({ folder: join(folder, "chats"), clock: systemClock });
	const options = { ...plainOptions, serverTools: ["code_interpreter" as const] };
	return () => {
		const session = new ChatSession({ client, store, clock: systemClock, log: silentLog, tools });
		onTestFinished(() => session.close());
		const texts = async (): Promise<string[] | undefined> => {
			await waitUntil(() => !session.isBusy);
			return session.turns
				.at(-1)
				?.messages.filter(({ role, text }) => role === "assistant" && text !== "")
				.map(({ text }) => text);
		};
		return {
			session,
			texts,
			ask: async (prompt: string) => {
				await session.send(prompt, options);
				return await texts();
			},
			again: async () => {
				await session.retry(session.turns[0]?.id ?? "");
				return await texts();
			},
		};
	};
}

test("Python's variables outlive a first question whose answer used a tool of the editor", async () => {
	const { ask } = (await openChats())();
	expect(await ask("tool")).toEqual(["1.", "2."]);
	expect(await ask("more")).toEqual(["3."]);
});

test("Python's variables outlive a first answer that was cut off and went on", async () => {
	const { ask, session, texts } = (await openChats())();
	expect(await ask("cut")).toEqual(["1.", "Half"]);
	await session.continueAnswer(session.turns[0]?.id ?? "");
	expect(await texts()).toEqual(["1.", "Half", "2."]);
	expect(await ask("more")).toEqual(["3."]);
});

test("another chat, and a first question that is asked again, begin with none", async () => {
	const open = await openChats();
	const first = open();
	expect([await first.ask("same"), await first.ask("more")]).toEqual([["1."], ["2."]]);
	expect(await open().ask("same")).toEqual(["1."]);
	const third = open();
	await third.ask("same");
	expect(await third.again()).toEqual(["1."]);
});
