import type { ChatRequest } from "../../client/contract/schemas.ts";
import type { Clock } from "../../common/async.ts";
import { type Log, silentLog } from "../../common/log.ts";
import {
	editorServerName,
	embeddedServerName,
	type ModelPlaces,
	type ModelSetup,
	type ServerListing,
	type ServerSetup,
} from "../../common/modelSetup.ts";
import { HttpFailure, withoutKeys } from "../base/failureResponse.ts";
import type { EditorLink } from "../editorModels/editorLink.ts";
import type { EmbeddedModels } from "../embedded/embeddedModels.ts";
import type { Engine, EngineEvent } from "../engine.ts";
import { AnswerLoop, type ModelSource } from "./answering.ts";
import { CallMemory } from "./callMemory.ts";
import { findServers, listServer } from "./findServers.ts";
import { checkEngine, ModelServers } from "./modelServers.ts";

interface KeyedSource extends ModelSource {
	readonly headers?: ServerSetup["headers"];
}

/** Answers with models of the configured servers. */
export class Models implements Engine {
	private readonly setup: () => ModelSetup;
	private readonly fallback: Engine;
	private readonly editor: EditorLink | undefined;
	private readonly embedded: EmbeddedModels | undefined;
	private readonly answering: AnswerLoop;
	private readonly servers: ModelServers;

	/**
	 * Passes requests whose model isn't SERVER/MODEL to `fallback`. Stores what models need back with their calls in `callsFolder`, or without it in
	 * memory. Without `editor` or `embedded`, their models count as those of an unconfigured server.
	 */
	constructor(
		setup: () => ModelSetup,
		fallback: Engine,
		clock: Clock,
		log: Log = silentLog,
		callsFolder?: string,
		editor?: EditorLink,
		embedded?: EmbeddedModels,
	) {
		this.setup = setup;
		this.fallback = fallback;
		this.editor = editor;
		this.embedded = embedded;
		this.answering = new AnswerLoop(clock, log, new CallMemory(callsFolder, clock, log));
		this.servers = new ModelServers(setup, clock, log);
	}

	async *answer(...call: Parameters<Engine["answer"]>): AsyncGenerator<EngineEvent> {
		const [request, signal, python] = call;
		const source = this.sourceOf(request);
		if (source === undefined) {
			checkEngine(this.setup(), ["demo"]);
			yield* this.fallback.answer(...call);
			return;
		}
		try {
			yield* this.answering.answer(source, request, signal, python);
		} catch (error) {
			if (error instanceof HttpFailure) {
				error.message = withoutKeys(error.message, source.headers ?? {});
			}
			throw error;
		}
	}

	/** Lists the available models. A failing server doesn't reject the promise. */
	async list(
		signal: AbortSignal,
		places: ModelPlaces = "configured",
	): Promise<readonly ServerListing[]> {
		if (places === "found") {
			return await findServers(signal);
		}
		if (places === "embedded") {
			return this.embedded ? [await this.embedded.list()] : [];
		}
		const servers = places === "configured" ? this.setup().servers : [places];
		return await Promise.all(servers.map(server => listServer(server, signal, listTimeoutMs)));
	}

	private sourceOf({ model }: ChatRequest): KeyedSource | undefined {
		const { editor, embedded, servers } = this;
		if (editor && model.startsWith(`${editorServerName}/`)) {
			checkEngine(this.setup(), ["vscode"]);
			return { name: "VS Code", ask: (...asked) => editor.ask(...asked) };
		}
		if (embedded && model.startsWith(`${embeddedServerName}/`)) {
			checkEngine(this.setup(), ["embedded"]);
			return {
				name: "The model",
				ask: (...asked) => embedded.ask(...asked),
				contextOf: id => embedded.contextOf(id),
			};
		}
		const server = serverOf(model, this.setup());
		if (server) {
			checkEngine(this.setup(), ["openai", "ollama"]);
		}
		return (
			server && {
				name: server.name,
				headers: server.headers,
				ask: (...asked) => servers.ask(server, ...asked),
				contextOf: (...asked) => servers.contextOf(server, ...asked),
			}
		);
	}
}

const listTimeoutMs = 10_000;

function serverOf(model: string, { servers }: ModelSetup): ServerSetup | undefined {
	const slash = model.indexOf("/");
	if (slash === -1) {
		return undefined;
	}
	const name = model.slice(0, slash);
	const server = servers.find(candidate => candidate.name === name);
	if (!server) {
		const sentence = `The model server ${name} is not set up any more.`;
		throw new HttpFailure(404, "unknown_model_server", sentence);
	}
	return server;
}
