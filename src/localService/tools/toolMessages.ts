import { escapeMarkdown, fence } from "../../common/plainMarkdown.ts";
import type { PythonRun } from "../python/codeInterpreter.ts";
import type { WrittenFile } from "../python/pythonMessages.ts";

/**
 * Formats a run of Python in the multi-message form of docs/interface.md §6, rule 7: one message with only a fenced `python` block, then one that
 * starts with `**Output**`, or `**Output (error)**` if the code failed, and contains the output, the result and the written files.
 */
export function describeCode(code: string): string {
	return fence(code, "python");
}

/** Returns the second of the two messages. */
export function describeRun(run: PythonRun): string {
	const isDone = run.status === "done";
	const parts = [
		isDone ? "**Output**" : "**Output (error)**",
		...(run.hasLostState
			? ["Python was restarted: variables and files of earlier runs are gone."]
			: []),
		...(run.output === "" ? [] : [fence(run.output.trimEnd(), "text")]),
		...describeEnd(run),
	];
	return parts.length > 1
		? parts.join("\n\n")
		: `${parts.join("")}\n\nThe code ran and wrote nothing.`;
}

function describeEnd(run: PythonRun): readonly string[] {
	switch (run.status) {
		case "timeout":
			return [
				`Stopped after ${run.seconds} s, the most a run may take. Python was ended: its variables and the files it wrote are gone.`,
			];
		case "broken":
			return [
				`Python was ended: ${escapeMarkdown(run.reason.slice(0, 300))}. Its variables and the files it wrote are gone.`,
			];
		case "error":
			return [fence(run.traceback, "text"), ...describeFiles(run.files)];
		case "done": {
			const { result } = run;
			const shown =
				result === null ? [] : ["table" in result ? result.table : fence(result.text, "text")];
			return [...shown, ...describeFiles(run.files)];
		}
	}
}

interface WrittenFiles {
	readonly count: number;
	readonly shown: readonly WrittenFile[];
}

function describeFiles({ count, shown }: WrittenFiles): readonly string[] {
	const more = count - shown.length;
	return [
		...shown.map(describeFile),
		...(more > 0 ? [`and ${more.toLocaleString("en")} more ${more === 1 ? "file" : "files"}`] : []),
	];
}

/** Small texts and images are included in the message, because the interface can't download files. */
function describeFile({ name, size, text, type, base64 }: WrittenFile): string {
	const title = `Wrote ${nameAsCode(name)}, ${size.toLocaleString("en")} bytes`;
	if (type !== undefined && base64 !== undefined) {
		return `${title}:\n\n![${escapeMarkdown(name)}](data:${type};base64,${base64})`;
	}
	if (text === undefined) {
		return `${title}.`;
	}
	const language = /\.(csv|html|js|json|md|py|svg|ts|txt|xml|ya?ml)$/i.exec(name)?.[1] ?? "text";
	return `${title}:\n\n${fence(text, language.toLowerCase())}`;
}

/** Formats a name as inline code, without its own backticks. */
export function nameAsCode(name: string): string {
	return `\`${name.replaceAll(/[`\r\n]/g, "").slice(0, 200)}\``;
}
