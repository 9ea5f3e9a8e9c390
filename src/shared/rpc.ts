import * as z from "zod/mini";

/** The largest message that the host accepts from a webview, in characters of its JSON. No text in it can be longer. */
export const maxMessageCharacters = 1_000_000;

/** A webview's request. `id` identifies its single reply. */
export const requestSchema = z.strictObject({
	type: z.literal("request"),
	id: z.int().check(z.minimum(0)),
	method: z.string().check(z.maxLength(64)),
	params: z.unknown(),
});

/** The host's reply to a request. */
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

/** An event from the host. */
export const pushSchema = z.strictObject({
	type: z.literal("push"),
	event: z.string(),
	data: z.unknown(),
});

/** The parameters or the result of a request that has none. */
export const nothing = z.strictObject({});

/** A request with these parameters and an empty result. */
export function command<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
	return { params: z.strictObject(shape), result: nothing } as const;
}

/** A protocol's requests: schemas of parameters and result by method. */
export type RequestTable = Readonly<
	Record<string, { readonly params: z.ZodMiniType; readonly result: z.ZodMiniType }>
>;

/** What a handler may return: nothing for a request whose result is empty. */
type Handled<Result> = Record<string, never> extends Result ? Result | void : Result;

/** A handler for every request of a protocol. Omitting one is a type error. */
export type RequestHandlers<Table extends RequestTable> = {
	readonly [Method in keyof Table]: (
		params: z.infer<Table[Method]["params"]>,
	) =>
		Handled<z.infer<Table[Method]["result"]>> | Promise<Handled<z.infer<Table[Method]["result"]>>>;
};
