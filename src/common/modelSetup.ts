import { totalmem } from "node:os";

/** The kinds of engines behind the local service; `auto` means any of them. */
export const engineKinds = ["auto", "openai", "ollama", "vscode", "embedded", "demo"] as const;
export type EngineKind = (typeof engineKinds)[number];

/** A model server and the headers it needs. The headers are never logged. */
export interface ServerSetup {
	readonly name: string;
	readonly baseUrl: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** Derives the base URL from an address that a user entered, without an endpoint at its end. Keeps a query, such as Azure's `?api-version=…`. */
export function apiBase(address: string): string {
	const [path = "", ...query] = address.trim().split(/(?=\?)/);
	return `${basePath(path)}${query.join("")}`;
}

/** Returns the URL of a path below a base URL, whose query stays at the end. */
export function urlBelow(baseUrl: string, path: string): string {
	const [base = "", ...query] = baseUrl.split(/(?=\?)/);
	return `${base}${path}${query.join("")}`;
}

function basePath(path: string): string {
	return path
		.replace(/\/+$/, "")
		.replace(/\/(?:(?:chat\/)?completions|models|embeddings|responses|messages)$/i, "")
		.replace(/\/+$/, "");
}

export type ServerKind = "openai" | "ollama";

export interface ModelSetup {
	readonly servers: readonly ServerSetup[];
	/** Context length for Ollama in tokens; 0 lets the local service choose by this machine's memory. */
	readonly contextLength: number;
	/** The only kind of engine to use; all if absent. */
	readonly engine?: EngineKind | undefined;
}

export interface ModelInfo {
	/** SERVER/MODEL, as requests name it. */
	readonly id: string;
	readonly label: string;
	readonly server: string;
	/** Context length in effect and its maximum, in tokens. */
	readonly contextLength?: number | undefined;
	readonly maxContextLength?: number | undefined;
	readonly sizeBytes?: number | undefined;
	readonly isLoaded?: boolean | undefined;
	readonly tools?: boolean | undefined;
	readonly vision?: boolean | undefined;
	readonly thinking?: boolean | undefined;
}

export interface ServerListing {
	readonly server: string;
	readonly baseUrl?: string | undefined;
	readonly kind?: ServerKind | undefined;
	readonly models: readonly ModelInfo[];
	/** Why the server couldn't be asked, as a sentence. */
	readonly failure?: string | undefined;
	/** What the server refused, if known: the key, or a model list at this address. */
	readonly refused?: "key" | "address" | undefined;
}

/**
 * Where to look for models: the configured servers, this machine's usual ports, the downloaded files, or one server. Files are not listed if this
 * machine can't run them.
 */
export type ModelPlaces = "configured" | "found" | "embedded" | ServerSetup;

/** A model to download with Ollama, or from a hub to run on this machine. */
export interface PullRequest {
	readonly kind: "ollama" | "hub";
	readonly baseUrl: string;
	/** The name in Ollama, such as `qwen3:8b`, or the file name. */
	readonly model: string;
	/** Whether the user agreed to a file from a hub that can't be checked. */
	readonly isUnchecked?: boolean | undefined;
}

/** Progress of a model download. The total grows while Ollama discovers more files. */
export interface PullProgress {
	readonly stage: "starting" | "downloading" | "verifying" | "writing";
	readonly completedBytes: number;
	readonly totalBytes: number;
}

/** Why a model download failed, with the message of the server or the system. */
export interface PullFailure {
	readonly reason:
		| "unknownModel"
		| "noSpace"
		| "tooOld"
		| "lost"
		| "silent"
		| "refused"
		/** The hash or size differs from the hub's. */
		| "wrongFile"
		/** A mirror's hash differs from that of the hub, whose host the message names, or from the one in the source. Nothing was downloaded. */
		| "otherHash"
		/** Neither the hub nor a mirror names the file's hash, and the user hasn't agreed to a file that can't be checked. Nothing was downloaded. */
		| "unchecked"
		/** The hub redirected to another host, which the message names. */
		| "elsewhere"
		/** llama.cpp doesn't run on this machine. Nothing was downloaded. */
		| "cannotRun";
	readonly words: string;
}

/** First part of the editor's model ids: `vscode/PROVIDER/MODEL`. */
export const editorServerName = "vscode";

/** First part of the ids of models that run on this machine: `embedded/FILE`. */
export const embeddedServerName = "embedded";

/** Average characters of a token in English, code and JSON, where no tokenizer or server tells. */
export const charactersPerToken = 4;

/** The numbers of a request that have settings of their own. docs/interface.md §4.4. */
export const requestNumbers = ["temperature", "top_p", "max_tokens"] as const;

/** A request to one of the editor's models, in the format of OpenAI's API. */
export interface EditorModelRequest extends Readonly<
	Partial<Record<(typeof requestNumbers)[number], number | undefined>>
> {
	/** PROVIDER/MODEL. */
	readonly model: string;
	readonly messages: readonly Readonly<Record<string, unknown>>[];
	readonly tools?: readonly unknown[] | undefined;
	readonly tool_choice?: unknown;
}

/** A part of an answer of one of the editor's models. */
export type EditorModelPart =
	| { readonly type: "context"; readonly tokens: number }
	| { readonly type: "text" | "thinking"; readonly text: string }
	| {
			readonly type: "call";
			readonly id: string;
			readonly name: string;
			/** JSON. */
			readonly arguments: string;
	  };

/** The largest image that the local service passes to a model, in bytes. */
export const maxShownImageBytes = 4 * 1024 * 1024;

/** Why one of the editor's models failed, with a message for the user. */
export interface EditorModelFailure {
	readonly reason:
		/** The model or its provider doesn't exist. */
		| "gone"
		/** The user or the editor denied access. */
		| "notAllowed"
		/** The request was refused for its content. */
		| "blocked"
		| "quota"
		| "rate"
		/** The model doesn't support tools. No request was sent. */
		| "noTools"
		/** The model doesn't support images. No request was sent. */
		| "noImages"
		/** Anything else, such as a conversation that is too long or a refused parameter. */
		| "failed";
	readonly words: string;
}

/** Access to the editor's models in the extension host. */
export interface EditorModels {
	/** Sends a request. Resolves when the answer ends, with a failure if there was one. Rejects with `AbortError` if aborted. */
	answer(
		request: EditorModelRequest,
		onPart: (part: EditorModelPart) => void,
		signal: AbortSignal,
	): Promise<EditorModelFailure | undefined>;
}

/** A model that can be downloaded and run on this machine. */
export interface HubModel {
	/** Name of the GGUF file, also the model's name in Cutaway. */
	readonly file: string;
	readonly name: string;
	/** OWNER/NAME on the hub. */
	readonly repository: string;
	readonly licence: string;
	/** Approximate file size in bytes. The hub reports the exact size before the download. */
	readonly sizeBytes: number;
	/** Memory needed while answering, in bytes. */
	readonly memoryBytes: number;
}

const gigabyte = 1_000_000_000;

/** The models on offer, smallest first. */
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

export const defaultHub = "https://huggingface.co";

/**
 * Returns the memory in bytes that a program can still allocate, within a container's limit. On macOS at least a third of the machine's, because
 * the system's figure leaves out most of what it frees when a program needs it.
 */
export function availableMemory(platform: NodeJS.Platform = process.platform): number {
	const reported = process.availableMemory();
	return platform === "darwin" ? Math.max(reported, totalmem() / 3) : reported;
}

/** Host of Pyodide's own packages for Python, from which a version's are downloaded. */
export const defaultPackageMirror = "https://cdn.jsdelivr.net/pyodide";
