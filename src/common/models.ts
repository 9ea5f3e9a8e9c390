/** The kinds of engines that answer for the local service; `auto` stands for all of them. */
export const engineKinds = ["auto", "openai", "ollama", "vscode", "embedded", "demo"] as const;
export type EngineKind = (typeof engineKinds)[number];

/** A server of models, with what it has to be sent; the headers are never logged. */
export interface ServerSetup {
	readonly name: string;
	readonly baseUrl: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** The address below which a server answers, of one that a user entered: what is asked there is dropped from its end. */
export function apiBase(address: string): string {
	return address
		.trim()
		.replace(/\/+$/, "")
		.replace(/\/(?:(?:chat\/)?completions|models|embeddings|responses|messages)$/i, "")
		.replace(/\/+$/, "");
}

/** The interface that a server of models speaks. */
export type ServerKind = "openai" | "ollama";

/** The servers of models to ask, and how. */
export interface ModelSetup {
	readonly servers: readonly ServerSetup[];
	/** Tokens asked of Ollama; 0 lets the local service choose by the memory of this machine. */
	readonly contextLength: number;
	/** The one kind that may answer; all where it is left out. */
	readonly engine?: EngineKind | undefined;
}

/** One model of a server, with what is known of it. */
export interface ModelInfo {
	/** SERVER/MODEL, what a request names. */
	readonly id: string;
	readonly label: string;
	readonly server: string;
	/** Tokens; the context in effect, and the most it can have. */
	readonly contextLength?: number | undefined;
	readonly maxContextLength?: number | undefined;
	readonly sizeBytes?: number | undefined;
	readonly isLoaded?: boolean | undefined;
	readonly tools?: boolean | undefined;
	readonly vision?: boolean | undefined;
	readonly thinking?: boolean | undefined;
}

/** The answer of one server of models that was asked which it has. */
export interface ServerListing {
	readonly server: string;
	readonly baseUrl?: string | undefined;
	readonly kind?: ServerKind | undefined;
	readonly models: readonly ModelInfo[];
	/** Why it did not answer, as a sentence. */
	readonly failure?: string | undefined;
	/** What it refused, where that is known: the key, or that there is a list at this address. */
	readonly refused?: "key" | "address" | undefined;
}

/**
 * Where to look for models: the servers that are set up, the ports of this machine where one may listen, the files that run here, or one
 * server. Where no file can run, there is no listing of them.
 */
export type ModelPlaces = "configured" | "found" | "embedded" | ServerSetup;

/** A model to download: by a server of Ollama, or from a hub to run it on this machine. */
export interface PullRequest {
	readonly kind: "ollama" | "hub";
	/** The server's or the hub's address. */
	readonly baseUrl: string;
	/** As Ollama names it, such as `qwen3:8b`, or the name of the file. */
	readonly model: string;
}

/** How far a download of a model is; the total grows while Ollama still learns of files. */
export interface PullProgress {
	readonly stage: "starting" | "downloading" | "verifying" | "writing";
	readonly completedBytes: number;
	readonly totalBytes: number;
}

export const pullFailureReasons = [
	...(["unknownModel", "noSpace", "tooOld", "lost", "silent", "refused"] as const),
	/** It is not what the hub promised: another hash or size. */
	"wrongFile",
	/** The hub leads to a host that is not its own, which is in the words. */
	"elsewhere",
] as const;

/** Why a model could not be downloaded, with the words of whoever failed. */
export interface PullFailure {
	readonly reason: (typeof pullFailureReasons)[number];
	readonly words: string;
}

/** The first part of the ids of models that the editor has: `vscode/PROVIDER/MODEL`. */
export const editorServerName = "vscode";

/** The first part of the ids of models that run on this machine: `embedded/FILE`. */
export const embeddedServerName = "embedded";

/** A question to a model of the editor, in the form of OpenAI's requests. */
export interface EditorModelRequest {
	/** PROVIDER/MODEL. */
	readonly model: string;
	readonly messages: readonly Readonly<Record<string, unknown>>[];
	readonly tools?: readonly unknown[] | undefined;
	readonly tool_choice?: unknown;
	readonly temperature?: number | undefined;
	readonly top_p?: number | undefined;
	readonly max_tokens?: number | undefined;
}

/** A piece of a model's answer, as the editor hands it over. */
export type EditorModelPart =
	/** The model's context, in tokens. */
	| { readonly type: "context"; readonly tokens: number }
	| { readonly type: "text" | "thinking"; readonly text: string }
	| {
			readonly type: "call";
			readonly id: string;
			readonly name: string;
			/** JSON. */
			readonly arguments: string;
	  };

/** The largest image, in bytes, that a model behind the local service is shown. */
export const maxShownImageBytes = 4 * 1024 * 1024;

/** Why a model of the editor did not answer, in words for the user. */
export interface EditorModelFailure {
	readonly reason:
		/** The model or its provider is not there. */
		| "gone"
		/** The user or the editor did not allow it. */
		| "notAllowed"
		/** Refused because of what was asked. */
		| "blocked"
		| "quota"
		| "rate"
		| "tooLong"
		/** Nothing was asked: the model takes no tools. */
		| "noTools"
		/** Nothing was asked: the model takes no images. */
		| "noImages"
		| "failed";
	readonly words: string;
}

/** The editor's models, asked in the extension host. */
export interface EditorModels {
	/** Asks a model; resolves at the answer's end, with the reason where it failed. Rejects with `AbortError` when the signal fires. */
	answer(
		request: EditorModelRequest,
		onPart: (part: EditorModelPart) => void,
		signal: AbortSignal,
	): Promise<EditorModelFailure | undefined>;
}
/** A model that can be downloaded and run on this machine. */
export interface HubModel {
	/** Name of its file in GGUF; what it is called here as well. */
	readonly file: string;
	readonly name: string;
	/** Where it is on the hub: OWNER/NAME. */
	readonly repository: string;
	readonly licence: string;
	/** About the size of the file, in bytes. The hub gives the exact one before anything is downloaded. */
	readonly sizeBytes: number;
	/** Memory that it takes while it answers, in bytes. */
	readonly memoryBytes: number;
}

const gigabyte = 1_000_000_000;

/** The models that are offered, the smallest first. */
export const hubModels: readonly [HubModel, ...HubModel[]] = [
	{
		file: "Qwen3.5-0.8B-Q4_K_M.gguf",
		name: "Qwen3.5 0.8B",
		repository: "unsloth/Qwen3.5-0.8B-GGUF",
		licence: "Apache-2.0",
		sizeBytes: 0.53 * gigabyte,
		memoryBytes: 1.4 * gigabyte,
	},
	{
		file: "Qwen3.5-2B-Q4_K_M.gguf",
		name: "Qwen3.5 2B",
		repository: "unsloth/Qwen3.5-2B-GGUF",
		licence: "Apache-2.0",
		sizeBytes: 1.3 * gigabyte,
		memoryBytes: 2.4 * gigabyte,
	},
	{
		file: "Qwen3-4B-Instruct-2507-Q4_K_M.gguf",
		name: "Qwen3 4B Instruct 2507",
		repository: "unsloth/Qwen3-4B-Instruct-2507-GGUF",
		licence: "Apache-2.0",
		sizeBytes: 2.5 * gigabyte,
		memoryBytes: 4 * gigabyte,
	},
];

/** The hub that models come from, unless a mirror is set. */
export const defaultHub = "https://huggingface.co";
