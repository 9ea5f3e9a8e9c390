import { systemClock } from "../../common/async.ts";
import type { LlamaAddon, LlamaCheckpoint, LlamaMemory, LlamaModel } from "./llamaAddon.ts";
import { type CallFinder, callMarks, thoughtMarks } from "./toolFormat.ts";

/** The most tokens of a prompt to process at once. Reading can be stopped between batches. */
const maxBatch = 128;
/** The fewest. Smaller batches take almost twice the time for each token. Written tokens are always processed one by one. */
const minBatch = 64;
/** The duration of a batch to aim at, in milliseconds. On a slow processor the fewest tokens take longer. */
const batchMs = 200;
/** The most tokens whose text may be an incomplete character; no character has more bytes. */
const maxHeld = 4;
/** The number of preceding tokens to decode a new one with, because some vocabularies drop a leading space. */
const textWindow = 4;

/** Options for selecting the next token. */
export interface Sampling {
	readonly temperature: number;
	readonly topP: number;
	/** Finds the start of a call; undefined without tools. */
	readonly calls?: CallFinder | undefined;
}

interface WrittenAnswer {
	/** The number of tokens written. */
	readonly output: number;
	readonly isCut: boolean;
	readonly calls: string;
}

/** A conversation with a model. Caches processed tokens, so that the next prompt's common prefix needn't be processed again. */
export class ModelConversation {
	private readonly addon: LlamaAddon;
	private readonly model: LlamaModel;
	private readonly context: LlamaMemory;
	private readonly sequence: number;
	private readonly hasState: boolean;
	/** Texts of tokens that the vocabulary may hide: without tools, those of thinking, and with tools also those of calls. */
	private readonly marks: Readonly<Record<"plain" | "calling", ReadonlyMap<number, string>>>;
	private tokens: number[] = [];
	/** The length of the last prompt's prefix that the next one of the same chat will share. */
	private stable = 0;
	private saved: { readonly length: number; readonly checkpoint: LlamaCheckpoint } | undefined;
	private batch = maxBatch;
	/** Position at which the next token is selected. */
	private place = 0;

	/**
	 * Starts a conversation in a sequence of the context. A model that `hasState` stores a state instead of every token, and can't remove the last
	 * ones.
	 */
	constructor(
		addon: LlamaAddon,
		model: LlamaModel,
		context: LlamaMemory,
		sequence: number,
		hasState: boolean,
	) {
		this.addon = addon;
		this.model = model;
		this.context = context;
		this.sequence = sequence;
		this.hasState = hasState;
		const tokensOf = (marks: readonly string[]): ReadonlyMap<number, string> =>
			new Map(
				marks.flatMap(mark => {
					const [token, ...others] = model.tokenize(mark, true);
					return token === undefined || others.length > 0 ? [] : [[token, mark] as const];
				}),
			);
		const plain = tokensOf(thoughtMarks);
		this.marks = { plain, calling: new Map([...plain, ...tokensOf(callMarks)]) };
	}

	/** Returns the number of tokens to process for a prompt plus those to discard that another chat could continue from. */
	costOf(prompt: readonly number[]): number {
		const shared = sharedLength(this.tokens, prompt);
		const isRemovable = !this.hasState || shared === this.tokens.length;
		const saved = this.saved?.length ?? 0;
		const kept = isRemovable ? shared : saved <= shared ? saved : 0;
		// The same chat continues, without the thinking in its last answer.
		const isSameChat = shared >= this.stable;
		return prompt.length - kept + (isSameChat ? 0 : this.tokens.length - kept);
	}

	/**
	 * Processes a prompt and returns how many of its tokens were cached. `stable` is the length of the prefix that the next prompt will share. Stops
	 * early if `isStopped`.
	 */
	async read(
		prompt: readonly number[],
		stable: number,
		isStopped: () => boolean,
		onProgress: (share: number) => void,
	): Promise<number> {
		this.stable = stable;
		const kept = await this.forget(Math.min(sharedLength(this.tokens, prompt), prompt.length - 1));
		while (this.tokens.length < prompt.length && !isStopped()) {
			const at = this.tokens.length;
			const stop = at < stable ? stable : prompt.length;
			await this.append(prompt.slice(at, Math.min(at + this.batch, stop)));
			if (this.hasState && this.tokens.length === stable) {
				await this.save();
			}
			onProgress((this.tokens.length - kept) / (prompt.length - kept));
		}
		return kept;
	}

