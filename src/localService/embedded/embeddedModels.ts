import { isAbsolute } from "node:path";
import * as z from "zod/mini";
import { type Clock, untilAborted } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import type { Log } from "../../common/log.ts";
import {
	availableMemory,
	embeddedServerName,
	type ServerListing,
} from "../../common/modelSetup.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import { callsInWords, type CompletionBody, type WireMessage } from "../openai/wireRequest.ts";
import { messagesWithin } from "../openai/turnTaking.ts";
import type { ModelPart } from "../openai/completionReader.ts";
import { tooLong } from "../openai/contextOverflow.ts";
import { ThoughtFilter } from "../openai/thoughts.ts";
import { CompletionCallCollector } from "../openai/completionCalls.ts";
import type { ChildEnd, ChildFailureReason, ChildQuestion } from "./childMessages.ts";
import { contextThatFits, readGguf } from "./gguf.ts";
import { listModelFiles, modelPath } from "./modelFolder.ts";
import { toolSchema } from "../openai/writtenCalls.ts";
import {
	ModelProcess,
	type ProcessFiles,
	type ProcessReply,
	whyNotRunnable,
} from "./modelProcess.ts";

/** How a process ends at an instruction that the processor lacks, on Unix and Windows. */
const unknownInstruction = /^(?:SIGILL|code 3221225501)$/;
const toolsContext = 2_048;
/** How long a model stays in memory after its last answer, in milliseconds. */
const idleMs = 5 * 60_000;

export interface EmbeddedOptions extends ProcessFiles {
	readonly modelsFolder: string;
	/** Returns the longest context in tokens; 0 chooses by the machine's memory. */
	readonly contextLength: () => number;
	readonly clock: Clock;
	readonly log: Log;
}

/** Runs models with llama.cpp on this machine, in a separate process with one model at a time. */
export class EmbeddedModels implements IDisposable {
	private readonly options: EmbeddedOptions;
	private process: ModelProcess | undefined;
	private idle: IDisposable | undefined;
	/** Resolves when the last requested answer has ended. */
	private turn: Promise<void> = Promise.resolve();
	private lastId = 0;

	/** Starts nothing before the first request. */
	constructor(options: EmbeddedOptions) {
		this.options = options;
	}

	/** Id of the process with a loaded model, if any. */
	get pid(): number | undefined {
		return this.process?.isOver === false ? this.process.pid : undefined;
	}

	/** Resolves to the reason if llama.cpp doesn't run on this machine: another C library, for example. Starts a process for a moment. */
	async whyNotRunnable(): Promise<string | undefined> {
		return await whyNotRunnable(this.options);
	}

	/** Lists the models whose files exist. */
	async list(): Promise<ServerListing> {
		const models = await listModelFiles(this.options.modelsFolder);
		return { server: embeddedServerName, models };
	}

	/** Returns the context in tokens for selecting a model's tools. At most 2,048, because every tool's description must be processed. */
	async contextOf(model: string): Promise<number> {
		const { modelsFolder, contextLength } = this.options;
		const file = await modelPath(modelsFolder, model);
		const header = file === undefined ? undefined : await readGguf(file).catch(() => undefined);
		const fitting = header && contextThatFits(header, contextLength(), availableMemory());
		return Math.min(toolsContext, fitting ?? toolsContext);
	}

	/** Sends a request to a model, after all earlier ones. Throws `HttpFailure` with a message for the user, and `AbortError` if the signal aborts. */
	async *ask(body: CompletionBody, signal: AbortSignal): AsyncGenerator<ModelPart> {
		const question = await this.questionOf(body);
		const { promise, resolve } = Promise.withResolvers<void>();
		const before = this.turn;
		this.turn = before.then(() => promise);
		try {
			await untilAborted(before, signal);
			this.idle?.dispose();
			yield* this.answer(question, signal);
		} finally {
			resolve();
			this.idle?.dispose();
			this.idle = this.options.clock.setTimer(idleMs, () => this.endProcess());
		}
	}

	dispose(): void {
		this.idle?.dispose();
		this.endProcess();
	}

	private async *answer(question: ChildQuestion, signal: AbortSignal): AsyncGenerator<ModelPart> {
		let filter = new ThoughtFilter();
		let told = "";
		let isEmpty = true;
		for await (const reply of this.processFor(question.file).ask(question, signal)) {
			switch (reply.type) {
				case "progress": {
					const { stage, share } = { ...reply, share: Math.floor(reply.share * 100) / 100 };
					if (told !== `${stage} ${share}`) {
						told = `${stage} ${share}`;
						yield { type: "progress", stage, share };
					}
					break;
				}
				case "started":
					filter = new ThoughtFilter(reply.isInThought);
					yield { type: "context", tokens: reply.contextLength };
					break;
				case "text":
					for (const piece of filter.push(reply.text)) {
						isEmpty &&= piece.type !== "text";
						yield piece;
					}
					break;
				case "end": {
					const { input, kept, output, calls, isCut } = reply;
					this.options.log.debug("A model on this machine answered", { input, kept, output });
					const rest = filter.end(isCut);
					yield* rest;
					isEmpty &&= rest.length === 0 && calls.length === 0;
					if (isEmpty && !isCut) {
						throw new HttpFailure(502, "empty_answer", "The model's answer is empty.");
					}
					yield endOf(reply);
					return;
				}
				default:
					throw this.failureOf(reply);
			}
		}
	}

