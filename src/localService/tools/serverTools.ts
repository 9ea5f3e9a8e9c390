import type { ChatRequest } from "../../client/contract/schemas.ts";
import type { Clock } from "../../common/async.ts";
import type { FileStore } from "../base/fileStore.ts";
import {
	CodeInterpreter,
	type CodeInterpreterOptions,
	type Interpreter,
	type InterpreterFile,
} from "../python/codeInterpreter.ts";
import { fileURLToPath } from "node:url";

/** Options of the server's tools. Absent tools are unavailable. Web pages are read by the extension, behind its tool gate. */
export interface ServerToolOptions {
	readonly codeInterpreter?: CodeInterpreterOptions;
}

/** The tools that a request allows. docs/interface.md §4.4, field `tools`. */
export interface ServerTools {
	/** `code_interpreter`, with the request's files. */
	readonly python?: Interpreter;
}

/** The server tools. They are loaded on first use. */
export class Toolbox {
	/** Names of the interface's tools that this service supports. */
	readonly names: ReadonlySet<string>;
	private readonly interpreter: CodeInterpreter | undefined;

	constructor({ codeInterpreter }: ServerToolOptions, clock: Clock) {
		this.interpreter = codeInterpreter && new CodeInterpreter(codeInterpreter, clock);
		this.names = new Set(this.interpreter ? ["code_interpreter"] : []);
	}

	/**
	 * Returns the tools that a request allows, for its files and the conversation with this id. Without an id, the request is a separate conversation.
	 */
	open(request: ChatRequest, store: FileStore, conversation: string | undefined): ServerTools {
		const isAllowed = request.tools?.includes("code_interpreter");
		return this.interpreter && isAllowed
			? { python: this.interpreter.open(conversation, filesOf(request, store)) }
			: {};
	}

	/** Stops everything that runs. */
	async stop(): Promise<void> {
		await this.interpreter?.stop();
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

/** Returns Python's thread and files, beside a bundle of the service with the URL `import.meta.url`. */
export function bundledTools(bundleUrl: string): Required<ServerToolOptions> {
	const path = (name: string): string => fileURLToPath(new URL(`./python/${name}`, bundleUrl));
	return {
		codeInterpreter: {
			workerFile: new URL("./localPython.js", bundleUrl),
			files: {
				runtime: path("runtime.js.br"),
				wasm: path("python.wasm.br"),
				stdlib: path("stdlib.zip.br"),
			},
		},
	};
}
