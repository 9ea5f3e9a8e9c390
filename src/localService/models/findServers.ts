import { throwIfAborted } from "../../common/async.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { ServerKind, ServerListing, ServerSetup } from "../../common/models.ts";
import { ask } from "../base/network.ts";
import { BodyTooLongError, readWhole } from "../base/wholeBody.ts";
import { HttpFailure } from "../base/httpFailure.ts";
import { ProxyError } from "../base/proxyChoice.ts";
import { ollamaDetails, ollamaUrl } from "../ollama/ollamaDetails.ts";
import { listOpenAiModels } from "../openai/listModels.ts";

/** Where servers of models listen unless told otherwise, with the name such a server gets. */
const places: readonly { readonly port: number; readonly name: string }[] = [
	{ port: 11434, name: "ollama" },
	{ port: 1234, name: "lm-studio" },
	{ port: 8080, name: "localhost-8080" },
	{ port: 9931, name: "localhost-9931" },
	{ port: 8000, name: "localhost-8000" },
];
/** A closed port refuses at once; asking an open one can take most of this while a window starts on a busy machine. */
const lookMs = 1_000;
const detailsMs = 2_000;

/** Looks once for servers of models on this machine, at all places at the same time; those that do not answer are left out. */
export async function findServers(
	signal: AbortSignal,
	candidates: typeof places = places,
): Promise<readonly ServerListing[]> {
	const listings = await Promise.all(
		candidates.map(({ port, name }) => {
			const baseUrl = `http://127.0.0.1:${port}`;
			return listServer({ name, baseUrl, headers: {} }, signal, lookMs);
		}),
	);
	return listings.filter(({ failure }) => failure === undefined);
}

/** Asks one server for its models within `ms`; a failure becomes a sentence. */
export async function listServer(
	server: ServerSetup,
	signal: AbortSignal,
	ms: number,
): Promise<ServerListing> {
	const { name, baseUrl } = server;
	const within = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
	try {
		const [models, kind] = await Promise.all([
			listOpenAiModels(server, within),
			kindOf(server, within),
		]);
		const details = kind === "ollama" ? await detailsOf(server, signal, ms) : undefined;
		return {
			server: name,
			baseUrl,
			kind,
			models: models.map(({ id, ...known }) => ({
				...known,
				...details?.get(id),
				id: `${name}/${id}`,
				label: id,
				server: name,
			})),
		};
	} catch (error) {
		if (signal.aborted && isAbortError(error)) {
			throw error;
		}
		const refused = refusedBy(toError(error));
		return {
			...{ server: name, baseUrl, models: [], failure: sentenceOf(name, toError(error), ms) },
			refused,
		};
	}
}

/** A server that has answered is given longer to tell more of its models, and is listed without that where it does not. */
async function detailsOf(
	server: ServerSetup,
	signal: AbortSignal,
	ms: number,
): ReturnType<typeof ollamaDetails> {
	try {
		const within = AbortSignal.timeout(Math.max(ms, detailsMs));
		return await ollamaDetails(server, AbortSignal.any([signal, within]));
	} catch {
		throwIfAborted(signal);
		return new Map();
	}
}

function refusedBy(error: Error): ServerListing["refused"] {
	if (error instanceof HttpFailure) {
		const { status } = error;
		return status === 401 || status === 403
			? "key"
			: status === 404 || status === 405
				? "address"
				: undefined;
	}
	return isNoList(error) ? "address" : undefined;
}

function isNoList(error: Error): boolean {
	return error.name === "$ZodError" || error instanceof SyntaxError;
}

function sentenceOf(name: string, error: Error, ms: number): string {
	if (error instanceof ProxyError) {
		return error.message;
	}
	if (error.name === "TimeoutError" || isAbortError(error)) {
		return `${name} did not answer within ${ms / 1000} s.`;
	}
	const isOwn = error instanceof HttpFailure;
	const code = "code" in error && !isOwn ? String(error.code) : undefined;
	if (code === "ECONNREFUSED") {
		return `${name} is not running: nothing listens at its address.`;
	}
	const reason = isNoList(error)
		? "it sent no list of models"
		: error instanceof BodyTooLongError
			? "its answer is too long for a list of models"
			: error.message;
	return `${name} cannot be asked for its models: ${code ?? reason}.`;
}

/** Returns the kind of a server, or undefined where it does not answer within two seconds. */
export async function kindWithin(
	server: ServerSetup,
	signal: AbortSignal,
): Promise<ServerKind | undefined> {
	try {
		return await kindOf(server, AbortSignal.any([signal, AbortSignal.timeout(2_000)]));
	} catch {
		throwIfAborted(signal);
		// The chat request that follows meets the same trouble and tells it in words.
		return undefined;
	}
}

/** The longest answer about a kind that is read; a page may be there instead. */
const maxKindBytes = 16 * 1024 * 1024;

/**
 * Returns the kind of a server, or undefined where it wants a key first. Ollama reports its version and either that it is running, at its root,
 * or its models in its own form. Others that report a version, such as Open WebUI, have a page at their root.
 */
async function kindOf(
	{ baseUrl, headers }: ServerSetup,
	signal: AbortSignal,
): Promise<ServerKind | undefined> {
	let isLocked = false;
	const get = async (path: string): Promise<string> => {
		const response = await ask(new URL(ollamaUrl(baseUrl, path)), { headers, signal });
		const body = await readWhole(response.body, maxKindBytes);
		isLocked ||= response.status === 401 || response.status === 403;
		return response.ok ? body.toString().trim() : "";
	};
	if (!/^\{\s*"version"/.test(await get("/api/version"))) {
		return isLocked ? undefined : "openai";
	}
	const root = await get("/");
	const isOllama =
		root.includes("Ollama is running") ||
		(!root.startsWith("<") && /^\{\s*"models"/.test(await get("/api/tags")));
	return isOllama ? "ollama" : "openai";
}
