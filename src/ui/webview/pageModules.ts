import { readFileSync } from "node:fs";
import * as z from "zod/mini";

/** The scripts of each page besides its own, by the page's name, relative to the folder of the webviews' files. */
const modulesSchema = z.record(z.string(), z.array(z.string().check(z.regex(/^[\w./-]+\.js$/))));

/**
 * The scripts a page cannot begin without, from the file that the build writes beside them: the document asks for all of them at
 * once, where each would otherwise be asked for by the one before. None when no such file can be read, as while the build watches.
 */
export function pageModules(file: string, page: string): readonly string[] {
	try {
		return z.parse(modulesSchema, JSON.parse(readFileSync(file, "utf8")))[page] ?? [];
	} catch {
		// The scripts ask for each other anyway, only later.
		return [];
	}
}
