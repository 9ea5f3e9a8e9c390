/**
 * Entry point of the process that runs a model for the local service: one model file, one request at a time. It opens no connections, has no keys,
 * and ends with its parent process. With `check` after the folder of llama.cpp it only loads that, and writes the reason to stderr if it can't.
 */
import { every, systemClock } from "../../common/async.ts";
import { type ChildQuestion, type FromChild, toChildSchema } from "./childMessages.ts";
import { loadAddon } from "./llamaAddon.ts";
import { LoadedModel, ModelError, threads } from "./loadedModel.ts";
import { readCalls } from "../openai/writtenCalls.ts";
import { CallFinder } from "./toolFormat.ts";

const [, , folder = "", task] = process.argv;
const waiting: ChildQuestion[] = [];
const stopped = new Set<number>();
/** Interval of `busy` messages, in milliseconds. */
const busyMs = 5_000;
let isBusy = false;
let loaded: { readonly key: string; readonly model: LoadedModel } | undefined;

function send(message: FromChild): void {
	process.send?.(message);
}

/** Returns the average CPU time per thread in milliseconds. llama.cpp's threads are busy at the same time. */
function computedMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000 / threads;
}

/** Returns the loaded model. To use another file or context, the parent ends the process, which frees all memory. */
async function modelFor(question: ChildQuestion): Promise<LoadedModel> {
	const { id, file, contextLength } = question;
	const key = `${contextLength} ${file}`;
	if (loaded?.key !== key) {
		send({ type: "progress", id, stage: "loading", share: 0 });
		const model = await LoadedModel.load(folder, question, share =>
			send({ type: "progress", id, stage: "loading", share }),
		);
		loaded = { key, model };
	}
	return loaded.model;
}

async function answer(question: ChildQuestion): Promise<void> {
	const { id, tools = [], mustCall = false, temperature = 0.7, topP = 0.9 } = question;
	const isStopped = (): boolean => stopped.has(id);
	const model = await modelFor(question);
	const { tokens, stable, isInThought, form } = model.promptOf(question.messages, tools);
	const { contextLength } = model;
	const conversation = model.conversationFor(tokens);
	const kept = await conversation.read(tokens, stable, isStopped, share =>
		send({ type: "progress", id, stage: "reading", share }),
	);
	send({ type: "started", id, contextLength, isInThought });
	const limit = Math.min(question.maxTokens ?? Infinity, contextLength - tokens.length);
	const calls = tools.length > 0 ? new CallFinder(tools, form, isInThought, mustCall) : undefined;
	const sampling = { temperature, topP, calls };
	const pieces = conversation.write(sampling, limit, isStopped);
	const began = systemClock.monotonic();
	for (;;) {
		const next = await pieces.next();
		if (next.done !== true) {
			// Empty text shows that the model makes progress.
			send({ type: "text", id, text: next.value });
			continue;
		}
		const { output, isCut } = next.value;
		const written = readCalls(next.value.calls, tools, isCut, true);
		send({ type: "text", id, text: written.text });
		const seconds = Math.max(0.001, (systemClock.monotonic() - began) / 1000);
		send({
			type: "end",
			id,
			isCut,
			input: tokens.length,
			kept,
			output,
			perSecond: output / seconds,
			calls: written.calls,
		});
		return;
	}
}

async function answerAll(): Promise<void> {
	isBusy = true;
	for (let question = waiting.shift(); question; question = waiting.shift()) {
		const { id } = question;
		const telling = every(
			busyMs,
			() => send({ type: "busy", id, computedMs: computedMs() }),
			systemClock,
		);
		try {
			await answer(question);
		} catch (error) {
			const reason = error instanceof ModelError ? error.reason : "failed";
			send({ type: "failed", id, reason, words: error instanceof Error ? error.message : "" });
		}
		telling.dispose();
		stopped.delete(id);
	}
	isBusy = false;
}

process.on("message", (received: unknown) => {
	const message = toChildSchema.parse(received);
	if (message.type === "stop") {
		stopped.add(message.id);
		return;
	}
	waiting.push(message);
	if (!isBusy) {
		void answerAll();
	}
});
process.on("disconnect", () => process.exit(0));
if (task === "check") {
	loadAddon(folder).then(
		() => process.exit(0),
		(error: unknown) => {
			process.stderr.write(error instanceof Error ? error.message : String(error));
			process.exitCode = 1;
		},
	);
}
