import type { ChatRequest } from "../../client/contract/schemas.ts";
import { throwIfAborted } from "../../common/async.ts";
import { escapeMarkdown, fence } from "../base/markdownText.ts";
import type { Engine, EngineEvent } from "../engine.ts";
import { offeredNames } from "../http/requestParameters.ts";
import type { Interpreter, MountedFile, PythonRun } from "../python/codeInterpreter.ts";
import { describeCode, describeRun, nameAsCode } from "../tools/toolMessages.ts";
import { tableAnalysis } from "./tableAnalysis.ts";

/** The demo's answer to anything it can't do. The chat view recognizes its end and shows buttons for the named actions. */
export const demoSentence =
	"No model is set up, so I can't read code. " +
	"I can make a clip of your code, show a sample edit of what you select, or run Python on a table.";

/** Text that appears in reports only, so that no table is reported twice. */
const reportMark = "Python computed this on this machine";

/** Answers if no model is set up, by fixed rules. Shows a sample edit, runs Python on tables, and answers everything else with one sentence. */
export const demoEngine: Engine = {
	async *answer(request, signal, { python }) {
		throwIfAborted(signal);
		const tables = python ? askedTables(request, python.files) : [];
		if (python && tables.length > 0) {
			yield* analyze(python, tables, signal);
		} else {
			yield* message(sampleEdit(request) ?? say(demoSentence));
		}
	},
};

function* message(content: EngineEvent): Generator<EngineEvent, void, undefined> {
	yield { type: "message-start", role: "assistant" };
	yield content;
	yield { type: "message-end" };
}

function say(text: string): EngineEvent {
	return { type: "text-delta", text };
}

function questionOf({ messages }: ChatRequest): string {
	return messages.findLast(({ role }) => role === "user")?.content ?? "";
}

/** Reads the selection, then replaces it by its uppercase form, with one tool call each. Returns undefined for other questions. */
function sampleEdit(request: ChatRequest): EngineEvent | undefined {
	const { messages } = request;
	const offered = offeredNames(request);
	if (!/\bsample edit\b/i.test(questionOf(request)) || !offered.includes("get_selection")) {
		return undefined;
	}
	const results = messages
		.slice(messages.findLastIndex(({ role }) => role === "user"))
		.filter(({ role }) => role === "tool" || role === "function")
		.map(({ content }) => content);
	const [selection, ...later] = results;
	// The id depends on the conversation's length only, so that answers are reproducible.
	const id = `call-${messages.length}`;
	if (selection === undefined) {
		return { type: "tool-call", id, name: "get_selection", arguments: "{}" };
	}
	// Without a selection, the result has no line with a location.
	const [, text] = /^.+, lines \d+-\d+[^\n]*:\n([\s\S]+)$/.exec(selection) ?? [];
	if (text !== undefined && later.length === 0 && offered.includes("replace_selection")) {
		const input = JSON.stringify({ text: text.toUpperCase() });
		return { type: "tool-call", id, name: "replace_selection", arguments: input };
	}
	const result = results.at(-1) ?? "";
	const shown = result.includes("\n") ? fence(result) : `> ${escapeMarkdown(result)}`;
	return say(`No model runs in the demo, so this is just what the tool returned:\n\n${shown}`);
}

/** Returns the tables that a question names, or those without a report so far. None for a question with attached text such as code. */
function askedTables(request: ChatRequest, files: readonly MountedFile[]): readonly MountedFile[] {
	const question = questionOf(request);
	const tables = files.filter(({ name }) => /\.(?:csv|tsv|tab)$/i.test(name));
	const named = tables.filter(({ name }) => question.toLowerCase().includes(name.toLowerCase()));
	if (named.length > 0 || /^ {0,3}(?:`{3}|~{3})/m.test(question)) {
		return named;
	}
	const reports = request.messages
		.filter(({ role, content }) => role === "assistant" && content.includes(reportMark))
		.map(({ content }) => content);
	return tables.filter(
		({ mountedAs }) => !reports.some(report => report.includes(nameAsCode(mountedAs))),
	);
}

async function* analyze(
	python: Interpreter,
	tables: readonly MountedFile[],
	signal: AbortSignal,
): AsyncGenerator<EngineEvent, void, undefined> {
	const findings: string[] = [];
	for (const table of tables) {
		const code = `path = ${JSON.stringify(table.mountedAs)}\n\n${tableAnalysis}`;
		yield* message(say(describeCode(code)));
		const run = await python.run(code, signal);
		yield* message(say(describeRun(run)));
		findings.push(`${nameAsCode(table.mountedAs)}${findingOf(run)}`);
	}
	const closing = `${reportMark}; the code is above. What the figures mean takes a language model.`;
	yield* message(say([...findings, closing].join("\n\n")));
}

function findingOf(run: PythonRun): string {
	if (run.status !== "done") {
		return " could not be read; the reason is above.";
	}
	const lines = run.output.trim().split("\n").map(escapeMarkdown).join("  \n");
	const table = run.result && "table" in run.result ? `\n\n${run.result.table}` : "";
	return `: ${lines}${table}`;
}
