import type { IncomingMessage } from "node:http";
import type { Clock } from "../../common/async.ts";
import { AbortError } from "../../common/errors.ts";
import { HttpFailure } from "../base/httpFailure.ts";
import { describeBytes } from "../base/limits.ts";

export interface BodyLimits {
	readonly maxBytes: number;
	/** Milliseconds without a byte. */
	readonly idleMs: number;
}

/**
 * Yields the body as it arrives. Throws `HttpFailure` 413 above `maxBytes`, 408 after `idleMs` without data, and `AbortError` if the client
 * disconnects. Doesn't close the request when reading stops early, so that an error can still be sent.
 */
export async function* readBody(
	request: IncomingMessage,
	limits: BodyLimits,
	clock: Clock,
): AsyncGenerator<Buffer, void, undefined> {
	const tooLarge = (): HttpFailure =>
		new HttpFailure(
			413,
			"too_large",
			`The request body may have at most ${describeBytes(limits.maxBytes)}.`,
		);
	if (Number(request.headers["content-length"] ?? 0) > limits.maxBytes) {
		throw tooLarge();
	}
	let total = 0;
	while (!request.readableEnded) {
		const chunk: unknown = request.read();
		if (!(chunk instanceof Buffer)) {
			await nextEvent(request, limits.idleMs, clock);
			continue;
		}
		total += chunk.length;
		if (total > limits.maxBytes) {
			throw tooLarge();
		}
		yield chunk;
	}
}

/** Reads a JSON body. Throws `HttpFailure` 400 unless it is UTF-8 and JSON. RFC 8259 §8.1. */
export async function readJson(
	request: IncomingMessage,
	limits: BodyLimits,
	clock: Clock,
): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of readBody(request, limits, clock)) {
		chunks.push(chunk);
	}
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
	} catch {
		throw new HttpFailure(400, "invalid_json", "The request body is not valid JSON in UTF-8.");
	}
}

/** Waits for the request's next event. Removes its listeners, so that the request can be drained afterwards. */
function nextEvent(request: IncomingMessage, idleMs: number, clock: Clock): Promise<void> {
	return new Promise((resolve, reject) => {
		const settle = (outcome: () => void) => (): void => {
			timer.dispose();
			request.off("readable", onReadable).off("end", onReadable);
			request.off("error", onGone).off("close", onGone);
			outcome();
		};
		const onReadable = settle(resolve);
		const onGone = settle(() => reject(new AbortError("The caller left")));
		const onSilence = settle(() =>
			reject(new HttpFailure(408, "body_timeout", "The request body did not arrive in time.")),
		);
		const timer = clock.setTimer(idleMs, onSilence);
		request.on("readable", onReadable).on("end", onReadable);
		request.on("error", onGone).on("close", onGone);
		if (request.destroyed) {
			onGone();
		}
	});
}
