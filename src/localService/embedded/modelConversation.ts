import { systemClock } from "../../common/async.ts";
import type { LlamaAddon, LlamaCheckpoint, LlamaMemory, LlamaModel } from "./llamaAddon.ts";
import { beginsCall } from "./toolFormat.ts";

/** Tokens that are read at once, at most: between two batches an answer can be stopped. */
const maxBatch = 128;
const minBatch = 16;
/** The longest that a batch should take, in milliseconds. */
const batchMs = 200;
/** Tokens whose text may be the beginning of a character; no character has more bytes. */
const maxHeld = 4;
/** Tokens before a new one that its text is read with: some vocabularies drop a blank at the beginning. */
const textWindow = 4;

/** How the next token is chosen. */
export interface Sampling {
	readonly temperature: number;
	readonly topP: number;
	/** What follows the beginning of a call; undefined where there are no tools. */
	readonly grammar?: string | undefined;
	/** Whether the answer begins inside a thought. */
	readonly isInThought?: boolean;
}

/** A conversation with a model. What it has read is kept, so that the next question's beginning need not be read again. */
export class ModelConversation {
	private readonly addon: LlamaAddon;
	private readonly model: LlamaModel;
	private readonly context: LlamaMemory;
	private readonly sequence: number;
	private readonly hasState: boolean;
	/** The tokens in memory. */
	private tokens: number[] = [];
	private saved: { readonly length: number; readonly checkpoint: LlamaCheckpoint } | undefined;
	private batch = maxBatch;
	/** Where the next token is chosen. */
	private place = 0;

	/** Begins a conversation in one of the memory's sequences; a model that `hasState` keeps one in place of a memory of every token, and cannot drop its last ones. */
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
	}

	/** How many tokens are read for a prompt, and how many are forgotten for it. */
	costOf(prompt: readonly number[]): number {
		return prompt.length + this.tokens.length - 2 * sharedLength(this.tokens, prompt);
	}

	/**
	 * Reads a prompt, and gives how many of its tokens were in memory already. `stable` is the length of its beginning that the next
	 * question will begin with as well. Reads no further when `isStopped`.
	 */
	async read(
		prompt: readonly number[],
		stable: number,
		isStopped: () => boolean,
		onProgress: (share: number) => void,
	): Promise<number> {
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

	/** Text of an answer to what was read, piece by piece, until the model ends it, `limit` tokens are written or `isStopped`. */
	async *write(
		{ grammar: given, isInThought = false, ...sampling }: Sampling,
		limit: number,
		isStopped: () => boolean,
	): AsyncGenerator<string, { readonly output: number; readonly isCut: boolean }, undefined> {
		const sampler = new this.addon.AddonSampler(this.model);
		const config = {
			...{ ...sampling, topK: 40, minP: 0.05 },
			seed: Math.floor(Math.random() * 2 ** 32),
		};
		sampler.applyConfig(config);
		let grammar = given;
		let written = "";
		let held: number[] = [];
		let output = 0;
		try {
			for (; output < limit && !isStopped(); output += 1) {
				const token = await this.context.sampleToken(this.place, sampler);
				if (token < 0 || this.model.isEogToken(token)) {
					return { output, isCut: false };
				}
				const shown = this.tokens.length - held.length;
				held.push(token);
				const text = this.textOf(this.tokens.slice(Math.max(0, shown - textWindow), shown), held);
				const isWhole = !text.endsWith("\uFFFD") || held.length >= maxHeld;
				if (isWhole) {
					held = [];
					written += text;
					yield text;
				}
				if (isWhole && grammar !== undefined && beginsCall(written, isInThought)) {
					sampler.applyConfig({ ...config, grammarEvaluationState: this.stateOf(grammar) });
					grammar = undefined;
				}
				if (output + 1 < limit) {
					await this.append([token]);
				}
			}
			return { output, isCut: true };
		} finally {
			sampler.dispose();
		}
	}

	private stateOf(grammar: string): object {
		const { addon, model } = this;
		const parsed = new addon.AddonGrammar(grammar, { addonExports: addon });
		return new addon.AddonGrammarEvaluationState(model, parsed);
	}

	private textOf(before: readonly number[], tokens: readonly number[]): string {
		const whole = this.model.detokenize(Uint32Array.from([...before, ...tokens]), false);
		return whole.slice(this.model.detokenize(Uint32Array.from(before), false).length);
	}

	/** Computes tokens, and measures so that a batch takes no longer than it should. */
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

	/** Drops all tokens but the first `length`, or more of them where the model cannot drop so few; gives how many are left. */
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

	/** Goes back to where the state was saved, or to the beginning. */
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

function sharedLength(one: readonly number[], other: readonly number[]): number {
	const end = Math.min(one.length, other.length);
	let length = 0;
	while (length < end && one[length] === other[length]) {
		length += 1;
	}
	return length;
}
