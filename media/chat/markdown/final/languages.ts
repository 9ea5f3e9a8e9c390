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
// A superset colors the language it grew from just as well, and is not loaded twice.
highlighter.registerAliases(["javascript", "js", "jsx", "mjs", "cjs"], {
	languageName: "typescript",
});
highlighter.registerAliases(["c", "h"], { languageName: "cpp" });
highlighter.registerAliases(["shell", "console"], { languageName: "bash" });

/** The library with the languages an answer is likely to hold. */
export { highlighter };
