import { throwIfAborted } from "../../common/async.ts";
import type { PullFailure } from "../../common/modelSetup.ts";
import type { DetailFrame } from "../../client/contract/schemas.ts";
import { codeInArguments } from "./codeArguments.ts";
import { type Interpreter, pythonTool } from "./codeInterpreter.ts";
import { describeCode, describeRun } from "./servedPython.ts";

/** Part of a call's result: a message that displays it, or text for the model. */
export interface PythonOutcome {
	/** What the client shows meanwhile. */
	readonly detail?: Extract<DetailFrame, { readonly type: "packages" | "progress" }>;
	readonly text?: string;
	readonly result?: string;
}

const maxResult = 16_000;

/** Describes Python to the model as a function. */
export async function describePython({ packages }: Interpreter): Promise<object> {
	const onDisk = await packages?.onDisk();
	return {
		name: pythonTool,
		description: `${sandboxSentence} ${packageSentences(onDisk)} ${returnSentence}`,
		parameters: { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
	};
}

/** Runs a call of the model. */
export async function* runPython(
	python: Interpreter,
	input: string,
	signal: AbortSignal,
): AsyncGenerator<PythonOutcome, void, undefined> {
	const code = codeInArguments(input);
	if (code === undefined) {
		yield { result: 'The arguments must be JSON: {"code": "…"}. Nothing was run.' };
		return;
	}
	yield { text: describeCode(code) };
	const note = yield* getPackages(python, code, signal);
	const run = await python.run(code, signal);
	const text = `${note}${describeRun(run)}`;
	const result = text
		.replaceAll(/\(data:[^()]*\)/g, "(an image, shown to the user)")
		.replaceAll(/ \(\[Save As…\]\(cutaway-file:[^()]*\)\)/g, "");
	yield {
		text,
		result: bounded(run.status === "error" ? `${run.summary}\n\n${result}` : result),
	};
}

const sandboxSentence = "Runs Python code in a sandbox without network, threads and asyncio.";
const packageSentence =
	"Besides the standard library, pandas, NumPy, Matplotlib, SciPy, Pillow, scikit-learn, statsmodels, sympy, polars, lxml, BeautifulSoup, python-calamine (in place of openpyxl) and other packages of Pyodide can be imported; the user is asked once. Nothing else can be installed.";
const returnSentence =
	"Variables stay between calls. The user's files are in the working folder. Figures are shown to the user. Returns what the code prints and the value of its last expression.";

/** The most packages to name that are on disk. */
const maxNamed = 60;

function packageSentences(onDisk: readonly string[] | undefined): string {
	if (onDisk === undefined) {
		return "It has the standard library alone (no pandas, NumPy or Matplotlib).";
	}
	const names = onDisk.slice(0, maxNamed).join(", ");
	return names === ""
		? packageSentence
		: `${packageSentence} Without a question, because they are there: ${names}.`;
}

/** Replaces an answered question, or a finished download, while the code runs. */
const isWorking = { type: "progress", stage: "working" } as const;

/** Downloads the packages that code needs, if the user agrees. Returns a sentence if they are missing afterwards. */
async function* getPackages(
	{ packages }: Interpreter,
	code: string,
	signal: AbortSignal,
): AsyncGenerator<PythonOutcome, string, undefined> {
	const needed = await packages?.absentFor(code, signal);
	if (!packages || !needed) {
		return "";
	}
	const question = packages.ask(needed, signal);
	if (question) {
		yield { detail: question.detail };
	}
	if ((await question?.answer) !== true) {
		yield { detail: isWorking };
		return `Without ${needed.names.join(", ")}, whose download the user declined.\n\n`;
	}
	const failure = yield* downloading(report => packages.download(needed, signal, report), signal);
	yield { detail: isWorking };
	return failure === undefined
		? ""
		: `Without ${needed.names.join(", ")}, which could not be downloaded: ${failureSentence(failure)}\n\n`;
}

/** Reports a download's progress until it ends. */
async function* downloading(
	start: (onProgress: (share: number) => void) => Promise<PullFailure | undefined>,
	signal: AbortSignal,
): AsyncGenerator<PythonOutcome, PullFailure | undefined, undefined> {
	let next = Promise.withResolvers<undefined>();
	let share = 0;
	let isOver = false;
	const ended = start(reported => {
		share = Math.min(1, reported);
		next.resolve(undefined);
	}).finally(() => {
		isOver = true;
	});
	while (!isOver) {
		yield { detail: { type: "progress", stage: "packages", share } };
		next = Promise.withResolvers();
		await Promise.race([ended, next.promise]);
		throwIfAborted(signal);
	}
	return await ended;
}

function failureSentence({ reason, words }: PullFailure): string {
	switch (reason) {
		case "noSpace":
			return "the disk is full.";
		case "wrongFile":
			return "a file is not the promised one.";
		case "elsewhere":
			return `the mirror leads to ${words}.`;
		default:
			return `${words || "the mirror doesn't have them"}.`;
	}
}

function bounded(text: string): string {
	return text.length > maxResult ? `${text.slice(0, maxResult)}\n(cut here)` : text;
}
