import type { ChatRequest } from "../../client/contract/schemas.ts";
import type { Clock } from "../../common/async.ts";
import type { FileStore } from "../base/fileStore.ts";
import {
	CodeInterpreter,
	type CodeInterpreterOptions,
	type Interpreter,
	type InterpreterFile,
} from "../python/codeInterpreter.ts";

/** Settings of the server's tools; one that is absent cannot be asked for. Web pages are read by the extension, behind its gate. */
export interface ServerToolOptions {
	readonly codeInterpreter?: CodeInterpreterOptions;
}

/** The tools that one request allows. Interface §4.4, field `tools`. */
export interface ServerTools {
	/** `code_interpreter`, with the request's files. */
	readonly python?: Interpreter;
}

/** The tools that run on the service; nothing is loaded before a tool is first used. */
export class Toolbox {
	/** Those of the interface's tools that this service has. */
	readonly names: ReadonlySet<string>;
	private readonly interpreter: CodeInterpreter | undefined;

	constructor({ codeInterpreter }: ServerToolOptions, clock: Clock) {
		this.interpreter = codeInterpreter && new CodeInterpreter(codeInterpreter, clock);
		this.names = new Set(this.interpreter ? ["code_interpreter"] : []);
	}

	/** The tools a request allows, for its files and the conversation with this id; without one, the request is a conversation of its own. */
	open(request: ChatRequest, store: FileStore, conversation: string | undefined): ServerTools {
		const isAllowed = request.tools?.includes("code_interpreter");
		return this.interpreter && isAllowed
			? { python: this.interpreter.open(conversation, filesOf(request, store)) }
			: {};
	}

	/** Ends everything that runs. */
	async stop(): Promise<void> {
		await this.interpreter?.stop();
	}
}

/** The request's own names and types for its files count: they are what the user sees. */
function filesOf({ files = [] }: ChatRequest, store: FileStore): readonly InterpreterFile[] {
	const known = files.flatMap(({ file_id: id, name, type }) => {
		const held = store.get(id);
		return held ? [{ id, name: name || held.name, type, size: held.size, path: held.path }] : [];
	});
	return [...new Map(known.map(file => [file.id, file])).values()];
}
