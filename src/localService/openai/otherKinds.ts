/** Types of models in servers' own lists that don't chat, and those that do. Others say nothing. */
const otherTypes = /embed|rerank|image|video|audio|speech|transcri|moderation|tts|asr|ocr/i;
const chatTypes = /^(?:llm|vlm|chat|language|text|code)/i;

/** Names of models that make vectors, speech, pictures or videos, write down speech, or judge texts. Without the owner, such as `openai/`. */
const otherNames = new RegExp(
	[
		String.raw`embed|^(?:bge|gte|e5|all-minilm|paraphrase|multilingual-e5|m2-bert|uae-large|jina-(?:clip|colbert))\b`,
		String.raw`rerank|(?:^|[-_])moderation|^aqa$|^mistral-ocr`,
		String.raw`whisper|transcribe|(?:^|[-_])asr(?:[-_]|$)|parakeet|(?:^|[-_])tts(?:[-_\d]|$)|^(?:playai|orpheus|kokoro|cosyvoice|paraformer|sensevoice)`,
		String.raw`realtime|audio-preview|^gpt-audio`,
		String.raw`dall-e|^(?:chat)?gpt-image|^imagen|^grok-(?:\d-)?imag|stable-?diffusion|^sd(?:xl|3)|^flux\b|^qwen-image|^cogview|^kolors|^recraft|^ideogram`,
		String.raw`^sora|^veo-|^wan[x\d]|^cogvideo|^kling|^lyria|^hunyuan-?video|[-_](?:t2v|i2v|t2i)(?:[-_]|$)`,
	].join("|"),
	"i",
);

interface KindFacts {
	readonly id: string;
	readonly type?: string | null | undefined;
	/** What the model can do, as `completion`, `chat` or `embedding`. */
	readonly abilities: readonly string[];
	/** Whether the server says that it chats. */
	readonly chats?: boolean | null | undefined;
	/** What its answers are, such as `text` and `image`. */
	readonly output?: readonly string[] | null | undefined;
}

/** Whether a model of a list is of another kind than those that chat: by what its server says, else by its name. */
export function isOtherKind({ id, abilities, chats, ...facts }: KindFacts): boolean {
	const type = facts.type ?? "";
	const output = facts.output ?? [];
	if (typeof chats === "boolean") {
		return !chats;
	}
	if (abilities.some(ability => /^(?:completions?|chat|tool_?use|tools)$/i.test(ability))) {
		return false;
	}
	if (abilities.some(ability => /^(?:embed|rerank|transcri|moderation)/i.test(ability))) {
		return true;
	}
	if (output.length > 0 && !output.some(kind => /text/i.test(kind))) {
		return true;
	}
	if (chatTypes.test(type) || otherTypes.test(type)) {
		return !chatTypes.test(type);
	}
	return otherNames.test(id.slice(id.lastIndexOf("/") + 1));
}
