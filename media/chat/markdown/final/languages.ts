import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { rarerLanguage } from "./rarerLanguages.ts";

const languages = {
	bash,
	cpp,
	css,
	diff,
	go,
	java,
	json,
	markdown,
	python,
	rust,
	sql,
	typescript,
	xml,
	yaml,
};
for (const [name, language] of Object.entries(languages)) {
	highlighter.registerLanguage(name, language);
}
// The superset also highlights JavaScript. It needs its own name, because scripts in HTML refer to it.
highlighter.registerLanguage("javascript", typescript);
highlighter.registerAliases(["js", "jsx", "mjs", "cjs"], { languageName: "javascript" });
highlighter.registerAliases(["c", "h"], { languageName: "cpp" });
highlighter.registerAliases(["shell", "console"], { languageName: "bash" });
// The script and style elements of a component are highlighted accordingly.
highlighter.registerAliases(["vue", "svelte", "astro"], { languageName: "xml" });

/** Loads a language by any of its names. Does nothing if it is loaded or unknown. */
export async function loadLanguage(name: string): Promise<void> {
	const language = rarerLanguage(name);
	if (language && !highlighter.getLanguage(language.name)) {
		highlighter.registerLanguage(language.name, (await language.load()).default);
		highlighter.registerAliases([...language.aliases], { languageName: language.name });
	}
}

/** The library with the most common languages. */
export { highlighter };
