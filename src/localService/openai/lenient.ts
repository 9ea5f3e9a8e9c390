import * as z from "zod/mini";

/** A field that servers fill in as they like: null, or a value of another type, counts as missing. */
export const lenient = <Schema extends z.core.$ZodType>(schema: Schema) =>
	// oxlint-disable-next-line promise/valid-params -- this `catch` is zod's
	z.catch(z.nullish(schema), undefined);
