// Asks the hub for commit and SHA-256 of the offered models, and writes them into the source. Look at the difference before you commit it.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultHub, hubModels } from "../src/common/modelSetup.ts";
import { resolveFile } from "../src/localService/embedded/hubFile.ts";

const file = join(import.meta.dirname, "../src/common/knownModelFiles.ts");
const { signal } = new AbortController();

const entries: string[] = [];
for (const { repository, file: name } of hubModels) {
	const { commit, sha256 } = await resolveFile(defaultHub, { repository, file: name }, signal);
	if (commit === undefined) {
		throw new Error(`The hub names no commit of ${name}.`);
	}
	entries.push(
		`\t${JSON.stringify(name)}: {\n\t\tcommit: "${commit}",\n\t\tsha256: "${sha256}",\n\t},\n`,
	);
}
const source = await readFile(file, "utf8");
await writeFile(file, source.replace(/ = \{[^]*\};\n$/, ` = {\n${entries.join("")}};\n`));