	private failureOf(
		reply: Exclude<ProcessReply, { type: "progress" | "started" | "text" | "end" }>,
	): HttpFailure {
		const { log } = this.options;
		if (reply.type === "failed") {
			log.warn("A model on this machine did not answer", {
				reason: reply.reason,
				words: reply.words,
			});
			if (reply.reason !== "tooLong") {
				this.endProcess();
			}
			return failureFor(reply.reason, reply.words);
		}
		log.warn(
			"The process of a model ended or hangs",
			reply.type === "gone" ? { how: reply.how } : {},
		);
		this.endProcess();
		if (reply.type === "gone" && unknownInstruction.test(reply.how)) {
			return failureFor("noBuild", reply.how);
		}
		return reply.type === "hangs"
			? new HttpFailure(
					502,
					"model_hangs",
					"The model on this machine makes no progress, so it was ended. Try again; if that happens again, choose a smaller model.",
				)
			: new HttpFailure(
					502,
					"model_ended",
					"The process that runs the model ended, which happens where memory runs out. Try again; if that happens again, close other programs or choose a smaller model.",
				);
	}

	private async questionOf(body: CompletionBody): Promise<ChildQuestion> {
		if (body.messages.some(({ content }) => holdsImage(content))) {
			throw refusal("this model does not support images");
		}
		const { modelsFolder, contextLength } = this.options;
		const file = await modelPath(modelsFolder, body.model);
		if (file === undefined || !isAbsolute(file)) {
			throw failureFor("missing", "");
		}
		const offered = z.array(z.unknown()).safeParse(body["tools"]).data ?? [];
		const tools = offered.flatMap(tool => toolSchema.safeParse(tool).data ?? []);
		const hasTools = tools.length > 0;
		const given = hasTools ? body.messages : (callsInWords(body.messages) ?? body.messages);
		// Mistral's templates refuse other ids, which a chat that another model began has.
		const messages = messagesWithin(given, new Set(["ids"]));
		const { tool_choice: choice = "auto" } = body;
		this.lastId += 1;
		const { max_tokens: maxTokens, temperature, top_p: topP } = body;
		return {
			type: "ask",
			id: this.lastId,
			file,
			contextLength: contextLength(),
			messages: messages.map(({ role, content, tool_calls: calls, tool_call_id: callId }) => ({
				role,
				content: contentText(content),
				...(calls === undefined ? {} : { tool_calls: calls }),
				...(callId === undefined ? {} : { tool_call_id: callId }),
			})),
			...(typeof maxTokens === "number" ? { maxTokens } : {}),
			...(typeof temperature === "number" ? { temperature } : {}),
			...(typeof topP === "number" ? { topP } : {}),
			...(hasTools
				? {
						tools,
						mustCall: choice !== "auto",
					}
				: {}),
		};
	}

	private processFor(file: string): ModelProcess {
		if (!this.process || this.process.isOver || this.process.file !== file) {
			this.endProcess();
			this.process = new ModelProcess(this.options, file, this.options.clock);
		}
		return this.process;
	}

	private endProcess(): void {
		this.process?.dispose();
		this.process = undefined;
	}
}

function holdsImage(content: WireMessage[string]): boolean {
	return Array.isArray(content) && JSON.stringify(content).includes("image_url");
}

function contentText(content: unknown): string {
	if (typeof content === "string") {
		return content;
	}
	const parts: unknown[] = Array.isArray(content) ? content : [];
	return parts
		.map(part =>
			typeof part === "object" && part !== null && "text" in part ? String(part.text) : "",
		)
		.join("");
}

function endOf({ calls, isCut, input, output, perSecond }: ChildEnd): ModelPart {
	const collector = new CompletionCallCollector();
	collector.push(calls.map(call => ({ function: call })));
	const usage = { input, output, perSecond };
	return { type: "end", calls: collector.calls(), isCut, thoughts: {}, usage };
}

/** Creates the failure for an unsupported part of a request, which is then repeated without that part. */
function refusal(words: string): HttpFailure {
	const failure = new HttpFailure(400, "not_supported", words);
	failure.cause = { status: 400, words, body: "" };
	return failure;
}

const sentences: Readonly<Record<Exclude<ChildFailureReason, "tooLong">, string>> = {
	missing: "The model's file is not there any more. Get the model again, or choose another.",
	unreadable:
		"The model's file cannot be read. Check that the file is yours to read, or choose another model.",
	empty: "The model's file is empty. Delete it and get the model again.",
	notGguf: "The model's file is not a model in GGUF, the format of llama.cpp. Choose another file.",
	truncated: "The model's file is not whole. Delete it and get the model again.",
	damaged:
		"The model's file is damaged. Delete it and get the model again, or choose another file.",
	noBuild:
		"llama.cpp does not run on this machine. Use Ollama, a key or one of VS Code's models instead.",
	notLoaded:
		"llama.cpp could not load this model. It may be of a kind it does not know, or need more memory than is free.",
	noTemplate:
		"This model was not made for chats: its file holds no chat template that works. Choose another model.",
	noMemory:
		"There is not enough free memory for this model. Close other programs or choose a smaller model.",
	failed: "The model on this machine failed. Try again.",
};

function failureFor(reason: ChildFailureReason, words: string): HttpFailure {
	if (reason === "tooLong") {
		return tooLong();
	}
	const shown =
		words !== "" && ["noBuild", "notLoaded", "failed"].includes(reason)
			? ` (${words.slice(0, 200)})`
			: "";
	return new HttpFailure(
		reason === "failed" ? 502 : 424,
		"model_not_usable",
		sentences[reason] + shown,
	);
}
