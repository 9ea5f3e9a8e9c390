import * as z from "zod/mini";
import { chargeStates, type FailureFacts, failureReasons, serviceErrorKinds } from "./errors.ts";

const text = z.optional(z.string());

/** An optional field of a failure. Values unknown to this version are dropped. */
const further = <Schema extends z.core.$ZodType>(schema: Schema) =>
	// oxlint-disable-next-line promise/valid-params -- this `catch` is zod's
	z.catch(z.optional(schema), undefined);

const tokensSchema = z.object({ has: z.number(), room: z.number() });

/** The record of a failed exchange. A kind of a newer version is read as `unreadable`. */
export const failureSchema = z.object({
	// oxlint-disable-next-line promise/valid-params -- this `catch` is zod's
	kind: z.catch(z.enum(serviceErrorKinds), "unreadable"),
	charge: z.enum(chargeStates),
	status: z.optional(z.number()),
	serviceMessage: text,
	host: text,
	retryAfterMs: z.optional(z.number().check(z.minimum(0))),
	detail: text,
	reason: further(z.enum(failureReasons)),
	tokens: further(tokensSchema),
}) satisfies z.ZodMiniType<FailureFacts>;

/** The local service's error body. Known codes are failure reasons. */
export const localErrorSchema = z.object({
	message: z.string(),
	code: further(z.enum(failureReasons)),
	tokens: further(tokensSchema),
});
