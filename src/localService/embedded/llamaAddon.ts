import { createRequire } from "node:module";
import { join } from "node:path";
import * as z from "zod/mini";

/** The used members of node-llama-cpp's llama.cpp addon. Its version is pinned where it is downloaded. */
export interface LlamaAddon {
	readonly AddonModel: new (
		path: string,
		options: {
			readonly addonExports: LlamaAddon;
			readonly gpuLayers: number;
			readonly useMmap: boolean;
			readonly onLoadProgress: (share: number) => void;
		},
	) => LlamaModel;
	readonly AddonContext: new (
		model: LlamaModel,
		options: {
			readonly contextSize: number;
			readonly batchSize: number;
			readonly sequences: number;
			readonly threads: number;
		},
	) => LlamaMemory;
	readonly AddonContextSequenceCheckpoint: new () => LlamaCheckpoint;
	readonly AddonJinjaRenderer: new (template: string) => {
		render(values: Readonly<Record<string, unknown>>): string;
	};
	readonly AddonGrammar: new (
		text: string,
		options: { readonly addonExports: LlamaAddon },
	) => object;
	/** Position in a text that follows a grammar. */
	readonly AddonGrammarEvaluationState: new (model: LlamaModel, grammar: object) => object;
	readonly AddonSampler: new (model: LlamaModel) => LlamaSampler;
	markLoaded(): boolean;
	setLogger(write: (level: number, message: string) => void): void;
	setLoggerLogLevel(level: number): void;
	loadBackends(folder: string): void;
	getIsArchRecurrent(architecture: string): boolean | undefined;
	getIsArchHybrid(architecture: string): boolean | undefined;
	getGpuType(): string | false | undefined;
	init(): Promise<void>;
}

/** A model's weights in memory. */
export interface LlamaModel {
	init(): Promise<boolean>;
	dispose(): Promise<void>;
	tokenize(text: string, hasSpecialTokens: boolean): Uint32Array;
	detokenize(tokens: Uint32Array, isSpecialShown?: boolean): string;
	getTokenString(token: number): string;
	tokenBos(): number;
	tokenEos(): number;
	isEogToken(token: number): boolean;
	shouldPrependBosToken(): boolean;
}

/** A context: the memory of conversations. */
export interface LlamaMemory {
	init(): Promise<boolean>;
	dispose(): Promise<void>;
	getContextSize(): number;
	initBatch(size: number): void;
	/** Returns the positions of the tokens whose next token is requested. */
	addToBatch(sequence: number, at: number, tokens: Uint32Array, wanted: Uint32Array): Uint32Array;
	decodeBatch(): Promise<void>;
	sampleToken(place: number, sampler: LlamaSampler): Promise<number>;
	disposeSequence(sequence: number): void;
	removeTokenCellsFromSequence(sequence: number, from: number, to: number): boolean;
	restoreCheckpoint(
		checkpoint: LlamaCheckpoint,
		maxPosition: number,
		sequence: number,
	): Promise<boolean>;
}

/** State of a sequence, for models that can't remove only its last tokens. */
export interface LlamaCheckpoint {
	init(context: LlamaMemory, sequence: number): Promise<void>;
	dispose(): void;
}

/** Selects the next token. */
export interface LlamaSampler {
	applyConfig(options: Readonly<Record<string, unknown>>): void;
	dispose(): void;
}

const addonSchema = z.custom<LlamaAddon>(
	value => typeof value === "object" && value !== null && "AddonModel" in value,
);

/** llama.cpp's log level of errors; lower is more severe. */
const errorLevel = 2;

/**
 * Loads the llama.cpp addon from a folder. `lastWords` returns its last error message. Rejects with the system's reason if the build doesn't run on
 * this machine.
 */
export async function loadAddon(
	folder: string,
): Promise<{ readonly addon: LlamaAddon; readonly lastWords: () => string }> {
	const require = createRequire(import.meta.url);
	const addon = addonSchema.parse(require(join(folder, "llama-addon.node")));
	let words = "";
	addon.markLoaded();
	addon.setLogger((level, message) => {
		words = level <= errorLevel && message.trim() !== "" ? message.trim() : words;
	});
	addon.setLoggerLogLevel(errorLevel);
	// Without a folder, llama.cpp would search the current working directory, which isn't trusted.
	addon.loadBackends(folder);
	await addon.init();
	return { addon, lastWords: () => words };
}
