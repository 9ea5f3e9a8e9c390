import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { type Clock, delay, every } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { toError, systemCode } from "../../common/errors.ts";
import { parseJson } from "../../common/json.ts";
import type { Log } from "../../common/log.ts";
import { chatIdOf, type ChatPaths, chatPaths, lockSuffix } from "../log/chatPaths.ts";
import { type FileSystem, nodeFileSystem } from "../../storage/fileSystem.ts";
import { isLeaseHeld } from "../../storage/lease.ts";

/**
 * Lets a window request the right to write a chat from another. It writes a request beside the chat's log. The window that writes the chat notices it
 * within half a second and either releases the lease or marks the request as busy. Only the lease decides who writes, so a failed request never
 * causes a second writer.
 */

export type TakeoverResult =
	/** No window writes the chat now, so it can be opened for writing. */
	| "free"
	/** The other window is answering. With `isInsisting`, it would stop the answer, keep its text and release the lease. */
	| "busy"
	/** The other window is running but hasn't responded within ten seconds. */
	| "noAnswer";

export interface TakeoverOptions {
	/** Asks the other window to stop a running answer, as a reload would. */
	readonly isInsisting?: boolean;
	readonly signal?: AbortSignal;
}

/** Handles requests in the window that writes a chat. */
export interface TakeoverResponder {
	isBusy(): boolean;
	/** Stops the running answer, flushes to disk and releases the lease. */
	letGo(): Promise<void>;
}

interface TakeoverDependencies extends ChatPaths {
	readonly files: FileSystem;
	readonly clock: Clock;
}

const requestSchema = z.object({
	token: z.string(),
	/** Milliseconds since 1970. */
	at: z.number(),
	isInsisting: z.boolean(),
	answer: z.exactOptional(z.literal("busy")),
});
type TakeoverRequest = z.infer<typeof requestSchema>;

/** Polling intervals for a response and for requests, in milliseconds. */
const askMs = 100;
const answerMs = 500;

/** How long to wait for a response, and how old a request may be to get one, in milliseconds. */
const patienceMs = 10_000;

/** Asks the window that writes a chat to release it. Rejects with the system's error or `AbortError`. */
export async function requestTakeover(
	dependencies: TakeoverDependencies,
	{ isInsisting = false, signal }: TakeoverOptions,
): Promise<TakeoverResult> {
	const { files, clock, askPath, leasePath } = dependencies;
	const token = randomUUID();
	if (!(await isLeaseHeld(files, leasePath, clock))) {
		return "free";
	}
	const request: TakeoverRequest = { token, at: clock.now(), isInsisting };
	await files.replace(askPath, JSON.stringify(request));
	try {
		const deadline = clock.monotonic() + patienceMs;
		while (clock.monotonic() < deadline) {
			await delay(askMs, signal, clock);
			if (!(await isLeaseHeld(files, leasePath, clock))) {
				return "free";
			}
			const answered = await readRequest(dependencies);
			if (answered?.token === token && answered.answer === "busy") {
				return "busy";
			}
		}
		return "noAnswer";
	} finally {
		await withdraw(dependencies, token);
	}
}

/** Responds to requests for a chat that this window writes, until disposed. Responds to each request once. */
export function answerTakeoverRequests(
	dependencies: TakeoverDependencies,
	log: Log,
	chat: TakeoverResponder,
): IDisposable {
	const { files, clock, askPath } = dependencies;
	let isAnswering = false;
	let answered = "";
	const answer = async (): Promise<void> => {
		const request = await readRequest(dependencies);
		if (!request || request.answer || request.token === answered) {
			return;
		}
		if (Math.abs(clock.now() - request.at) > patienceMs) {
			return;
		}
		answered = request.token;
		if (chat.isBusy() && !request.isInsisting) {
			await files.replace(askPath, JSON.stringify({ ...request, answer: "busy" }));
		} else {
			await chat.letGo();
		}
	};
	return every(
		answerMs,
		() => {
			if (isAnswering) {
				return;
			}
			isAnswering = true;
			answer()
				.catch((error: unknown) =>
					log.warn("A request for a chat could not be answered", { error: toError(error).message }),
				)
				.finally(() => {
					isAnswering = false;
				});
		},
		clock,
	);
}

async function readRequest({
	files,
	askPath,
}: TakeoverDependencies): Promise<TakeoverRequest | undefined> {
	const bytes = await files.read(askPath).catch(() => "");
	return requestSchema.safeParse(parseJson(Buffer.from(bytes).toString("utf8"))).data;
}

async function withdraw(dependencies: TakeoverDependencies, token: string): Promise<void> {
	try {
		if ((await readRequest(dependencies))?.token === token) {
			await dependencies.files.remove(dependencies.askPath);
		}
	} catch (error) {
		// A request that stays expires after ten seconds.
		if (systemCode(error) === "") {
			throw error;
		}
	}
}

/** Returns the ids of chats that any window has open for writing, or none if the folder can't be read. */
export async function openChats(
	folder: string,
	clock: Clock,
	files: FileSystem = nodeFileSystem,
): Promise<ReadonlySet<string>> {
	// The chat list itself reports an unreadable folder.
	const names = await files.names(folder).catch(() => []);
	const ids = names.map(name => chatIdOf(name, lockSuffix)).filter(id => id !== undefined);
	const held = await Promise.all(ids.map(id => isHeld(folder, id, files, clock)));
	return new Set(ids.filter((_, index) => held[index]));
}

async function isHeld(
	folder: string,
	id: string,
	files: FileSystem,
	clock: Clock,
): Promise<boolean> {
	try {
		return await isLeaseHeld(files, chatPaths(folder, id).leasePath, clock);
	} catch (error) {
		return systemCode(error) !== "ENOENT";
	}
}
