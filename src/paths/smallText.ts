import { lstatSync, readFileSync, statSync } from "node:fs";

/** The largest file of settings or patterns that is read, in bytes. */
const maxBytes = 1024 * 1024;

/** Text of a small regular file in UTF-8; empty where there is none. `ofLink`: also of one that a link leads to. */
export function smallText(path: string, ofLink = true): string {
	try {
		const stats = ofLink ? statSync(path) : lstatSync(path);
		return stats.isFile() && stats.size <= maxBytes ? readFileSync(path, "utf8") : "";
	} catch {
		// Most people have no such file.
		return "";
	}
}
