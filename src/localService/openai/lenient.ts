import * as z from "zod/mini";

/** A field that some servers set to null or to another type, which counts as missing. */
export const lenient = <Schema extends z.core.$ZodType>(schema: Schema) =>
	// oxlint-disable-next-line promise/valid-params -- this `catch` is zod's
	z.catch(z.nullish(schema), undefined);
