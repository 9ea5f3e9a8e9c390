import * as z from "zod/mini";
import { isRecord } from "../../common/json.ts";
import { ServiceError } from "../contract/serviceError.ts";
import { webPage } from "./httpFailure.ts";
import { maxDetailCharacters, maxMessageCharacters, plainText } from "./redact.ts";
import { failure, type ResponseStream, readText } from "./request.ts";
import { isWebPage, messageOf, own, parseBody } from "./serviceMessage.ts";

/** The most bytes of a response other than a chat answer. */
export const maxReplyBytes = 1024 * 1024;

/** Validates a JSON response. Throws `webPage`, `empty`, `rejected`, `answerTooLarge` or `unreadable`. docs/faults.md. */
export async function readJson<Schema extends z.core.$ZodType>(
	exchange: ResponseStream,
	schema: Schema,
	maxBytes: number = maxReplyBytes,
): Promise<z.output<Schema>> {
	const text = await readText(exchange, maxBytes);
	if (text.trim() === "") {
		throw failure("empty", exchange);
	}
	if (isWebPage(exchange.header("content-type"), text)) {
		throw webPage(text, exchange.host, exchange.status);
	}
	const body = parseBody(text);
	const parsed = z.safeParse(schema, body);
	if (isRecord(body) && (own(body, "success") === false || !parsed.success)) {
		const message = messageOf(body);
		const words =
			message === undefined ? {} : { serviceMessage: plainText(message, maxMessageCharacters) };
		if (own(body, "success") === false || message !== undefined) {
			throw failure("rejected", exchange, { charge: "refused", ...words });
		}
	}
	if (!parsed.success) {
		throw failure("unreadable", exchange, { detail: whatIsWrong(body, parsed.error) });
	}
	return parsed.data;
}

function whatIsWrong(body: unknown, error: z.core.$ZodError): string {
	if (body === undefined) {
		return "the answer is not JSON";
	}
	const path = error.issues[0]?.path.map(String).join(".") ?? "";
	const place = path === "" ? "the answer" : `the field ${path}`;
	return plainText(`${place} is not what the interface promises`, maxDetailCharacters);
}

/** Validates a request before it is sent. Throws `invalidRequest`, whose detail names the field and its limit. */
export function validated<Schema extends z.core.$ZodType>(
	schema: Schema,
	request: z.input<Schema>,
): z.output<Schema> {
	const parsed = z.safeParse(schema, request);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		const field = issue?.path.map(String).join(".") || "the request";
		throw invalidRequest(`${field} ${issue?.message ?? "is not valid"}`);
	}
	return parsed.data;
}

/** Serializes a request. Throws `invalidRequest` if JSON can't represent it. */
export function jsonBody(request: unknown): string {
	try {
		return JSON.stringify(request);
	} catch (cause) {
		throw invalidRequest("the request holds a value that JSON cannot hold", cause);
	}
}

/** Creates the failure of a request rejected by the client, with the reason for the user. */
export function invalidRequest(detail: string, cause?: unknown): ServiceError {
	return new ServiceError("invalidRequest", {
		charge: "notSent",
		detail: plainText(detail, maxDetailCharacters),
		...(cause === undefined ? {} : { cause }),
	});
}
