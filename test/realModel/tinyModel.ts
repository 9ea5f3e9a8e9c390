import { createRandom } from "../helpers/random.ts";

/** Sizes of the smallest model: tokens wide, layers deep. */
const smallest = { width: 64, layers: 2 };
const heads = 4;
/** Sizes of a layer that stores a state. */
const state = { kernel: 4, size: 16, rank: 4 };
/** The longest context it declares, in tokens. */
export const trainedContext = 4_096;

/** The token that ends an answer. */
const endText = "</s>";

interface Token {
	readonly text: string;
	readonly score: number;
	/** As in llama.cpp: 1 normal, 2 unknown, 3 control, 4 of the user, 6 byte. */
	readonly type: number;
	/** What is added to its odds, so that the gibberish looks like words and ends after a while. */
	readonly bias: number;
}

const words =
	"alpha beta gamma delta function return value const string number array object file folder line word test check build read write open close begin end next last first the of and or not is in to for with from".split(
		" ",
	);

const commonTokens: readonly Token[] = [
	{ text: "<unk>", score: 0, type: 2, bias: -8 },
	{ text: "<s>", score: 0, type: 3, bias: -8 },
	{ text: endText, score: 0, type: 3, bias: -0.5 },
	...Array.from({ length: 256 }, (_, byte) => ({
		text: `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
		score: 0,
		type: 6,
		bias: byte >= 128 ? -4 : -8,
	})),
	...words.map(word => ({ text: `▁${word}`, score: -1, type: 1, bias: 1 })),
	...Array.from({ length: 94 }, (_, index) => ({
		text: String.fromCharCode(33 + index),
		score: -100,
		type: 1,
		bias: -4,
	})),
	{ text: "▁", score: -100, type: 1, bias: -4 },
];

/** The model's tokens, with those that it should have for `likely` and `hidden`. */
function vocabularyOf({ likely = {}, hidden = [] }: TinyModelOptions): readonly Token[] {
	const known = new Set(commonTokens.map(token => token.text));
	const added = Object.keys(likely).filter(word => !known.has(word));
	return [
		...commonTokens.map(token => ({ ...token, bias: likely[token.text] ?? token.bias })),
		...added.map(word => ({
			text: word,
			score: -100,
			bias: likely[word] ?? 0,
			type: hidden.includes(word) ? 3 : 4,
		})),
	];
}

function uint32(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
}

function uint64(value: number): Buffer {
	const bytes = Buffer.alloc(8);
	bytes.writeBigUInt64LE(BigInt(value));
	return bytes;
}

function float32(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeFloatLE(value);
	return bytes;
}

function text(value: string): Buffer {
	const bytes = Buffer.from(value);
	return Buffer.concat([uint64(bytes.length), bytes]);
}

/** Numbers that GGUF gives its types. */
const types = { uint32: 4, int32: 5, float32: 6, text: 8, list: 9 };

function metadata(options: TinyModelOptions): Buffer[] {
	const { chatTemplate, contextLength = trainedContext, scale = 1, isHybrid = false } = options;
	const architecture = isHybrid ? "jamba" : "llama";
	const vocabulary = vocabularyOf(options);
	const { width, layers, hiddenWidth } = sizesAt(scale);
	const entry = (key: string, type: number, value: Buffer): Buffer =>
		Buffer.concat([text(key), uint32(type), value]);
	const list = (key: string, type: number, items: readonly Buffer[]): Buffer =>
		entry(key, types.list, Buffer.concat([uint32(type), uint64(items.length), ...items]));
	const counts = {
		context_length: contextLength,
		embedding_length: width,
		block_count: layers,
		feed_forward_length: hiddenWidth,
		"attention.head_count": heads,
		"rope.dimension_count": width / heads,
		vocab_size: vocabulary.length,
		full_attention_interval: isHybrid ? 2 : 1,
		"ssm.conv_kernel": state.kernel,
		"ssm.inner_size": hiddenWidth,
		"ssm.state_size": state.size,
		"ssm.time_step_rank": state.rank,
	};
	const layerHeads = Array.from({ length: layers }, (_, at) => (isHybrid && at === 0 ? 0 : heads));
	const ids = { unknown: 0, bos: 1, eos: 2 };
	return [
		entry("general.architecture", types.text, text(architecture)),
		entry("general.name", types.text, text("tiny")),
		entry(`${architecture}.attention.layer_norm_rms_epsilon`, types.float32, float32(1e-5)),
		list(`${architecture}.attention.head_count_kv`, types.uint32, layerHeads.map(uint32)),
		...Object.entries(counts).map(([key, value]) =>
			entry(`${architecture}.${key}`, types.uint32, uint32(value)),
		),
		...Object.entries(ids).map(([key, value]) =>
			entry(`tokenizer.ggml.${key}_token_id`, types.uint32, uint32(value)),
		),
		entry("tokenizer.ggml.model", types.text, text("llama")),
		list(
			"tokenizer.ggml.tokens",
			types.text,
			vocabulary.map(token => text(token.text)),
		),
		list(
			"tokenizer.ggml.scores",
			types.float32,
			vocabulary.map(({ score }) => float32(score)),
		),
		list(
			"tokenizer.ggml.token_type",
			types.int32,
			vocabulary.map(({ type }) => uint32(type)),
		),
		...(chatTemplate === undefined
			? []
			: [entry("tokenizer.chat_template", types.text, text(chatTemplate))]),
	];
}

function sizesAt(scale: number) {
	const [width, layers] = [smallest.width * scale, smallest.layers * scale];
	return { width, layers, hiddenWidth: 2 * width };
}

const never = -20;

interface Tensor {
	readonly name: string;
	readonly sizes: readonly number[];
	readonly values: Float32Array;
}

/** How a model's odds are made. */
export interface TinyModelOptions {
	/** A 32-bit number; the same makes the same bytes. */
	readonly seed: number;
	/** Never ends an answer by itself. */
	readonly isEndless: boolean;
	/** How many times as wide and as deep as the smallest it is; 1 where it is left out. */
	readonly scale?: number;
	/** The longest context that it declares, in tokens; `trainedContext` where it is left out. */
	readonly contextLength?: number;
	/** Stores a state in place of every token in its first layer, as Qwen3.5 does in most. */
	readonly isHybrid?: boolean;
	/** What is added to the odds of these tokens; ones that it does not have are added to its vocabulary. */
	readonly likely?: Readonly<Record<string, number>>;
	/** The added tokens that are control tokens, whose text is not shown by itself. */
	readonly hidden?: readonly string[];
	/** How a conversation is written for it, in Jinja; llama.cpp's own way where it is left out. */
	readonly chatTemplate?: string;
}

/**
 * Random weights. The first number of every token is 1 and no layer adds to it, so that the last matrix can use it to make some
 * tokens likelier than others.
 */
function tensors(options: TinyModelOptions): Tensor[] {
	const { seed, isEndless, isHybrid = false, scale = 1 } = options;
	const vocabulary = vocabularyOf(options);
	const { width, layers, hiddenWidth } = sizesAt(scale);
	const random = createRandom(seed);
	const biases = vocabulary.map(({ text: word, bias }) =>
		isEndless && word === endText ? never : bias,
	);
	const weight = (scale: number): number => (random.next() * 2 - 1) * scale;
	const tensor = (name: string, sizes: readonly number[], valueAt: (index: number) => number) => {
		const length = sizes.reduce((product, size) => product * size, 1);
		const values = Float32Array.from({ length }, (_, index) => valueAt(index));
		return { name: `${name}.weight`, sizes, values };
	};
	const ones = (name: string): Tensor => tensor(name, [width], () => 1);
	const square = (name: string): Tensor => tensor(name, [width, width], () => weight(0.2));
	const attention = (name: string): Tensor[] => [
		...["attn_q", "attn_k", "attn_v"].map(part => square(`${name}.${part}`)),
		tensor(`${name}.attn_output`, [width, width], index => (index < width ? 0 : weight(0.2))),
	];
	const plain = (name: string, sizes: readonly number[], valueAt: () => number): Tensor => ({
		...tensor(name, sizes, valueAt),
		name,
	});
	const stored = (name: string): Tensor[] => [
		tensor(`${name}.ssm_in`, [width, 2 * hiddenWidth], () => weight(0.2)),
		tensor(`${name}.ssm_conv1d`, [state.kernel, hiddenWidth], () => weight(0.5)),
		plain(`${name}.ssm_conv1d.bias`, [hiddenWidth], () => weight(0.2)),
		tensor(`${name}.ssm_x`, [hiddenWidth, state.rank + 2 * state.size], () => weight(0.2)),
		tensor(`${name}.ssm_dt`, [state.rank, hiddenWidth], () => weight(0.5)),
		plain(`${name}.ssm_dt.bias`, [hiddenWidth], () => weight(0.5)),
		tensor(`${name}.ssm_dt_norm`, [state.rank], () => 1),
		tensor(`${name}.ssm_b_norm`, [state.size], () => 1),
		tensor(`${name}.ssm_c_norm`, [state.size], () => 1),
		plain(`${name}.ssm_a`, [state.size, hiddenWidth], () => weight(0.4) - 0.5),
		plain(`${name}.ssm_d`, [hiddenWidth], () => 1),
		tensor(`${name}.ssm_out`, [hiddenWidth, width], index =>
			index < hiddenWidth ? 0 : weight(0.2),
		),
	];
	const layer = (name: string, isStored: boolean): Tensor[] => [
		ones(`${name}.attn_norm`),
		...(isStored ? stored(name) : attention(name)),
		ones(`${name}.ffn_norm`),
		tensor(`${name}.ffn_gate`, [width, hiddenWidth], () => weight(0.2)),
		tensor(`${name}.ffn_up`, [width, hiddenWidth], () => weight(0.2)),
		tensor(`${name}.ffn_down`, [hiddenWidth, width], index =>
			index < hiddenWidth ? 0 : weight(0.2),
		),
	];
	return [
		tensor("token_embd", [width, vocabulary.length], index =>
			index % width === 0 ? 1 : weight(1),
		),
		ones("output_norm"),
		tensor("output", [width, vocabulary.length], index =>
			index % width === 0 ? (biases[index / width] ?? 0) : weight(0.2),
		),
		...Array.from({ length: layers }, (_, index) =>
			layer(`blk.${index}`, isHybrid && index === 0),
		).flat(),
	];
}

const alignment = 32;

function padding(length: number): Buffer {
	return Buffer.alloc((alignment - (length % alignment)) % alignment);
}

/** A model in GGUF, half a megabyte: llama's architecture with random weights. */
export function tinyModel(options: TinyModelOptions): Buffer {
	const made = tensors(options);
	const described: Buffer[] = [];
	const data: Buffer[] = [];
	let offset = 0;
	for (const { name, sizes, values } of made) {
		const bytes = Buffer.from(values.buffer);
		described.push(text(name), uint32(sizes.length), ...sizes.map(uint64));
		// The values are of type 0, 32-bit floats.
		described.push(uint32(0), uint64(offset));
		const pad = padding(bytes.length);
		data.push(bytes, pad);
		offset += bytes.length + pad.length;
	}
	const entries = metadata(options);
	const head = Buffer.concat([
		Buffer.from("GGUF"),
		uint32(3),
		uint64(made.length),
		uint64(entries.length),
		...entries,
		...described,
	]);
	return Buffer.concat([head, padding(head.length), ...data]);
}
