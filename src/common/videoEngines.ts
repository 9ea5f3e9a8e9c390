/** Servers with models that can make the local service's videos. */
export const remoteEngineKinds = ["videos-api", "openrouter", "comfyui"] as const;
export type RemoteEngineKind = (typeof remoteEngineKinds)[number];

/** The engines of the local service's videos: its own renderer, or a server with a model. */
export const videoEngineKinds = ["local", ...remoteEngineKinds] as const;
export type VideoEngineKind = (typeof videoEngineKinds)[number];

/** What differs by the kind of a server. */
interface RemoteEngineTraits {
	/** The address if none is set; empty if the user must set one. */
	readonly defaultUrl: string;
	readonly listsPrices: boolean;
	/** Who pays for videos: the user, nobody, or the user unless the server is on the user's own machine or network. */
	readonly charges: "always" | "never" | "unlessOwn";
}

export const remoteEngines: Readonly<Record<RemoteEngineKind, RemoteEngineTraits>> = {
	"videos-api": { defaultUrl: "", listsPrices: false, charges: "unlessOwn" },
	openrouter: {
		defaultUrl: "https://openrouter.ai/api/v1",
		listsPrices: true,
		charges: "always",
	},
	// It runs the user's own workflow.
	comfyui: { defaultUrl: "", listsPrices: false, charges: "never" },
};

/** The inputs of a ComfyUI workflow that Cutaway sets. Each is `NODE.INPUT`, such as `6.text`. */
export interface WorkflowPlaces {
	/** Absolute path of the workflow, exported in the API format. */
	readonly file: string;
	readonly prompt: string;
	readonly seed?: string | undefined;
	readonly frames?: string | undefined;
	readonly image?: string | undefined;
	/** The workflow's frames per second. Defaults to 16. */
	readonly framesPerSecond?: number | undefined;
}

/** The configured video engine. The headers are never logged. */
export interface VideoEngineSetup {
	readonly engine: VideoEngineKind;
	readonly baseUrl: string;
	readonly model: string;
	/** Supported durations in seconds; any if empty. */
	readonly durations: readonly number[];
	/** Text added to the prompt for each of the five motion strengths. */
	readonly motionPhrases: readonly string[];
	readonly workflow?: WorkflowPlaces | undefined;
	/** Request headers by origin, also for earlier engines whose videos may not be downloaded yet. */
	readonly headers: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const localEngineSetup: VideoEngineSetup = {
	engine: "local",
	baseUrl: "",
	model: "",
	durations: [],
	motionPhrases: [],
	headers: {},
};

/** A model's price in US dollars, per second or per video. `min` and `max` differ by resolution and sound. */
export interface VideoPrice {
	readonly per: "second" | "video";
	readonly min: number;
	readonly max: number;
}

/** Information about the engine behind the local service before a video is requested. */
export interface VideoEngineOffer {
	readonly name: string;
	readonly mayCharge: boolean;
	/** Returns the duration to request, in seconds. */
	seconds(duration: number): number;
	phrase(strength: number): string;
	/** Changes that phrase, also for later videos. */
	setPhrase(strength: number, phrase: string): Promise<void>;
	/** Formats the price of videos by their durations in seconds. Resolves to undefined if the server reports none in time. Never rejects. */
	readonly price: Promise<((...seconds: readonly number[]) => string) | undefined>;
}

export interface VideoModel {
	readonly id: string;
	readonly label: string;
	/** Supported durations in seconds; empty if unknown. */
	readonly durations: readonly number[];
	readonly price?: VideoPrice | undefined;
}

/** The models of a video engine, or why they can't be listed. */
export interface VideoModelListing {
	readonly models: readonly VideoModel[];
	readonly failure?: string | undefined;
	/** Whether the server requires a key or refused it. */
	readonly wantsKey?: boolean | undefined;
}

/** Default text for the five motion strengths. */
export const defaultMotionPhrases = [
	"almost still, with the slightest movement",
	"slow, gentle movement",
	"natural movement",
	"lively movement",
	"fast, energetic movement",
] as const;

/** The longest text-to-video prompt, in Unicode code points without `sceneMarks`. docs/interface.md §4.1 and §8. */
export const maxPromptCharacters = 4000;

/** Last lines of a prompt for the local renderer: the part of a longer clip, in seconds, and whether another scene precedes it. */
export const sceneMarks =
	/(?:\n<!-- clip: from (\d{1,2}) of (\d{1,2}) s -->\s*)?(\n<!-- clip: later scene -->)?$/;

/** Default duration of the local service's videos, in seconds. */
export const usualSeconds = 2;

/** Returns the shortest supported duration that is long enough, or the longest. */
export function secondsToAsk(duration: number, durations: readonly number[]): number {
	const sorted = [...durations].sort((left, right) => left - right);
	return sorted.find(seconds => seconds >= duration) ?? sorted.at(-1) ?? duration;
}

/** Returns the phrase for a motion strength from 1 to 5; empty if the user wants none. */
export function motionPhrase(strength: number, phrases: readonly string[]): string {
	return (phrases[strength - 1] ?? defaultMotionPhrases[strength - 1] ?? "").trim();
}

/** Returns the prompt for an engine: the user's text, followed by the motion phrase. */
export function promptToSend(prompt: string, phrase: string): string {
	return [prompt.trim(), phrase].filter(part => part !== "").join("\n\n");
}

/** Returns the lowest and highest price for a duration, in US dollars. */
export function priceOf({ per, min, max }: VideoPrice, seconds: number): readonly [number, number] {
	const factor = per === "second" ? seconds : 1;
	return [min * factor, max * factor];
}

export function engineName(engine: RemoteEngineKind, baseUrl: string): string {
	const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
	switch (engine) {
		case "openrouter":
			return host === "openrouter.ai" || host === "" ? "OpenRouter" : `OpenRouter (${host})`;
		case "comfyui":
			return `ComfyUI (${host})`;
		case "videos-api":
			return host;
	}
}
