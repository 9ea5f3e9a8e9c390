import * as z from "zod/mini";
import { type Clock, throwIfAborted } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { PullFailure, PullProgress } from "../../common/modelSetup.ts";
import { parseJson } from "../../common/json.ts";
import { lenient } from "../openai/plainText.ts";
import { post } from "../openai/streamCompletion.ts";
import { readRefusal, wordsIn, serverMessage } from "../openai/serverFailure.ts";
import { ollamaUrl } from "./ollamaDetails.ts";

export interface PullOptions {
	readonly server: { readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> };
	readonly model: string;
	readonly clock: Clock;
	/** Cancels the download. Ollama keeps the downloaded part and continues from there the next time. */
	readonly signal: AbortSignal;
	readonly onProgress: (progress: PullProgress) => void;
}

/** Ollama reports the start immediately. */
const startTimeoutMs = 30_000;
/** Verifying a large file takes minutes without an event. */
const silenceTimeoutMs = 10 * 60_000;
const progressMs = 200;
const maxLine = 64 * 1024;
/** The most files of a model to count. */
const maxFiles = 1000;

const lineSchema = z.looseObject({
	status: lenient(z.string()),
	digest: lenient(z.string()),
	total: lenient(z.number()),
	completed: lenient(z.number()),
	error: lenient(z.unknown()),
});

/** Downloads a model with Ollama. Resolves to the reason if that fails, and rejects with `AbortError` if aborted. */
export async function pullModel(options: PullOptions): Promise<PullFailure | undefined> {
	const { clock, signal } = options;
	const silence = new AbortController();
	let timer = clock.setTimer(startTimeoutMs, () => silence.abort());
	const heard = (): void => {
		timer.dispose();
		timer = clock.setTimer(silenceTimeoutMs, () => silence.abort());
	};
	try {
		return await pull(options, AbortSignal.any([signal, silence.signal]), heard);
	} catch (error) {
		throwIfAborted(signal);
		if (silence.signal.aborted) {
			return { reason: "silent", words: "" };
		}
		if (isAbortError(error)) {
			throw error;
		}
		return { reason: "lost", words: toError(error).message };
	} finally {
		timer.dispose();
	}
}

async function pull(
	{ server, model, clock, onProgress }: PullOptions,
	signal: AbortSignal,
	heard: () => void,
): Promise<PullFailure | undefined> {
	const response = await post(ollamaUrl(server.baseUrl, "/api/pull"), {
		headers: { ...server.headers, "Content-Type": "application/json" },
		body: JSON.stringify({ model, stream: true }),
		clock,
		signal,
	});
	if (!response.ok) {
		const { status, words } = await readRefusal(response);
		return failureFor(words, status);
	}
	const meter = new PullMeter(clock, onProgress);
	let isDone = false;
	for await (const text of linesOf(response)) {
		heard();
		const line = lineSchema.safeParse(parseJson(text)).data;
		if (!line) {
			return { reason: "refused", words: serverMessage(text) };
		}
		if (line.error !== undefined && line.error !== null) {
			return failureFor(wordsIn(line.error) ?? "");
		}
		isDone = line.status === "success";
		meter.take(line);
	}
	return isDone ? undefined : { reason: "lost", words: "" };
}

async function* linesOf(response: Response): AsyncGenerator<string, void, undefined> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const chunk of response.body ?? []) {
		const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		if (rest.length > maxLine) {
			lines.push(rest.slice(0, maxLine));
			rest = "";
		}
		yield* lines.filter(line => line.trim() !== "");
	}
	if (rest.trim() !== "") {
		yield rest;
	}
}

/** Sums up the progress of a model's files. Reports it a few times a second, and immediately when the stage changes. */
class PullMeter {
	private readonly clock: Clock;
	private readonly onProgress: PullOptions["onProgress"];
	private readonly files = new Map<string, Record<"total" | "completed", number>>();
	private told: { readonly stage: string; readonly at: number } | undefined;

	constructor(clock: Clock, onProgress: PullOptions["onProgress"]) {
		this.clock = clock;
		this.onProgress = onProgress;
	}

	take({ status, digest, total, completed }: z.infer<typeof lineSchema>): void {
		const isKnown = this.files.has(digest ?? "");
		if (digest && typeof total === "number" && (isKnown || this.files.size < maxFiles)) {
			this.files.set(digest, { total, completed: completed ?? 0 });
		}
		const stage = stageOf(status ?? "", this.files.size > 0);
		const now = this.clock.monotonic();
		if (this.told?.stage === stage && now - this.told.at < progressMs) {
			return;
		}
		this.told = { stage, at: now };
		const completedBytes = this.sum("completed");
		this.onProgress({ stage, completedBytes, totalBytes: this.sum("total") });
	}

	private sum(field: "total" | "completed"): number {
		return [...this.files.values()].reduce((bytes, file) => bytes + file[field], 0);
	}
}

function stageOf(status: string, hasFiles: boolean): PullProgress["stage"] {
	if (/^verifying/i.test(status)) {
		return "verifying";
	}
	if (/^(?:writing|removing|success)/i.test(status)) {
		return "writing";
	}
	return hasFiles ? "downloading" : "starting";
}

function failureFor(words: string, status?: number): PullFailure {
	if (/file does not exist|invalid model name|model .*not found/i.test(words)) {
		return { reason: "unknownModel", words };
	}
	if (/no space left|not enough space|disk full/i.test(words)) {
		return { reason: "noSpace", words };
	}
	if (/newer version of ollama/i.test(words)) {
		return { reason: "tooOld", words };
	}
	return {
		reason: "refused",
		words: [...(status === undefined ? [] : [String(status)]), words].join(" ").trim(),
	};
}
