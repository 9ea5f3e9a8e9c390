import * as z from "zod/mini";
import { ServiceError } from "../contract/errors.ts";
import { maxDetailCharacters, plainText } from "./plainText.ts";

/**
 * Checks a request against its schema before anything is sent. Throws `invalidRequest` whose detail names the field and
 * its bound, such as «duration must be a whole number from 1 to 4». docs/interface.md, behavior out of range.
 */
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

/** The request as JSON. A value that JSON cannot hold is `invalidRequest`. */
export function jsonBody(request: unknown): string {
	try {
		return JSON.stringify(request);
	} catch (cause) {
		throw invalidRequest("the request holds a value that JSON cannot hold", cause);
	}
}

/** A request that is refused here, with the reason as a user reads it. */
export function invalidRequest(detail: string, cause?: unknown): ServiceError {
	return new ServiceError("invalidRequest", {
		charge: "notSent",
		detail: plainText(detail, maxDetailCharacters),
		...(cause === undefined ? {} : { cause }),
	});
}
