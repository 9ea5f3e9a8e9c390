import { readFileSync } from "node:fs";
import * as z from "zod/mini";

/** The scripts of each page besides its own, by page name, relative to the webviews' folder. */
const modulesSchema = z.record(z.string(), z.array(z.string().check(z.regex(/^[\w./-]+\.js$/))));

/**
 * Returns the scripts that a page needs to start, from a file written by the build, so that the document can preload them in parallel. Returns none
 * if the file can't be read, for example in watch mode.
 */
export function pageModules(file: string, page: string): readonly string[] {
	try {
		return z.parse(modulesSchema, JSON.parse(readFileSync(file, "utf8")))[page] ?? [];
	} catch {
		// The scripts then import each other, only later.
		return [];
	}
}
