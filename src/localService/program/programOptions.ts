import { parseArgs } from "node:util";
import { isLoopbackHost } from "../../client/transport/transport.ts";
import { toError } from "../../common/errors.ts";
import { isHouseHost } from "../../common/publicAddress.ts";
import type { ModelSetup, ServerSetup } from "../../common/modelSetup.ts";
import {
	localEngineSetup,
	type RemoteEngineKind,
	remoteEngines,
	type VideoEngineSetup,
} from "../../common/videoEngines.ts";

export interface ProgramOptions {
	/** 0 lets the system choose. */
	readonly port: number;
	/** If absent, a new one is created. */
	readonly token: string | undefined;
	readonly isVerbose: boolean;
	readonly models: ModelSetup;
	/** SERVER/MODEL, which answers the models of the interface. */
	readonly model: string | undefined;
	readonly video: VideoEngineSetup;
	/** Folder that is kept; a temporary one if absent. */
	readonly dataFolder: string | undefined;
}

export type ParsedOptions =
	| { readonly type: "help" }
	| { readonly type: "wrong"; readonly message: string }
	| { readonly type: "serve"; readonly options: ProgramOptions };

/** Text of `--help`. */
export const usage = `Usage: npm run service -- [options]

Runs Cutaway's local service on 127.0.0.1 until Ctrl+C.

  --models URL       a server of models, such as http://127.0.0.1:11434;
                     can be given several times
  --model ID         the model that answers, of the server named first
  --videos KIND=URL  a server that makes videos: videos-api or openrouter
  --video-model ID   its model
  --key-from NAME    the environment variable with the key of the server
                     named before it
  --data FOLDER      where videos and calls of tools are kept; by default
                     a folder that is deleted at the end
  --port N           port to listen on; 0, the default, takes a free one
  --token TEXT       token that requests must carry, 16 characters or more;
                     by default a fresh one. Other programs of this
                     machine can read it from the list of processes
  --verbose          one line for every request
  --help             this text
`;

/** Characters allowed in an `Authorization: Bearer` header. RFC 6750 §2.1. */
const tokenPattern = /^[A-Za-z0-9\-._~+/]{16,}=*$/;

const argumentTypes = {
	models: { type: "string", multiple: true },
	model: { type: "string" },
	videos: { type: "string" },
	"video-model": { type: "string" },
	"key-from": { type: "string", multiple: true },
	data: { type: "string" },
	port: { type: "string", default: "0" },
	token: { type: "string" },
	verbose: { type: "boolean", default: false },
	help: { type: "boolean", default: false },
} as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** Parses the command line. Keys are read from `environment`. Never throws. */
export function parseOptions(args: readonly string[], environment: Variables = {}): ParsedOptions {
	try {
		const { values, tokens } = parseArgs({ args: [...args], options: argumentTypes, tokens: true });
		if (values.help) {
			return { type: "help" };
		}
		if (values.token !== undefined && !tokenPattern.test(values.token)) {
			throw new Error(
				"--token must have 16 characters or more, out of letters, digits and - . _ ~ + /",
			);
		}
		const named = tokens.flatMap(token =>
			token.kind === "option" && token.value !== undefined
				? [{ name: token.name, value: token.value }]
				: [],
		);
		const { servers, video } = readServers(named, environment);
		const [first] = servers;
		if (values.model !== undefined && !first) {
			throw new Error("--model needs the server that has it: --models URL");
		}
		const options = {
			port: readNumber("--port", values.port, 65_535),
			token: values.token,
			isVerbose: values.verbose,
			models: { servers, contextLength: 0 },
			model: values.model === undefined ? undefined : `${first?.name}/${values.model}`,
			video: { ...video, model: values["video-model"] ?? "" },
			dataFolder: values.data,
		};
		return { type: "serve", options };
	} catch (error) {
		return { type: "wrong", message: toError(error).message };
	}
}

