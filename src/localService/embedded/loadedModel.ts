import { availableParallelism } from "node:os";
import { availableMemory } from "../../common/modelSetup.ts";
import type { OfferedTool } from "../openai/writtenCalls.ts";
import type { CallForm } from "./callGrammar.ts";
import type { ChildFailureReason, ChildQuestion } from "./childMessages.ts";
import { contextThatFits, conversationsThatFit, GgufError, readGguf } from "./gguf.ts";
import { ModelConversation } from "./modelConversation.ts";
import { type LlamaAddon, type LlamaModel, loadAddon } from "./llamaAddon.ts";
import { canName, formIn, withParsedCalls, withTools } from "./toolFormat.ts";

/** A request failed. */
export class ModelError extends Error {
	override readonly name = "ModelError";
	readonly reason: ChildFailureReason;

	constructor(reason: ChildFailureReason, words = "") {
		super(words);
		this.reason = reason;
	}
}

type TemplateValues = Readonly<Record<string, unknown>>;

let loading: ReturnType<typeof loadAddon> | undefined;

/** The number of compute threads. */
export const threads = Math.max(1, availableParallelism() - 1);

export class LoadedModel {
	readonly contextLength: number;
	/** Least recently used first. */
	private readonly conversations: ModelConversation[];
	private readonly model: LlamaModel;
	private readonly render: (values: TemplateValues) => string;
	/** The form of calls in the model's template, if it is one of ours. */
	private readonly form: CallForm | undefined;

	/** Loads a model file with the llama.cpp addon in a folder. `onProgress` receives the share loaded. Rejects with `ModelError`. */
	static async load(
		folder: string,
		{ file, contextLength }: ChildQuestion,
		onProgress: (share: number) => void,
	): Promise<LoadedModel> {
		const header = await readGguf(file).catch((error: unknown) => {
			throw new ModelError(
				error instanceof GgufError ? error.fault : "unreadable",
				errorMessage(error),
			);
		});
		if (header.chatTemplate === "") {
			throw new ModelError("noTemplate");
		}
		loading ??= loadAddon(folder);
		const { addon, lastWords } = await loading.catch((error: unknown) => {
			loading = undefined;
			throw new ModelError("noBuild", errorMessage(error));
		});
		const model = new addon.AddonModel(file, {
			addonExports: addon,
			// A build for Apple's GPUs computes all layers there.
			gpuLayers: addon.getGpuType() ? 999 : 0,
			// Memory-mapped weights would be read from disk during an answer when memory is low.
			useMmap: false,
			onLoadProgress: onProgress,
		});
		if (!(await model.init().catch(() => false))) {
			throw new ModelError("notLoaded", lastWords());
		}
		const freeBytes = availableMemory();
		const length = contextThatFits(header, contextLength, freeBytes);
		const count = conversationsThatFit(header, length, freeBytes);
		const context = new addon.AddonContext(model, {
			contextSize: length * count,
			batchSize: 128,
			sequences: count,
			threads,
		});
		if (!(await context.init().catch(() => false))) {
			await model.dispose();
			throw new ModelError("noMemory", lastWords());
		}
		const template = templateOf(addon, header.chatTemplate);
		const { architecture } = header;
		const hasState =
			addon.getIsArchRecurrent(architecture) === true ||
			addon.getIsArchHybrid(architecture) === true;
		const conversations = Array.from(
			{ length: count },
			(_, sequence) => new ModelConversation(addon, model, context, sequence, hasState),
		);
		const form = formIn(header.chatTemplate);
		const perConversation = context.getContextSize() / count;
		return new LoadedModel(model, template, form, conversations, perConversation);
	}

	private constructor(
		model: LlamaModel,
		render: LoadedModel["render"],
		form: CallForm | undefined,
		conversations: ModelConversation[],
		contextLength: number,
	) {
		this.model = model;
		this.render = render;
		this.form = form;
		this.conversations = conversations;
		this.contextLength = contextLength;
	}

	/** Returns the conversation in which a prompt costs least: tokens to process plus cached tokens to discard. */
	conversationFor(tokens: readonly number[]): ModelConversation {
		const costs = this.conversations.map(conversation => conversation.costOf(tokens));
		const [chosen] = this.conversations.splice(costs.indexOf(Math.min(...costs)), 1);
		if (!chosen) {
			throw new ModelError("failed");
		}
		this.conversations.push(chosen);
		return chosen;
	}

	/**
	 * Formats messages and tools with the model's template and returns the tokens, how many of them precede the start of the answer, and the form of
	 * calls that the model was told. Throws `ModelError`.
	 */
	promptOf(
		messages: ChildQuestion["messages"],
		tools: readonly OfferedTool[],
	): {
		readonly tokens: readonly number[];
		readonly stable: number;
		readonly isInThought: boolean;
		readonly form: CallForm;
	} {
		const { form, ...values } = this.valuesOf(messages, tools);
		const whole = this.renderedPrompt(values, true);
		const before = this.renderedPrompt(values, false);
		const tokens = this.tokensOf(whole);
		const stable = whole.startsWith(before) ? this.tokensOf(before).length : tokens.length;
		if (tokens.length >= this.contextLength) {
			throw new ModelError("tooLong");
		}
		return { tokens, stable, isInThought: /<think>\s*$/.test(whole), form };
	}

	/** Passes the tools to a template that describes them all to the model; otherwise adds them to the messages. */
	private valuesOf(
		messages: ChildQuestion["messages"],
		tools: readonly OfferedTool[],
	): TemplateValues & { readonly form: CallForm } {
		if (tools.length === 0) {
			return { messages, form: "json" };
		}
		const { form } = this;
		const values = { messages: withParsedCalls(messages), tools };
		if (form && tools.every(tool => canName(tool, form)) && this.describes(values, tools)) {
			return { ...values, form };
		}
		return { messages: withTools(messages, tools), form: "json" };
	}

	private describes(values: TemplateValues, tools: readonly OfferedTool[]): boolean {
		try {
			const text = this.renderedPrompt(values, true);
			return tools.every(tool => text.includes(tool.function.name));
		} catch {
			return false;
		}
	}

	private renderedPrompt(values: TemplateValues, isAnswered: boolean): string {
		const { model } = this;
		try {
			return this.render({
				...values,
				add_generation_prompt: isAnswered,
				bos_token: model.getTokenString(model.tokenBos()),
				eos_token: model.getTokenString(model.tokenEos()),
			});
		} catch (error) {
			throw new ModelError("noTemplate", errorMessage(error) || "the template failed");
		}
	}

	private tokensOf(text: string): number[] {
		const { model } = this;
		const tokens = [...model.tokenize(text, true)];
		const bos = model.tokenBos();
		return model.shouldPrependBosToken() && tokens[0] !== bos ? [bos, ...tokens] : tokens;
	}
}

function templateOf(addon: LlamaAddon, template: string): LoadedModel["render"] {
	try {
		const renderer = new addon.AddonJinjaRenderer(template);
		return values => renderer.render(values);
	} catch (error) {
		throw new ModelError("noTemplate", errorMessage(error));
	}
}

function errorMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
