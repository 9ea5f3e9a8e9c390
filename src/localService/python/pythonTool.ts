import { codeInArguments } from "./codeArguments.ts";
import type { Interpreter } from "./codeInterpreter.ts";
import { describeCode, describeRun, type ServerTools } from "./serverTools.ts";

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
			const code = codeInArguments(input);
			if (code === undefined) {
				yield { result: 'The arguments must be JSON: {"code": "…"}. Nothing was run.' };
				return;
			}
			yield { text: describeCode(code) };
			const run = await python.run(code, signal);
			const text = describeRun(run);
			const result = text
				.replaceAll(/\(data:[^()]*\)/g, "(an image, shown to the user)")
				.replaceAll(/ \(\[Save As…\]\(cutaway-file:[^()]*\)\)/g, "");
			yield {
				text,
				result: bounded(run.status === "error" ? `${run.summary}\n\n${result}` : result),
			};
		},
	};
}

function bounded(text: string): string {
	return text.length > maxResult ? `${text.slice(0, maxResult)}\n(cut here)` : text;
}
