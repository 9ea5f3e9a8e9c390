import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod/mini";

const lockFile = z
	.object({
		packages: z.record(
			z.string(),
			z.looseObject({
				integrity: z.optional(z.string()),
				link: z.optional(z.boolean()),
				resolved: z.optional(z.string()),
			}),
		),
	})
	.parse(JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package-lock.json"), "utf8")));

const installed = Object.entries(lockFile.packages).filter(
	([path, entry]) => path !== "" && entry.link !== true,
);

test("every package of the lock file has a checksum, so that a substituted archive is refused", () => {
	const unchecked = installed.filter(
		([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""),
	);

	expect(installed.length).toBeGreaterThan(400);
	expect(unchecked.map(([path]) => path)).toEqual([]);
});

test("the lock file names no download address, so that every registry can serve it", () => {
	expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
