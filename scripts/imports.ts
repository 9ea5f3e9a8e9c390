import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { projectRoot } from "./project.ts";

/** One import of a file. */
export interface Import {
	/** From the project's root, such as `src/chat/chatRequest.ts`. */
	readonly file: string;
	readonly specifier: string;
	/** Whether it is an `import()`, which loads a part of the program when it is first needed. */
	readonly isLazy: boolean;
}

/** The TypeScript files below a folder of the project, from its root. */
export function filesBelow(folder: string): string[] {
	return readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
		.filter(entry => entry.isFile() && entry.name.endsWith(".ts"))
		.map(entry => fromRoot(join(entry.parentPath, entry.name)));
}

const statement =
	/(?:^|\n)\s*(?:import|export)\s+(?:type\s)?[^;"']*?from\s*["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)|(?:^|\n)\s*import\s+["']([^"']+)["']/g;

/** What a file imports, types included. */
export function importsOf(file: string): Import[] {
	const text = readFileSync(join(projectRoot, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
	return [...text.matchAll(statement)].map(match => ({
		file,
		specifier: match[1] ?? match[2] ?? match[3] ?? "",
		isLazy: match[2] !== undefined,
	}));
}

/** The file a relative import names, from the project's root; undefined for a package. */
export function fileOf({ file, specifier }: Import): string | undefined {
	return specifier.startsWith(".")
		? fromRoot(resolve(projectRoot, dirname(file), specifier))
		: undefined;
}

function fromRoot(path: string): string {
	return relative(projectRoot, path).split(sep).join("/");
}
