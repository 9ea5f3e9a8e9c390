/** A program: `node scripts/releaseNotes.ts v1.2.3` prints the changelog's section of a version, which must be that of package.json. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot, readManifest, say } from "./project.ts";

/** The section of a version in a changelog, without its heading. Throws when it is missing or has no text. */
export function changelogSection(changelog: string, version: string): string {
	const sections = changelog.split(/^## /m).slice(1);
	const section = sections.find(text => /^\[?([^\]\s]+)/.exec(text)?.[1] === version);
	const notes = section?.slice(section.indexOf("\n")).trim() ?? "";
	if (notes === "") {
		throw new Error(`CHANGELOG.md has no section ${version}.`);
	}
	return notes;
}

if (import.meta.main) {
	const { version } = await readManifest();
	const [tag] = process.argv.slice(2);
	if (tag !== `v${version}`) {
		throw new Error(`The tag ${tag ?? ""} is not v${version}, the version of package.json.`);
	}
	say(changelogSection(await readFile(join(projectRoot, "CHANGELOG.md"), "utf8"), version));
}
