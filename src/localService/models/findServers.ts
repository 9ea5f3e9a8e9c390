import { throwIfAborted } from "../../common/async.ts";
import { isAbortError, toError, systemCode } from "../../common/errors.ts";
import type { ServerKind, ServerListing, ServerSetup } from "../../common/modelSetup.ts";
import { ask } from "../base/network.ts";
import { BodyTooLongError, readWhole } from "../base/limits.ts";
import { HttpFailure, unreached } from "../base/failureResponse.ts";
import { ProxyError } from "../base/proxyChoice.ts";
import { ollamaDetails, ollamaUrl } from "../ollama/ollamaDetails.ts";
import { listOpenAiModels } from "../openai/listModels.ts";

const places: readonly { readonly port: number; readonly name: string }[] = [
	{ port: 11434, name: "ollama" },
	{ port: 1234, name: "lm-studio" },
	{ port: 8080, name: "localhost-8080" },
	{ port: 9931, name: "localhost-9931" },
	{ port: 8000, name: "localhost-8000" },
];
/** A closed port refuses immediately. An open one may need most of this time while a window starts on a busy machine. */
const searchTimeoutMs = 1_000;
const detailsMs = 2_000;

/** Looks for model servers on all default ports of this machine at once. Omits those that don't respond. */
export async function findServers(
	signal: AbortSignal,
	candidates: typeof places = places,
): Promise<readonly ServerListing[]> {
	const listings = await Promise.all(
		candidates.map(({ port, name }) => {
			const baseUrl = `http://127.0.0.1:${port}`;
			return listServer({ name, baseUrl, headers: {} }, signal, searchTimeoutMs);
		}),
	);
	return listings.filter(({ failure }) => failure === undefined);
}

/** Lists a server's models within `ms`. A failure becomes a message. */
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
			models: models
				.map(model => ({ ...model, ...details?.get(model.id) }))
				.filter(({ isChat }) => isChat !== false)
				.map(({ id, isChat: _, isElsewhere: _cloud, ownContextLength: own, ...known }) => ({
					...known,
					...(known.contextLength === undefined && own !== undefined ? { contextLength: own } : {}),
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
			server: name,
			baseUrl,
			models: [],
			failure: sentenceOf(name, toError(error), ms),
			refused,
		};
	}
}

/** Allows more time for the details of a server that has responded. Without them, the models are still listed. */
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
	const code = isOwn ? "" : systemCode(error);
	const found = isOwn ? undefined : unreached(name, error);
	if (found) {
		return found.sentence;
	}
	const reason = isNoList(error)
		? "it sent no list of models"
		: error instanceof BodyTooLongError
			? "its answer is too long for a list of models"
			: error.message;
	return refusedBy(error) === "key"
		? `${name} needs a valid key: ${reason}.`
		: `${name} cannot be asked for its models: ${code || reason}.`;
}

/** Returns the kind of a server, or undefined if it doesn't respond within two seconds. */
export async function kindWithin(
	server: ServerSetup,
	signal: AbortSignal,
): Promise<ServerKind | undefined> {
	try {
		return await kindOf(server, AbortSignal.any([signal, AbortSignal.timeout(2_000)]));
	} catch {
		throwIfAborted(signal);
		// The chat request that follows will report the problem.
		return undefined;
	}
}

/** The longest response to read, because it may be a web page. */
const maxKindBytes = 16 * 1024 * 1024;

/**
 * Detects the kind of a server. Returns undefined if it requires a key. Ollama reports its version, and either that it is running, at its root, or
 * its models in its own format. Other servers that report a version, such as Open WebUI, have a page at their root.
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
