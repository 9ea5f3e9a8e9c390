/** A model that llama.cpp has loaded. */
export interface Llama {
	/** Length of the context in effect, in tokens. */
	readonly contextLength: number;
	/** The longest context that the model was trained for, in tokens. */
	readonly trained: number;
	/** Bytes of the weights. */
	readonly size: number;
	/** The tokens of a prompt, as the model's own vocabulary has them. */
	tokenize(text: string): readonly number[];
	/** Goes on after a prompt, piece by piece, until the model ends, a limit or a stop word is met or the signal fires. */
	generate(
		prompt: readonly number[],
		options: GenerateOptions,
		signal: AbortSignal,
		onPiece: (piece: string) => void,
	): Promise<{ readonly finish: "stop" | "length"; readonly count: number }>;
}

/** What a request may ask of an answer, as OpenAI names it. */
export interface GenerateOptions {
	readonly max_tokens?: number | undefined;
	readonly temperature?: number | undefined;
	readonly seed?: number | undefined;
	readonly stop?: string | readonly string[] | undefined;
}

/** As much of the package's module as is used here. */
interface LlamaModule {
	getLlama(options: object): Promise<{
		loadModel(options: { readonly modelPath: string }): Promise<LoadedModel>;
	}>;
}

interface LoadedModel {
	readonly trainContextSize: number;
	readonly size: number;
	readonly tokens: { readonly bos: number };
	tokenize(text: string): number[];
	detokenize(
		tokens: readonly number[],
		isSpecial: boolean,
		before: readonly number[] | undefined,
	): string;
	isEogToken(token: number): boolean;
	createContext(options: object): Promise<{
		readonly contextSize: number;
		getSequence(): {
			clearHistory(): Promise<void>;
			evaluate(tokens: readonly number[], options: object): AsyncIterable<number>;
		};
	}>;
}

/** The longest UTF-8 character in bytes, each a token of its own at worst. */
const longestCharacter = 4;

/** Loads llama.cpp and a model, for one thread of the CPU unless told otherwise: two that wait for each other crawl on a busy machine. */
export async function openLlama(
	moduleUrl: string,
	modelPath: string,
	contextSize: number,
	threads = 1,
): Promise<Llama> {
	const module = (await import(moduleUrl)) as LlamaModule;
	const llama = await module.getLlama({ gpu: false, build: "never", progressLogs: false });
	const model = await llama.loadModel({ modelPath });
	const context = await model.createContext({ contextSize, threads });
	const sequence = context.getSequence();
	return {
		contextLength: context.contextSize,
		trained: model.trainContextSize,
		size: model.size,
		tokenize: text => [model.tokens.bos, ...model.tokenize(text)],
		generate: async (prompt, options, signal, onPiece) => {
			await sequence.clearHistory();
			const { temperature = 0.8, seed, max_tokens: limit = Infinity } = options;
			// Beyond its context llama.cpp would leave out the beginning.
			const max = Math.min(limit, context.contextSize - prompt.length);
			const stops = [options.stop ?? []].flat();
			const written: number[] = [];
			let held: number[] = [];
			let text = "";
			for await (const token of sequence.evaluate(prompt, { temperature, seed })) {
				if (signal.aborted || model.isEogToken(token)) {
					break;
				}
				written.push(token);
				held.push(token);
				const piece = model.detokenize(held, false, written.slice(0, -held.length));
				if (!piece.endsWith("\u{FFFD}") || held.length >= longestCharacter) {
					held = [];
					text += piece;
					onPiece(piece);
				}
				if (stops.some(stop => text.includes(stop))) {
					break;
				}
				if (written.length >= max) {
					return { finish: "length", count: written.length };
				}
			}
			return { finish: "stop", count: written.length };
		},
	};
}
