import { expect, test } from "vitest";
import {
	completionsUrl,
	isOtherKind,
	listOpenAiModels,
} from "../../../../src/localService/openai/listModels.ts";

const isOther = (id: string, facts: object = {}): boolean =>
	isOtherKind({ id, abilities: [], ...facts });

test("an address of Azure names its only model, and nothing is asked", async () => {
	const baseUrl = "https://x.openai.azure.com/openai/deployments/my-gpt?api-version=2024-10-21";
	const listed = await listOpenAiModels({ baseUrl, headers: {} }, AbortSignal.abort());
	expect(listed).toEqual([{ id: "my-gpt" }]);
	expect(completionsUrl(baseUrl)).toBe(
		"https://x.openai.azure.com/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21",
	);
});

test.each([
	...["whisper-1", "tts-1-hd", "dall-e-3", "gpt-image-1", "omni-moderation-latest", "sora-2"],
	...["gpt-4o-mini-tts", "gpt-4o-transcribe", "gpt-4o-realtime-preview", "gpt-audio-mini"],
	...[
		"text-embedding-3-small",
		"bge-m3:latest",
		"all-minilm:latest",
		"nomic-embed-text",
		"gte-large",
	],
	...["BAAI/bge-reranker-v2-m3", "mistral-ocr-latest", "models/imagen-4.0", "models/veo-3.0-fast"],
	...[
		"gemini-2.5-flash-preview-tts",
		"whisper-large-v3-turbo",
		"playai-tts",
		"canopylabs/orpheus-v1",
	],
	...[
		"grok-2-image-1212",
		"black-forest-labs/FLUX.1-dev",
		"wan2.2-t2v-plus",
		"qwen-image",
		"qwen3-asr-flash",
	],
])("%s is no model that chats, by its name", id => {
	expect(isOther(id)).toBe(true);
});

test.each([
	...["qwen3:8b", "gpt-5", "llama-3.2-11b-vision", "deepseek-ocr", "gemini-2.5-flash-image", "o3"],
	...[
		"mistral-large-latest",
		"kimi-k2-thinking",
		"command-r",
		"hermes-4-70b",
		"codestral",
		"gemma3",
	],
	...[
		"google/gemini-3-pro",
		"tinyllama",
		"solar-pro",
		"phi-4-multimodal-instruct",
		"qwen3-omni",
		"granite4",
	],
])("%s may chat", id => {
	expect(isOther(id)).toBe(false);
});

test("what a server says of a model counts before its name", () => {
	expect(isOther("whisper-chat", { type: "llm" })).toBe(false);
	expect(isOther("plain", { type: "embeddings" })).toBe(true);
	expect(isOther("plain", { type: "image" })).toBe(true);
	expect(isOther("plain", { type: "model" })).toBe(false);
	expect(isOther("mistral-embed-2", { chats: true })).toBe(false);
	expect(isOther("mistral-large", { chats: false })).toBe(true);
	expect(isOther("plain", { abilities: ["embedding"] })).toBe(true);
	expect(isOther("all-minilm", { abilities: ["completion"] })).toBe(false);
	expect(isOther("plain", { output: ["image"] })).toBe(true);
	expect(isOther("gpt-image-chat", { output: ["text", "image"], type: "chat" })).toBe(false);
});
