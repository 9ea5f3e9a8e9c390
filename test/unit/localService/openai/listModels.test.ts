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
	"whisper-1",
	"tts-1-hd",
	"dall-e-3",
	"gpt-image-1",
	"omni-moderation-latest",
	"sora-2",
	"gpt-4o-mini-tts",
	"gpt-4o-transcribe",
	"gpt-4o-realtime-preview",
	"gpt-audio-mini",
	"text-embedding-3-small",
	"bge-m3:latest",
	"all-minilm:latest",
	"nomic-embed-text",
	"gte-large",
	"BAAI/bge-reranker-v2-m3",
	"mistral-ocr-latest",
	"models/imagen-4.0",
	"models/veo-3.0-fast",
	"gemini-2.5-flash-preview-tts",
	"whisper-large-v3-turbo",
	"playai-tts",
	"canopylabs/orpheus-v1",
	"grok-2-image-1212",
	"black-forest-labs/FLUX.1-dev",
	"wan2.2-t2v-plus",
	"qwen-image",
	"qwen3-asr-flash",
	"voyage-3",
	"voyage-code-3",
	"jina-colbert-v2",
	"stella_en_1.5B_v5",
	"text-search-ada-doc-001",
	"ms-marco-MiniLM-L-6-v2",
	"rerank-v3.5",
	"Skywork-Reward-Llama-3.1-8B",
	"colqwen2-v1.0",
	"davinci-002",
	"babbage-002",
	"text-davinci-003",
	"gpt-3.5-turbo-instruct",
	"code-cushman-001",
	"deepseek-coder:6.7b-base",
	"mistral-nemo-base-2407",
	"Qwen2.5-7B-base",
	"llama-guard3",
	"llama-guard3:1b",
	"meta-llama/Llama-Guard-4-12B",
	"shieldgemma:2b",
	"granite3-guardian",
	"gpt-oss-safeguard-20b",
	"llama-prompt-guard-2-86m",
	"Qwen3Guard-Gen-8B",
	"text-moderation-stable",
	"bespoke-minicheck",
	"nemotron-content-safety",
	"speech-2.6-hd",
	"xtts-v2",
	"kokoro-82m",
	"suno-v4",
	"stable-audio-2",
	"canary-1b",
	"csm-1b",
	"bark",
	"seedream-4.0",
	"seedance-1-pro",
	"hailuo-02",
	"z-image-turbo",
	"hunyuan-image-3",
	"dalle-3",
])("%s is no model that chats, by its name", id => {
	expect(isOther(id)).toBe(true);
});

test.each([
	"nova-lite",
	"guardsman",
	"knowledge-base-chat",
	"adapter-7b",
	"minimax-m2",
	"canary",
	"bard",
	"voyager",
	"rewardless",
	"hunyuan-a13b-instruct",
	"database-llm",
	"gemma-base-it",
	"clipper",
	"qwen3:8b",
	"gpt-5",
	"llama-3.2-11b-vision",
	"deepseek-ocr",
	"gemini-2.5-flash-image",
	"o3",
	"mistral-large-latest",
	"kimi-k2-thinking",
	"command-r",
	"hermes-4-70b",
	"codestral",
	"gemma3",
	"google/gemini-3-pro",
	"tinyllama",
	"solar-pro",
	"phi-4-multimodal-instruct",
	"qwen3-omni",
	"granite4",
])("%s may chat", id => {
	expect(isOther(id)).toBe(false);
});

test("what a server says of a model counts before its name", () => {
	expect(isOther("whisper-chat", { type: "llm" })).toBe(false);
	expect(isOther("llama-guard-3-8b", { type: "llm", abilities: ["completion"] })).toBe(true);
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
