/** What makes the local service's videos: its own renderer, or a server with a model. */
export const videoEngineKinds = ["local", "videos-api", "openrouter", "comfyui"] as const;
export type VideoEngineKind = (typeof videoEngineKinds)[number];

/** An engine that is a server of its own. */
export type RemoteEngineKind = Exclude<VideoEngineKind, "local">;

/** Where a ComfyUI workflow takes what it is asked; a place is `NODE.INPUT`, such as `6.text`. */
export interface WorkflowPlaces {
	/** Absolute path of the workflow, exported in the API format. */
	readonly file: string;
	readonly prompt: string;
	readonly seed?: string | undefined;
	readonly frames?: string | undefined;
	readonly image?: string | undefined;
	/** Frames per second that the workflow makes; 16 where it is left out. */
	readonly framesPerSecond?: number | undefined;
}

/** The engine to make videos with, and how. The headers are never logged. */
export interface VideoEngineSetup {
	readonly engine: VideoEngineKind;
	readonly baseUrl: string;
	readonly model: string;
	/** Lengths in seconds the model can make; any where there is none. */
	readonly durations: readonly number[];
	/** Words added to the prompt for each of the five motion strengths. */
	readonly motionPhrases: readonly string[];
	readonly workflow?: WorkflowPlaces | undefined;
	/** What servers have to be sent, by the origin that it is for. Also those of engines that were chosen earlier, whose videos may not be here yet. */
	readonly headers: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The engine of a user who has chosen none. */
export const localEngineSetup: VideoEngineSetup = {
	engine: "local",
	baseUrl: "",
	model: "",
	durations: [],
	motionPhrases: [],
	headers: {},
};

/** What a model asks for its videos, in US dollars for each second or for each video; the two differ by resolution and sound. */
export interface VideoPrice {
	readonly per: "second" | "video";
	readonly min: number;
	readonly max: number;
}

/** A model of a video engine. */
export interface VideoModel {
	readonly id: string;
	readonly label: string;
	/** Lengths in seconds that it can make; empty where its server does not tell. */
	readonly durations: readonly number[];
	readonly price?: VideoPrice | undefined;
}

/** The models of a video engine, or why they cannot be listed. */
export interface VideoModelListing {
	readonly models: readonly VideoModel[];
	readonly failure?: string | undefined;
	/** The server refuses the key, or asks for one. */
	readonly wantsKey?: boolean | undefined;
}

/** Words for the five motion strengths, where the user has none of their own. */
export const defaultMotionPhrases = [
	"almost still, with the slightest movement",
	"slow, gentle movement",
	"natural movement",
	"lively movement",
	"fast, energetic movement",
] as const;

/** Length of a video of the local service whose request names none, in seconds. */
export const usualSeconds = 2;

/** The seconds to ask an engine for: the shortest it can make that is not too short, or its longest. */
export function secondsToAsk(duration: number, durations: readonly number[]): number {
	const sorted = [...durations].sort((left, right) => left - right);
	return sorted.find(seconds => seconds >= duration) ?? sorted.at(-1) ?? duration;
}

/** The phrase for a motion strength from 1 to 5; empty where the user wants none. */
export function motionPhrase(strength: number, phrases: readonly string[]): string {
	return (phrases[strength - 1] ?? defaultMotionPhrases[strength - 1] ?? "").trim();
}

/** The prompt as an engine gets it: the user's words, and below them the phrase for the motion. */
export function promptToSend(prompt: string, phrase: string): string {
	return [prompt.trim(), phrase].filter(part => part !== "").join("\n\n");
}

/** The price of so many seconds, as its lowest and highest amount in US dollars. */
export function priceOf({ per, min, max }: VideoPrice, seconds: number): readonly [number, number] {
	const factor = per === "second" ? seconds : 1;
	return [min * factor, max * factor];
}

/** OpenRouter's address, where the user gives none. */
export const openRouterUrl = "https://openrouter.ai/api/v1";

/** The name of an engine's server, for sentences. */
export function engineName(engine: VideoEngineKind, baseUrl: string): string {
	const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
	switch (engine) {
		case "local":
			return "the local renderer";
		case "openrouter":
			return host === "openrouter.ai" || host === "" ? "OpenRouter" : `OpenRouter (${host})`;
		case "comfyui":
			return `ComfyUI (${host})`;
		case "videos-api":
			return host;
	}
}
