import { parseArgs } from "node:util";
import { toError } from "../../common/errors.ts";

export interface ProgramOptions {
	/** 0 lets the system choose. */
	readonly port: number;
	/** If absent, a new one is created. */
	readonly token: string | undefined;
	readonly isVerbose: boolean;
}

export type ParsedOptions =
	| { readonly type: "help" }
	| { readonly type: "wrong"; readonly message: string }
	| { readonly type: "serve"; readonly options: ProgramOptions };

/** Text of `--help`. */
export const usage = `Usage: npm run service -- [options]

Runs Cutaway's local service on 127.0.0.1 until Ctrl+C.

  --port N       port to listen on; 0, the default, takes a free one
  --token TEXT   token that requests must carry, 16 characters or more;
                 by default a fresh one. Other programs of this
                 machine can read it from the list of processes
  --verbose      one line for every request
  --help         this text
`;

/** Characters allowed in an `Authorization: Bearer` header. RFC 6750 §2.1. */
const tokenPattern = /^[A-Za-z0-9\-._~+/]{16,}=*$/;

/** Parses the command line. Never throws. */
export function parseOptions(args: readonly string[]): ParsedOptions {
	try {
		const { values } = parseArgs({
			args: [...args],
			options: {
				port: { type: "string", default: "0" },
				token: { type: "string" },
				verbose: { type: "boolean", default: false },
				help: { type: "boolean", default: false },
			},
		});
		if (values.help) {
			return { type: "help" };
		}
		if (values.token !== undefined && !tokenPattern.test(values.token)) {
			throw new Error(
				"--token must have 16 characters or more, out of letters, digits and - . _ ~ + /",
			);
		}
		const options = {
			port: readNumber("--port", values.port, 65_535),
			token: values.token,
			isVerbose: values.verbose,
		};
		return { type: "serve", options };
	} catch (error) {
		return { type: "wrong", message: toError(error).message };
	}
}

function readNumber(name: string, text: string, max: number): number {
	const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
	if (!(value <= max)) {
		throw new Error(`${name} must be a whole number from 0 to ${max}`);
	}
	return value;
}

/** Returns the text shown when the service listens: address, token, and shell commands. */
export function describeAddress(baseUrl: string, token: string, platform: string): string {
	const quote = platform === "win32" ? quoteForWindows : quoteForShell;
	const authorization = quote(`Authorization: Bearer ${token}`);
	const ask = (question: string): string => {
		const body = {
			model: "llm-4-turbo-tools",
			stream: true,
			messages: [{ role: "user", content: question }],
		};
		return `curl -N ${baseUrl}/v1/chat/messages -H ${authorization} -H ${quote("Content-Type: application/json")} -d ${quote(JSON.stringify(body))}`;
	};
	return `Cutaway local service

  Address  ${baseUrl}
  Token    ${token}

Ask the built-in demo, which is no language model:
  ${ask("What can you do?")}

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
