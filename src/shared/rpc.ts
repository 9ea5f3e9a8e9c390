import * as z from "zod/mini";

/**
 * The largest message the host accepts from a webview, in characters of its JSON form (threat T19). What the host sends
 * is not capped: an answer may be as long as it is.
 */
export const maxMessageCharacters = 1024 * 1024;

/** A webview's request; `id` pairs it with its one reply. */
export const requestSchema = z.strictObject({
	type: z.literal("request"),
	id: z.int().check(z.minimum(0)),
	method: z.string().check(z.maxLength(64)),
	params: z.unknown(),
});

/** The host's one reply to a request, whatever its handler did. */
export const replySchema = z.union([
	z.strictObject({
		type: z.literal("reply"),
		replyTo: z.int(),
		ok: z.literal(true),
		result: z.unknown(),
	}),
	z.strictObject({
		type: z.literal("reply"),
		replyTo: z.int(),
		ok: z.literal(false),
		code: z.enum(["unknownMethod", "invalidParams", "failed"]),
		message: z.string(),
	}),
]);
export type Reply = z.infer<typeof replySchema>;

/** Something the host tells a webview unasked. */
export const pushSchema = z.strictObject({
	type: z.literal("push"),
	event: z.string(),
	data: z.unknown(),
});

/** A protocol's requests: per method the schemas of what goes in and what comes back. */
export type RequestTable = Readonly<
	Record<string, { readonly params: z.ZodMiniType; readonly result: z.ZodMiniType }>
>;

/** One handler for every request of a protocol: leaving one out does not compile. */
export type RequestHandlers<Table extends RequestTable> = {
	readonly [Method in keyof Table]: (
		params: z.infer<Table[Method]["params"]>,
	) => z.infer<Table[Method]["result"]> | Promise<z.infer<Table[Method]["result"]>>;
};
