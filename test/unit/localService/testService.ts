import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Clock } from "../../../src/common/async.ts";
import type { Log } from "../../../src/common/log.ts";
import type { Engine } from "../../../src/localService/engine.ts";
import type { Limits } from "../../../src/localService/base/limits.ts";
import { LocalServer } from "../../../src/localService/http/server.ts";
import type { CodeInterpreterOptions } from "../../../src/localService/python/codeInterpreter.ts";
import type { VideoServiceOptions } from "../../../src/localService/video/generations.ts";
import { echoEngine } from "../../helpers/echoEngine.ts";

export const testToken = "test-token-0123456789-abcdefghijklmnopqrstu";

/** A server of one test, stopped with it. */
export interface TestService {
	readonly port: number;
	readonly baseUrl: string;
	readonly filesFolder: string;
	stop(): Promise<void>;
	/** Sends JSON with the token. */
	post(path: string, body: unknown, signal?: AbortSignal): Promise<Response>;
	/** Asks one question and returns the response. */
	ask(question: string, options?: { readonly stream?: boolean }): Promise<Response>;
}

/** Starts a server whose engine answers with the question, unless told otherwise. */
export async function startTestService(
	options: {
		readonly engine?: Engine;
		readonly limits?: Partial<Limits>;
		readonly clock?: Clock;
		readonly log?: Log;
		readonly videos?: VideoServiceOptions;
		readonly python?: CodeInterpreterOptions;
	} = {},
): Promise<TestService> {
	const folder = await makeTestFolder();
	const filesFolder = join(folder, "files");
	const server = await LocalServer.start({
		engine: echoEngine,
		...options,
		token: testToken,
		filesFolder,
	});
	onTestFinished(() => server.stop());
	const post = (path: string, body: unknown, signal?: AbortSignal): Promise<Response> =>
		fetch(`${server.baseUrl}${path}`, {
			method: "POST",
			redirect: "manual",
			headers: { ...authorization, "Content-Type": "application/json" },
			body: JSON.stringify(body),
			...(signal ? { signal } : {}),
		});
	return {
		port: server.port,
		baseUrl: server.baseUrl,
		filesFolder,
		stop: () => server.stop(),
		post,
		ask: (question, { stream = false } = {}) =>
			post("/v1/chat/messages", chatRequest(question, { stream })),
	};
}

/** The header every request needs. */
export const authorization = { Authorization: `Bearer ${testToken}` } as const;

/** The smallest chat request, with further fields. Interface §4.4. */
export function chatRequest(question: string, fields: object = {}): Record<string, unknown> {
	return {
		model: "llm-4-turbo-tools",
		messages: [{ role: "user", content: question }],
		...fields,
	};
}

/** A folder that is removed with the test. */
export async function makeTestFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "cutaway-test-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	return folder;
}

/** The JSON every refusal has. docs/interface.md. */
export interface RefusalBody {
	readonly success: boolean;
	readonly error: { readonly message: string; readonly code: string };
}

/** A refusal's body; the tests say what must be in it. */
export async function refusalFrom(response: Response): Promise<RefusalBody> {
	// The assertions on the result fail when the shape is another.
	return (await response.json()) as RefusalBody;
}
