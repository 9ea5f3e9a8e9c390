import { open } from "node:fs/promises";
import * as z from "zod/mini";
import { parseJson } from "../../common/json.ts";
import type { Interpreter, MountedFile } from "../python/codeInterpreter.ts";
import { describeCode, describeRun, type ServerTools } from "../tools/serverTools.ts";

/** Result of a tool: a message that displays it, and text for the model. */
export interface ToolOutcome {
	readonly text?: string;
	readonly result?: string;
}

/** A tool of the service, offered to the model as a function. */
export interface RunTool {
	readonly name: string;
	readonly described: object;
	run(input: string, signal: AbortSignal): AsyncGenerator<ToolOutcome, void, undefined>;
}

const maxResult = 16_000;

/** Returns the tools that a request allows. */
export function offerServerTools({ python }: ServerTools): RunTool[] {
	return python ? [pythonTool(python)] : [];
}

const inputSchema = z.object({ code: z.string() });

function pythonTool(python: Interpreter): RunTool {
	const name = "code_interpreter";
	return {
		name,
		described: {
			name,
			description:
				"Runs Python code in a sandbox that has the standard library alone (no pandas, NumPy or Matplotlib), no network, no threads and no asyncio. Variables stay between calls. The user's files are in the working folder. Returns what the code prints and the value of its last expression.",
			parameters: { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
		},
		async *run(input, signal) {
			const value = inputSchema.safeParse(parseJson(input)).data?.code;
			if (value === undefined) {
				yield { result: 'The arguments must be JSON: {"code": "…"}. Nothing was run.' };
				return;
			}
			yield { text: describeCode(value) };
			const text = describeRun(await python.run(value, signal));
			const result = text.replaceAll(/\(data:[^()]*\)/g, "(an image, shown to the user)");
			yield { text, result: bounded(result) };
		},
	};
}

function bounded(text: string): string {
	return text.length > maxResult ? `${text.slice(0, maxResult)}\n(cut here)` : text;
}

const headBytes = 2_048;
const headLines = 5;

/** Describes a request's files for the model: names, types and how texts begin. */
export async function announceFiles(files: readonly MountedFile[]): Promise<string> {
	if (files.length === 0) {
		return "";
	}
	const described = await Promise.all(files.map(describeFile));
	return ["Files in the working folder of code_interpreter:", ...described].join("\n");
}

async function describeFile({ mountedAs, type, size, path }: MountedFile): Promise<string> {
	const title = `- ${mountedAs} (${type || "unknown type"}, ${size.toLocaleString("en")} bytes)`;
	const file = await open(path);
	try {
		const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
		const head = buffer.subarray(0, bytesRead);
		const text = new TextDecoder().decode(head, { stream: true });
		if (text.includes("\0") || text.includes("\u{FFFD}")) {
			return title;
		}
		const lines = text.trimEnd().split("\n").slice(0, headLines);
		return [`${title}, which begins:`, ...lines.map(line => `  ${line}`)].join("\n");
	} finally {
		await file.close();
	}
}