/** Reads the servers in their order; a key belongs to the one before it. */
function readServers(
	named: readonly { readonly name: string; readonly value: string }[],
	environment: Variables,
): { readonly servers: readonly ServerSetup[]; readonly video: VideoEngineSetup } {
	const servers: ServerSetup[] = [];
	let video = localEngineSetup;
	let giveKey: ((headers: ServerSetup["headers"]) => void) | undefined;
	let last: URL | undefined;
	for (const { name, value } of named) {
		if (name === "models") {
			last = readAddress("--models", value);
			const index = servers.length;
			const server = { name: nameOf(last, servers), baseUrl: value, headers: {} };
			servers.push(server);
			giveKey = headers => servers.splice(index, 1, { ...server, headers });
		} else if (name === "videos") {
			const [kind = "", ...rest] = value.split("=");
			const engine = readKind(kind);
			const baseUrl = rest.join("=") || remoteEngines[engine].defaultUrl;
			const { origin } = (last = readAddress("--videos", baseUrl));
			video = { ...localEngineSetup, engine, baseUrl };
			giveKey = headers => {
				video = { ...video, headers: { [origin]: headers } };
			};
		} else if (name === "key-from") {
			const key = environment[value];
			if (!giveKey || !last) {
				throw new Error("--key-from comes after the server that the key is for");
			}
			if (!key) {
				throw new Error(`--key-from: the environment variable ${value} is empty`);
			}
			if (last.protocol === "http:" && !isLoopbackHost(last.hostname)) {
				throw new Error(`--key-from: a key is not sent to ${last.host} unencrypted`);
			}
			giveKey({ authorization: `Bearer ${key}` });
		}
	}
	return { servers, video };
}

function readKind(kind: string): RemoteEngineKind {
	if (kind !== "videos-api" && kind !== "openrouter") {
		throw new Error("--videos must be videos-api=URL or openrouter=URL");
	}
	return kind;
}

/** Plain http is for this machine and the network of the user, who named the address. */
function readAddress(option: string, text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isHttp = url?.protocol === "http:" && isHouseHost(url.hostname);
	if (!url || (!isHttp && url.protocol !== "https:") || url.username !== "") {
		throw new Error(
			`${option} must be an address with https, or http in your own network: ${text}`,
		);
	}
	return url;
}

function nameOf({ host }: URL, others: readonly ServerSetup[]): string {
	const name = host.replaceAll(/[^\w.-]/g, "-");
	return others.some(other => other.name === name) ? `${name}-${others.length + 1}` : name;
}

function readNumber(name: string, text: string, max: number): number {
	const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
	if (!(value <= max)) {
		throw new Error(`${name} must be a whole number from 0 to ${max}`);
	}
	return value;
}

/** Returns the text shown when the service listens: address, token, and shell commands. */
export function describeAddress(
	baseUrl: string,
	token: string,
	platform: string,
	model?: string,
	servers: readonly string[] = [],
): string {
	const quote = platform === "win32" ? quoteForWindows : quoteForShell;
	const authorization = quote(`Authorization: Bearer ${token}`);
	const ask = (question: string): string => {
		const body = {
			model: model ?? "llm-4-turbo-tools",
			stream: true,
			messages: [{ role: "user", content: question }],
		};
		return `curl -N ${baseUrl}/v1/chat/messages -H ${authorization} -H ${quote("Content-Type: application/json")} -d ${quote(JSON.stringify(body))}`;
	};
	const named =
		servers.length === 0
			? ""
			: `
The "model" of a server is its own name behind that of the server: ${servers.map(name => `${name}/MODEL`).join(", ")}
`;
	return `Cutaway local service

  Address  ${baseUrl}
  Token    ${token}

${model === undefined ? "Ask the built-in demo, which is no language model:" : `Ask ${model}:`}
  ${ask("What can you do?")}
${named}
Upload a file:
  curl ${baseUrl}/v1/files -H ${authorization} -F ${quote("file=@README.md;type=text/markdown")}

Make a video; look the generation up until it is complete, and load its video_url:
  curl ${baseUrl}/v1/videos/text-to-video -H ${authorization} -H ${quote("Content-Type: application/json")} -d ${quote(JSON.stringify({ prompt: "A lighthouse at dusk" }))}
  curl ${baseUrl}/v1/generations/GENERATION_ID -H ${authorization}

Press Ctrl+C to stop.
`;
}

function quoteForShell(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** cmd.exe supports double quotes only; curl treats a backslash before an inner one as an escape. */
function quoteForWindows(text: string): string {
	return `"${text.replaceAll('"', '\\"')}"`;
}