	/**
	 * Yields the text of the answer, until the model ends it, `limit` tokens are written or `isStopped`. Returns the calls at its end, from the start
	 * of the first; while they are written, and while a text may become one, yields empty text.
	 */
	async *write(
		{ calls: given, ...sampling }: Sampling,
		limit: number,
		isStopped: () => boolean,
	): AsyncGenerator<string, WrittenAnswer, undefined> {
		const sampler = new this.addon.AddonSampler(this.model);
		const config = {
			seed: Math.floor(Math.random() * 2 ** 32),
			...sampling,
			topK: 40,
			minP: 0.05,
		};
		sampler.applyConfig(config);
		const answer = new GeneratedText(given, this.tokens.length);
		let held: number[] = [];
		let output = 0;
		/** Applies the grammar once a call starts. Whether the last tokens, with those not yet processed, were replaced. */
		const startCall = async (pending: readonly number[]): Promise<boolean> => {
			const started = answer.startCall();
			const state = started && this.stateOf(started.grammars);
			if (state) {
				sampler.applyConfig({ ...config, grammarEvaluationState: state });
			}
			if (started?.rewritten === undefined) {
				return false;
			}
			const { after, text } = started.rewritten;
			const replaced = [...this.model.tokenize(text, true)];
			output += replaced.length;
			const kept = [...this.tokens, ...pending].slice(0, after);
			await this.read([...kept, ...replaced], this.stable, isStopped, () => {});
			return true;
		};
		try {
			await startCall([]);
			for (; output < limit && !isStopped(); output += 1) {
				const token = await this.context.sampleToken(this.place, sampler);
				if (token < 0 || this.model.isEogToken(token)) {
					yield answer.rest();
					return { output, isCut: false, calls: answer.calls };
				}
				const shown = this.tokens.length - held.length;
				held.push(token);
				const before = this.tokens.slice(Math.max(0, shown - textWindow), shown);
				const text =
					this.marks[given ? "calling" : "plain"].get(token) ?? this.tokensText(before, held);
				let isReplaced = false;
				if (!text.endsWith("\uFFFD") || held.length >= maxHeld) {
					held = [];
					answer.add(text, this.tokens.length + 1);
					isReplaced = await startCall([token]);
					yield answer.certain();
				}
				if (!isReplaced && output + 1 < limit) {
					await this.append([token]);
				}
			}
			yield answer.rest();
			return { output, isCut: true, calls: answer.calls };
		} finally {
			sampler.dispose();
		}
	}

	/** Returns the start of the first grammar that llama.cpp can read, if any. */
	private stateOf(grammars: readonly string[]): object | undefined {
		const { addon, model } = this;
		for (const grammar of grammars) {
			try {
				const parsed = new addon.AddonGrammar(grammar, { addonExports: addon });
				return new addon.AddonGrammarEvaluationState(model, parsed);
			} catch {
				// A call is checked when it is read, so a looser grammar does.
			}
		}
		return undefined;
	}

	private tokensText(before: readonly number[], tokens: readonly number[]): string {
		const whole = this.model.detokenize(Uint32Array.from([...before, ...tokens]), false);
		return whole.slice(this.model.detokenize(Uint32Array.from(before), false).length);
	}

	/** Processes tokens, and adjusts the batch size to the measured time. */
	private async append(tokens: readonly number[]): Promise<void> {
		const started = systemClock.monotonic();
		this.context.initBatch(tokens.length);
		const wanted = Uint32Array.of(tokens.length - 1);
		const places = this.context.addToBatch(
			this.sequence,
			this.tokens.length,
			Uint32Array.from(tokens),
			wanted,
		);
		await this.context.decodeBatch();
		this.place = places[0] ?? 0;
		this.tokens.push(...tokens);
		if (tokens.length >= this.batch) {
			const ms = systemClock.monotonic() - started;
			const next = ms > batchMs ? this.batch / 2 : ms < batchMs / 4 ? this.batch * 2 : this.batch;
			this.batch = Math.min(maxBatch, Math.max(minBatch, next));
		}
	}

