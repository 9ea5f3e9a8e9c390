/**
 * How one window asks another for the right to write a chat. The asker puts a request beside the chat's log; the window that
 * writes the chat sees it within half a second and either lets go, which frees the lease, or writes into the request that it is
 * busy. The lease alone decides who writes, so whatever goes wrong with a request, there is never a second writer.
 */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { type Clock, delay, every } from "../../common/async.ts";
import type { IDisposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { ChatPaths } from "../log/chatPaths.ts";
import type { FileSystem } from "../../storage/fileSystem.ts";
import { systemCode } from "../../storage/atomicFile.ts";
import { isLeaseHeld } from "../../storage/lease.ts";

/** Outcome of a request. */
export type TakeoverResult =
	/** Nobody writes the chat at present: whoever opens it next may. */
	| "free"
	/** An answer is running there; asked with `isInsisting`, that window would stop it, keep its text and let go. */
	| "busy"
	/** The window that writes the chat lives, but has not answered within ten seconds. */
	| "noAnswer";

/** How a request is made. */
export interface TakeoverOptions {
	/** Asks the other window to stop an answer that is running, as a reload would. */
	readonly isInsisting?: boolean;
	readonly signal?: AbortSignal;
}

/** How the window that writes a chat meets requests. */
export interface TakeoverResponder {
	/** Whether an answer is running. */
	isBusy(): boolean;
	/** Ends what runs, puts everything on disk and gives the right to write back. */
	letGo(): Promise<void>;
}

/** Where requests are made. */
export interface TakeoverDependencies extends ChatPaths {
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

/** How often an answer is looked for, and a request, in milliseconds. */
const askMs = 100;
const answerMs = 500;

/** How long an asker waits, and how old a request may be that is still answered, in milliseconds. */
const patienceMs = 10_000;

/**
 * Asks the window that writes a chat to let go. Rejects with the system's error when the request cannot be written, and with
 * `AbortError` when the signal fires.
 */
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

/** Answers requests for a chat this window writes, until disposed. A request is answered once. */
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
					log.warn("A request for a chat could not be answered", {
						error: toError(error).message,
					}),
				)
				.finally(() => {
					isAnswering = false;
				});
		},
		clock,
	);
}

/** The request that is there; undefined when there is none or it cannot be read. */
async function readRequest({
	files,
	askPath,
}: TakeoverDependencies): Promise<TakeoverRequest | undefined> {
	try {
		const text = Buffer.from(await files.read(askPath)).toString("utf8");
		return requestSchema.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

async function withdraw(dependencies: TakeoverDependencies, token: string): Promise<void> {
	try {
		if ((await readRequest(dependencies))?.token === token) {
			await dependencies.files.remove(dependencies.askPath);
		}
	} catch (error) {
		// One that stays is too old to be answered in ten seconds.
		if (systemCode(error) === "") {
			throw error;
		}
	}
}
