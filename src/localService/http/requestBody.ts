import type { IncomingMessage } from "node:http";
import type { HttpExchange, RouteDependencies } from "./exchange.ts";
import type { Clock } from "../../common/async.ts";
import { AbortError } from "../../common/errors.ts";
import { HttpFailure } from "../base/failureResponse.ts";
import { describeBytes } from "../base/limits.ts";
import * as z from "zod/mini";

interface BodyLimits {
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
	{ request }: Pick<HttpExchange, "request">,
	{ limits, clock }: Pick<RouteDependencies, "limits" | "clock">,
): Promise<unknown> {
	const chunks: Buffer[] = [];
	const bounds = { maxBytes: limits.maxJsonBytes, idleMs: limits.bodyIdleMs };
	for await (const chunk of readBody(request, bounds, clock)) {
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

/**
 * Validates a body and throws `HttpFailure` 400 if it is invalid. The message names the first invalid field and its limit, with the schema's message
 * or a general one. Treats fields that are `null` as absent, except inside the schema of a tool's parameters.
 */
export function parseRequest<T>(schema: z.ZodMiniType<T>, body: unknown): T {
	const result = z.safeParse(schema, withoutNulls(body), { reportInput: true });
	if (result.success) {
		return result.data;
	}
	const issue = result.error.issues[0];
	const message = issue
		? `${fieldName(issue.path)}: ${describeIssue(issue)}.`
		: "The request does not fit.";
	throw new HttpFailure(400, "invalid_request", message);
}

/** Depth of optional fields: `custom_tools`, an item, its `function`. A deeper `null` is the client's data. */
const optionalDepth = 3;

function withoutNulls(value: unknown, depth = 0): unknown {
	if (typeof value !== "object" || value === null || depth > optionalDepth) {
		return value;
	}
	if (Array.isArray(value)) {
		return value.map(item => withoutNulls(item, depth + 1));
	}
	const given = Object.entries(value).filter(([, field]) => field !== null);
	return Object.fromEntries(given.map(([name, field]) => [name, withoutNulls(field, depth + 1)]));
}

/** Formats `messages[0].content`, or `body` for the request itself. */
function fieldName(path: readonly PropertyKey[]): string {
	const name = path.reduce<string>((text, key) => {
		if (typeof key === "number") {
			return `${text}[${key}]`;
		}
		return text === "" ? String(key) : `${text}.${String(key)}`;
	}, "");
	return name === "" ? "body" : name.slice(0, 120);
}

/** The message of zod/mini for a schema without one. */
const unspecificMessage = "Invalid input";

function describeIssue(issue: z.core.$ZodIssue): string {
	const rule = issue.message === unspecificMessage ? describeRule(issue) : issue.message;
	const isMissing = issue.code === "invalid_type" && issue.input === undefined;
	return isMissing ? `is missing; it ${rule}` : rule;
}

const typeNames: Readonly<Record<string, string>> = {
	string: "text",
	boolean: "true or false",
	array: "an array",
	object: "an object",
	record: "an object",
};

function describeRule(issue: z.core.$ZodIssue): string {
	switch (issue.code) {
		case "invalid_type":
			return `must be ${typeNames[issue.expected] ?? issue.expected}`;
		case "invalid_value":
			return `must be ${issue.values.map(value => JSON.stringify(value)).join(" or ")}`;
		case "too_small":
			return issue.origin === "string" && issue.minimum === 1
				? "must not be empty"
				: `must have or be at least ${issue.minimum}`;
		case "too_big":
			return `must have or be at most ${issue.maximum}`;
		default:
			return "is not valid";
	}
}
