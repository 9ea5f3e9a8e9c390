import * as z from "zod/mini";

export const pathSchema = z
	.string()
	.check(
		z.minLength(1),
		z.maxLength(4096),
		z.describe(
			"Path of a file in the workspace, relative to its folder, with forward slashes. With several workspace folders it begins with the folder's name.",
		),
	);

/** A line number argument, counted from 1. */
export const lineSchema = z.int().check(z.minimum(1), z.maximum(10_000_000));

export const globSchema = z.string().check(
	z.minLength(1),
	z.maxLength(500),
	z.refine(glob => !/\p{Cc}|\\|(?<!\.)\.\.(?!\.)|^\/|:/u.test(glob), {
		error: "must be a glob inside the workspace",
	}),
	z.describe(
		"Glob relative to the workspace, such as src/**/*.ts, or the path of a folder or file",
	),
);

/** A text argument to be written. */
export const textSchema = z.string().check(z.maxLength(1_000_000));