	/** Discards all tokens after the first `length`, or more if the model can't. Returns the number of tokens left. */
	private async forget(length: number): Promise<number> {
		if (length < this.tokens.length) {
			const isCut = this.context.removeTokenCellsFromSequence(this.sequence, length, -1);
			if (!isCut) {
				this.tokens.length = await this.restore(length);
				return this.tokens.length;
			}
		}
		this.tokens.length = length;
		if (this.saved && this.saved.length > length) {
			this.drop();
		}
		return length;
	}

	/** Restores the saved state, or starts over. */
	private async restore(length: number): Promise<number> {
		const { context, saved } = this;
		if (saved && saved.length <= length) {
			if (await context.restoreCheckpoint(saved.checkpoint, saved.length - 1, this.sequence)) {
				return saved.length;
			}
		}
		this.drop();
		context.disposeSequence(this.sequence);
		return 0;
	}

	private async save(): Promise<void> {
		this.drop();
		const checkpoint = new this.addon.AddonContextSequenceCheckpoint();
		await checkpoint.init(this.context, this.sequence);
		this.saved = { length: this.tokens.length, checkpoint };
	}

	private drop(): void {
		this.saved?.checkpoint.dispose();
		this.saved = undefined;
	}
}

/** The text of an answer, with the number of tokens at its ends. */
class GeneratedText {
	private finder: CallFinder | undefined;
	private text = "";
	private lastToken = "";
	private sent = 0;
	private callsFrom: number | undefined;
	private readonly ends: { readonly text: number; readonly tokens: number }[];

	constructor(finder: CallFinder | undefined, tokens: number) {
		this.finder = finder;
		this.ends = [{ text: 0, tokens }];
	}

	/** Calls from the start of the first to the end. */
	get calls(): string {
		return this.callsFrom === undefined ? "" : this.text.slice(this.callsFrom);
	}

	add(text: string, tokens: number): void {
		this.text += text;
		this.lastToken = text;
		this.ends.push({ text: this.text.length, tokens });
	}

	/** Returns the new text that certainly isn't the start of a call. */
	certain(): string {
		return this.upTo(this.finder?.certainIn(this.text) ?? this.text.length);
	}

	rest(): string {
		return this.upTo(this.text.length);
	}

	/**
	 * Returns the grammars of a call, once at its start, and which text must replace the tokens after the first `after` because the model wrote
	 * the start in another way.
	 */
	startCall():
		| {
				readonly grammars: readonly string[];
				readonly rewritten: { readonly after: number; readonly text: string } | undefined;
		  }
		| undefined {
		const { finder } = this;
		const start = finder?.startIn(this.text, this.lastToken);
		if (!finder || !start) {
			return undefined;
		}
		this.finder = undefined;
		const { answer, from, isRewritten } = start;
		this.text = answer;
		this.callsFrom = from;
		const end = isRewritten ? this.ends.findLast(({ text }) => text <= from) : undefined;
		const rewritten = end && { after: end.tokens, text: answer.slice(end.text) };
		return { grammars: finder.grammars, rewritten };
	}

	/** Returns the text up to a length that wasn't returned before. White space alone before a call is dropped. */
	private upTo(length: number): string {
		const text = this.text.slice(this.sent, Math.min(length, this.callsFrom ?? length));
		this.sent = Math.max(this.sent, this.callsFrom ?? length);
		return this.callsFrom !== undefined && text.trim() === "" ? "" : text;
	}
}

function sharedLength(one: readonly number[], other: readonly number[]): number {
	const end = Math.min(one.length, other.length);
	let length = 0;
	while (length < end && one[length] === other[length]) {
		length += 1;
	}
	return length;
}
