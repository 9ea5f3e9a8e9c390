import * as z from "zod/mini";

/** The latest time that a `Date` holds; formatting a later one throws (ECMAScript, Time Values). */
const maxTime = 8.64e15;

/** A time as it is kept: milliseconds since 1970 that can be shown. */
export const timeSchema = z.number().check(z.minimum(-maxTime), z.maximum(maxTime));
