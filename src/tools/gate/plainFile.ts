import type { FilePreview } from "../tool/edits.ts";

/** Extensions of prose. Agents follow instructions in it. */
const proseKinds = words("md txt rst adoc");

/** Extensions of source, markup and styles that aren't executed automatically. */
const sourceKinds = words(
	"ts tsx mts cts js jsx mjs cjs vue svelte py java kt scala cs fs vb go rs swift dart c h cc cpp cxx hh hpp hxx m mm",
	"rb php ex erl hs ml mli clj cljs r jl html htm css scss sass less",
);

/** Folders whose files run, build, deploy or configure, or are third-party. */
const busyFolders = words(
	"node_modules bower_components jspm_packages vendor pods site-packages dist-packages venv env virtualenv renv",
	"bin sbin script scripts hooks githooks git-hooks ci config configs conf build buildsrc build-logic gradle cmake project",
	"tasks rakelib xtask magefiles fastlane deploy deployment docker initializers autoload ftplugin ruby_lsp",
);

/** Words in the names of files that tools read or that run automatically. */
const busyWords = words(
	"config configs configuration conf cfg settings setup build make install preinstall postinstall hook hooks task tasks",
	"conftest sitecustomize usercustomize dodo manage wsgi asgi webpack rollup vite vitest esbuild babel jest karma cypress",
	"playwright eslint prettier stylelint gatsby package project workspace manifest requirements constraints cmakelists deps",
	"plugin plugins preload bootstrap startup entrypoint deploy release publish ci env environment toolchain lock rc",
);

/** Words in the paths of prose that instructs agents. */
const agentWords = words(
	"agent agents subagents claude gemini copilot cursor codex aider windsurf cline clinerules roo kiro junie augment",
	"opencode crush warp qwen jules goose goosehints skill skills convention conventions rule rules prompt prompts",
	"instruction instructions guideline guidelines chatmode chatmodes mode modes memory memories llm llms command commands",
	"workflow workflows persona personas system",
);

const taskFile =
	/^(?:gulp|grunt|rake|danger|jake|cake|mage|nox|fab|broc|docker|guard|cap|pod|fast|gem|task|just|make|jenkins|conan|pnpm|thor)file$/;

/**
 * Whether an approval for a file may cover its later edits: source, prose or a style sheet with a known extension, in a folder below the workspace
 * folder, that no tool, agent or system reads or runs automatically. Other files require approval every time (docs/security.md).
 */
export function isPlainFile({
	target,
	before,
	after,
}: Pick<FilePreview, "target" | "before" | "after">): boolean {
	const names = target.inside.map(folded);
	const name = names.at(-1) ?? "";
	const folders = names.slice(0, -1);
	const kind = name.slice(name.lastIndexOf(".") + 1);
	const parts = name.split(/[^a-z0-9]+/).slice(0, -1);
	const isProse = proseKinds.has(kind);
	return (
		folders.length > 0 &&
		(isProse || sourceKinds.has(kind)) &&
		!names.some(isOddName) &&
		!folders.some(folder => busyFolders.has(folder) || folder.endsWith(".d")) &&
		!parts.some(part => busyWords.has(part) || taskFile.test(part)) &&
		!(isProse && names.some(part => part.split(/[^a-z0-9]+/).some(word => agentWords.has(word)))) &&
		!target.isExecutable &&
		![before, after].some(text => /^\uFEFF?#!/.test(text))
	);
}

/** Whether a name starts with a dot, or is an alias of another name on some file systems. */
function isOddName(name: string): boolean {
	return /^\.|[. ]$|[~:]/.test(name);
}

/** Normalizes names that a file system may treat as the same. */
function folded(name: string): string {
	return name.normalize("NFKC").toUpperCase().toLowerCase();
}

function words(...lines: readonly string[]): ReadonlySet<string> {
	return new Set(lines.flatMap(line => line.split(" ")));
}
