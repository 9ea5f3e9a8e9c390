import type { ChatRequest } from "../../client/contract/schemas.ts";
import type { Clock } from "../../common/async.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import { Readable } from "node:stream";
import type { FileStore, HeldFile } from "../base/fileStore.ts";
import {
	CodeInterpreter,
	type CodeInterpreterOptions,
	type Interpreter,
	type InterpreterFile,
	type PythonRun,
	pythonTool,
} from "./codeInterpreter.ts";
import { fileURLToPath } from "node:url";
import { addressOfWrittenFile } from "../../common/writtenFile.ts";
import { escapeMarkdown, fence } from "../../common/plainMarkdown.ts";
import type { WrittenFile } from "./pythonMessages.ts";

/** The tool `code_interpreter` of the service. Python is loaded on first use. docs/interface.md §4.4, field `tools`. */
export class ServedPython {
	private readonly interpreter: CodeInterpreter;
	private readonly writtenFiles = new WrittenFiles();

	constructor(options: CodeInterpreterOptions, clock: Clock) {
		this.interpreter = new CodeInterpreter(options, clock);
	}

	/** Returns Python with a request's files, for this conversation; a separate one without an id. Returns undefined if the request doesn't allow it. */
	open(
		request: ChatRequest,
		store: FileStore,
		conversation: string | undefined,
	): Interpreter | undefined {
		if (!request.tools?.includes(pythonTool)) {
			return undefined;
		}
		const python = this.interpreter.open(conversation, filesOf(request, store));
		return {
			...python,
			run: async (...asked) => await this.writtenFiles.keep(await python.run(...asked), store),
		};
	}

	async stop(): Promise<void> {
		await this.interpreter.stop();
	}
}

/** The most files and bytes to keep of all runs; the oldest are removed first. */
const maxFiles = 200;
const maxBytes = 400 * 1024 * 1024;

/** Stores copies of the files that runs have written, so that the user can save them. */
class WrittenFiles {
	private readonly held: HeldFile[] = [];

	/** Returns the run with the ids of its stored files. A file beyond the store's limits is only named. */
	async keep(run: PythonRun, store: FileStore): Promise<PythonRun> {
		if (!("files" in run) || run.written === undefined) {
			return run;
		}
		const ids = new Map<string, string>();
		for (const { name, bytes } of run.written) {
			try {
				const file = await store.add({ name, type: "" }, Readable.from([bytes]));
				this.held.push(file);
				ids.set(name, file.id);
			} catch (error) {
				if (!(error instanceof HttpFailure)) {
					throw error;
				}
			}
		}
		await this.removeOldest(store);
		const shown = run.files.shown.map(file => ({ ...file, id: ids.get(file.name) }));
		return { ...run, files: { ...run.files, shown }, written: [] };
	}

	private async removeOldest(store: FileStore): Promise<void> {
		const sizeOf = (files: readonly HeldFile[]): number =>
			files.reduce((sum, { size }) => sum + size, 0);
		while (this.held.length > maxFiles || sizeOf(this.held) > maxBytes) {
			const oldest = this.held.shift();
			await store.remove(oldest?.id ?? "");
		}
	}
}

/** Uses the request's names and types of files, which are those the user sees. */
function filesOf({ files = [] }: ChatRequest, store: FileStore): readonly InterpreterFile[] {
	const known = files.flatMap(({ file_id: id, name, type }) => {
		const held = store.get(id);
		return held ? [{ id, name: name || held.name, type, size: held.size, path: held.path }] : [];
	});
	return [...new Map(known.map(file => [file.id, file])).values()];
}

/** What `bundledPython` needs to offer packages. */
export type BundledPackages = Omit<NonNullable<CodeInterpreterOptions["packages"]>, "lockFile">;

/** Returns Python's thread and files, beside a bundle of the service with the URL `import.meta.url`. */
export function bundledPython(
	bundleUrl: string,
	packages?: BundledPackages,
	figureColors?: CodeInterpreterOptions["figureColors"],
): CodeInterpreterOptions {
	const path = (name: string): string => fileURLToPath(new URL(`./python/${name}`, bundleUrl));
	return {
		workerFile: new URL("./localPython.js", bundleUrl),
		files: {
			runtime: path("runtime.js.br"),
			wasm: path("python.wasm.br"),
			stdlib: path("stdlib.zip.br"),
		},
		...(figureColors ? { figureColors } : {}),
		...(packages ? { packages: { ...packages, lockFile: path("packages.json") } } : {}),
	};
}

/** Returns the first of the two messages for a run of Python: only a fenced `python` block. docs/interface.md §6, rule 7. */
export function describeCode(code: string): string {
	return fence(code, "python");
}

/**
 * Returns the second message: `**Output**`, or `**Output (error)**` if the code failed, then the output, the result and the written files.
 */
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
			return [fence(run.traceback, "text"), ...describeDrawn(run)];
		case "done": {
			const { result } = run;
			const shown =
				result === null ? [] : ["table" in result ? result.table : fence(result.text, "text")];
			return [...shown, ...describeDrawn(run)];
		}
	}
}

function describeDrawn({ figures, files }: Extract<PythonRun, { figures: unknown }>): string[] {
	const pictures = figures.map(
		(base64, index) => `![Figure ${index + 1}](data:image/png;base64,${base64})`,
	);
	return [...pictures, ...describeFiles(files)];
}

interface DescribedFiles {
	readonly count: number;
	readonly shown: readonly WrittenFile[];
}

function describeFiles({ count, shown }: DescribedFiles): readonly string[] {
	const more = count - shown.length;
	return [
		...shown.map(describeFile),
		...(more > 0 ? [`and ${more.toLocaleString("en")} more ${more === 1 ? "file" : "files"}`] : []),
	];
}

/** Small texts and images are included in the message, because the interface can't download files. */
function describeFile({ name, size, text, type, base64, id }: WrittenFile): string {
	const link = id === undefined ? "" : ` ([Save As…](${addressOfWrittenFile({ id, name })}))`;
	const title = `Wrote ${nameAsCode(name)}, ${size.toLocaleString("en")} bytes${link}`;
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
