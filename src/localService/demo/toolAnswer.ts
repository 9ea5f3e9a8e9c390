import { escapeMarkdown } from "../base/markdownText.ts";
import type { Interpreter, MountedFile, PythonRun } from "../python/codeInterpreter.ts";
import type { ServerTools } from "../tools/serverTools.ts";
import { describeCode, describeRun, nameAsCode } from "../tools/toolMessages.ts";
import type { DemoAnswer, DemoQuestion } from "./demoAnswer.ts";
import { imageAnalysis, tableAnalysis } from "./fileAnalyses.ts";

/** One whole message; what a tool sent comes as fast as it is taken. */
export interface ToolMessage {
	readonly text: string;
	readonly pace: Extract<DemoAnswer["pace"], "steady" | "fast">;
}

/** An answer that tools are run for, message by message. */
export type DemoToolAnswer = (signal: AbortSignal) => AsyncGenerator<ToolMessage, void, undefined>;

const maxCells = 5;
const maxFiles = 5;

/** How the demo answers with the tools a request allows, or undefined where the question gives them nothing to do. */
export function planToolAnswer(
	{ text }: DemoQuestion,
	{ python }: ServerTools,
): DemoToolAnswer | undefined {
	const cells = fencedBlocks(text)
		.filter(({ info }) => /^(?:python3?|py)$/i.test(info))
		.slice(0, maxCells);
	if (python && cells.length > 0) {
		return signal =>
			runCells(
				python,
				cells.map(cell => cell.text),
				signal,
			);
	}
	return undefined;
}

/** A fenced block of a question. */
interface FencedBlock {
	readonly text: string;
	/** Everything after the fence that opens the block, without spaces around it. */
	readonly info: string;
}

/** The fenced blocks of a text; one that is left open reaches to the end. CommonMark §4.5. */
function fencedBlocks(text: string): readonly FencedBlock[] {
	const blocks = text.matchAll(
		/^( {0,3})(`{3,}|~{3,}(?!~))([^\n`]*)\n([\s\S]*?)(?:\n {0,3}\2[`~]*[ \t]*$|$(?![\s\S]))/gm,
	);
	return [...blocks].map(([, , , info = "", content = ""]) => ({
		text: content,
		info: info.trim(),
	}));
}

/**
 * How the demo looks into a request's tables and images: those that the question names, or else the first five that no answer was
 * about yet. A question with text attached, such as code, is about that.
 */
export function planFileAnswer(
	{ text, request }: DemoQuestion,
	{ python }: ServerTools,
): DemoToolAnswer | undefined {
	const known = python?.files.filter(file => analysisOf(file) !== undefined) ?? [];
	const asked = text.toLowerCase();
	const named = known.filter(({ name }) => asked.includes(name.toLowerCase()));
	const reports = request.messages
		.filter(({ role, content }) => role === "assistant" && content.includes(reportEnding))
		.map(({ content }) => content);
	const isAboutText = fencedBlocks(text).length > 0;
	const others = isAboutText
		? []
		: known.filter(
				({ mountedAs }) => !reports.some(report => report.includes(nameAsCode(mountedAs))),
			);
	const files = named.length > 0 ? named : others;
	return python && files.length > 0 ? signal => analyze(python, files, signal) : undefined;
}

/** How a report begins to end; a report is not given twice. */
const reportEnding = "Python computed this on this machine";

async function* runCells(
	python: Interpreter,
	cells: readonly string[],
	signal: AbortSignal,
): ReturnType<DemoToolAnswer> {
	for (const code of cells) {
		yield fast(describeCode(code));
		const run = await python.run(code, signal);
		yield fast(describeRun(run));
		if (run.status !== "done") {
			yield steady(
				run.status === "error"
					? "Your code raised an error; the traceback says where. What it had defined before is still there."
					: "Your code did not come to its end. The next run begins with a Python that is empty.",
			);
			return;
		}
	}
	yield steady(
		`Your code ran on this machine, in a sandbox without network. Its variables stay for your next question${filesHint(python.files)}.`,
	);
}

function filesHint(files: readonly MountedFile[]): string {
	return files.length === 0
		? ""
		: `, and your files are in its folder: ${files
				.slice(0, maxFiles)
				.map(({ mountedAs }) => nameAsCode(mountedAs))
				.join(", ")}`;
}

/** A way to look into files of a kind. */
interface Analysis {
	readonly ending: RegExp;
	readonly type: RegExp;
	readonly code: string;
}

const analyses: readonly Analysis[] = [
	{
		ending: /\.(?:csv|tsv|tab)$/i,
		type: /^text\/(?:csv|tab-separated-values)$/,
		code: tableAnalysis,
	},
	{
		ending: /\.(?:png|jpe?g|gif|webp)$/i,
		type: /^image\/(?:png|jpeg|gif|webp)$/,
		code: imageAnalysis,
	},
];

function analysisOf({ name, type }: MountedFile): string | undefined {
	const byName = analyses.find(({ ending }) => ending.test(name));
	return (byName ?? analyses.find(({ type: types }) => types.test(type)))?.code;
}

async function* analyze(
	python: Interpreter,
	files: readonly MountedFile[],
	signal: AbortSignal,
): ReturnType<DemoToolAnswer> {
	const findings: string[] = [];
	for (const file of files.slice(0, maxFiles)) {
		const code = `path = ${JSON.stringify(file.mountedAs)}\n\n${analysisOf(file)}`;
		yield fast(describeCode(code));
		const run = await python.run(code, signal);
		yield fast(describeRun(run));
		findings.push(describeFinding(file, run));
	}
	const left = files.length - maxFiles;
	const more =
		left > 0
			? [
					`${left === 1 ? "1 more file was" : `${left} more files were`} left out; name one in a question to see it.`,
				]
			: [];
	yield steady(
		[
			...findings,
			...more,
			`${reportEnding}; the code is above. As the built-in demo I can count, but what the figures mean takes a language model. Send a \`python\` code block to run your own.`,
		].join("\n\n"),
	);
}

function describeFinding(file: MountedFile, run: PythonRun): string {
	const name = nameAsCode(file.mountedAs);
	if (run.status !== "done") {
		const end = run.status === "error" ? run.traceback.split("\n").at(-1) : undefined;
		return `${name} could not be read: ${escapeMarkdown(end ?? endingOf(run))}`;
	}
	const lines = run.output.trim().split("\n").map(escapeMarkdown).join("  \n");
	const table = run.result && "table" in run.result ? `\n\n${run.result.table}` : "";
	return `${name}: ${lines}${table}`;
}

function endingOf(run: PythonRun): string {
	return run.status === "timeout"
		? `it takes Python more than ${run.seconds} s.`
		: "Python broke down over it.";
}

function fast(text: string): ToolMessage {
	return { text, pace: "fast" };
}

function steady(text: string): ToolMessage {
	return { text, pace: "steady" };
}
