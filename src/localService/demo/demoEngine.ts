import type { ChatRequest } from "../../client/contract/schemas.ts";
import { throwIfAborted } from "../../common/async.ts";
import { escapeMarkdown, fence } from "../../common/plainMarkdown.ts";
import type { Engine, EngineEvent } from "../engine.ts";
import { offeredNames } from "../http/requestParameters.ts";
import type { Interpreter, MountedFile, PythonRun } from "../python/codeInterpreter.ts";
import { describeCode, describeRun, nameAsCode } from "../python/servedPython.ts";

/** Python that summarizes the CSV or TSV file `path`, reading it once, row by row. */
export const tableAnalysis = String.raw`import csv, math, re
from array import array
from datetime import datetime

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
MISSING = {"", "na", "n/a", "nan", "null", "none"}


class Column:
    def __init__(self, name):
        self.name, self.missing, self.others, self.all_whole = name, 0, 0, True
        self.numbers, self.distinct, self.dates = array("d"), set(), True

    def add(self, value):
        value = value.strip()
        if value.lower() in MISSING:
            self.missing += 1
            return
        if len(self.distinct) <= 1000:
            self.distinct.add(value)
        if NUMBER.fullmatch(value):
            self.numbers.append(float(value))
            self.all_whole = self.all_whole and value.lstrip("+-").isdigit()
        else:
            self.others += 1
            if self.dates and self.others <= 1000:
                try:
                    datetime.fromisoformat(value)
                except ValueError:
                    self.dates = False

    def summary(self):
        row = dict(column=self.name, type="text", missing=self.missing, min="", max="", mean="")
        row["distinct"] = len(self.distinct) if len(self.distinct) <= 1000 else "over 1000"
        if self.numbers and not self.others:
            low, high = min(self.numbers), max(self.numbers)
            row["type"] = "integer" if self.all_whole else "number"
            row["min"], row["max"] = (int(low), int(high)) if self.all_whole else (low, high)
            row["mean"] = math.fsum(self.numbers) / len(self.numbers)
        elif self.numbers:
            row["type"] = f"mixed, {len(self.numbers)} numbers"
        elif self.others and self.dates:
            row["type"] = "date"
            if len(self.distinct) <= 1000:
                row["min"], row["max"] = min(self.distinct), max(self.distinct)
        elif not self.others:
            row["type"] = "empty"
        return row


csv.field_size_limit(10**9)
with open(path, "rb") as file:
    encoding = "utf-16" if file.read(2) in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
with open(path, newline="", encoding=encoding, errors="replace") as file:
    first_line = file.readline()
    file.seek(0)
    reader = csv.reader(file, delimiter=max(",;\t|", key=first_line.count))
    header = next(reader, [])
    columns = [Column(name.strip() or f"column {n}") for n, name in enumerate(header, 1)]
    rows = uneven = 0
    for row in reader:
        if not row:
            continue
        rows += 1
        uneven += len(row) != len(columns)
        for column, value in zip(columns, row):
            column.add(value)
        for column in columns[len(row):]:
            column.missing += 1

summary = [column.summary() for column in columns]
count = lambda number, noun: f"{number:,} {noun}{'s' * (number != 1)}"
print(f"{count(rows, 'row')}, {count(len(columns), 'column')}")
if uneven:
    print(f"{count(uneven, 'row')} with another number of fields than the header")
summary`;

/** The demo's answer to anything it can't do. The chat view recognizes its end and shows buttons for the named actions. */
export const demoSentence =
	"No model is set up, so I can't read code. " +
	"I can make a clip of your code, show a sample edit of what you select, or run Python on a table.";

/** Text that appears in reports only, so that no table is reported twice. */
const reportMark = "Python computed this on this machine";

/** Answers if no model is set up, by fixed rules. Shows a sample edit, runs Python on tables, and answers everything else with one sentence. */
export const demoEngine: Engine = {
	async *answer(request, signal, python) {
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
	const closing = `${reportMark}; its code is above. Choose a model to have the figures explained.`;
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
