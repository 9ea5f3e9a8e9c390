import { readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { EditorBuild } from "./editorBuild.ts";

/** Built-in extensions that tests meet: languages of the sample workspace, notebooks, Git, themes, and what they all need. */
const used: ReadonlySet<string> = new Set([
	"configuration-editing",
	"css",
	"css-language-features",
	"git",
	"git-base",
	"html",
	"html-language-features",
	"ipynb",
	"javascript",
	"json",
	"json-language-features",
	"markdown-basics",
	"markdown-language-features",
	"media-preview",
	"node_modules",
	"python",
	"shellscript",
	"typescript-basics",
	"typescript-language-features",
	"xml",
	"yaml",
]);

/**
 * Fills an empty folder with links to the built-in extensions that tests meet. A window with these alone opens with two
 * thirds of the work: Copilot and sixty more languages cost each one about five seconds of a processor.
 */
export async function leanBuiltInExtensions(build: EditorBuild, folder: string): Promise<void> {
	const all = join(dirname(dirname(build.serverMain)), "extensions");
	const names = await readdir(all);
	const chosen = names.filter(name => used.has(name) || name.startsWith("theme-"));
	// A junction, where a link needs rights that users of Windows do not have.
	await Promise.all(chosen.map(name => symlink(join(all, name), join(folder, name), "junction")));
}
