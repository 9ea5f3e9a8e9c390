/** highlight.js with the languages that clips often have. Its types would bring those of the DOM, so they are in `highlighter.d.ts`. */
import highlighter from "highlight.js/lib/common";
import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import haskell from "highlight.js/lib/languages/haskell";
import powershell from "highlight.js/lib/languages/powershell";
import scala from "highlight.js/lib/languages/scala";

const further = { dart, dockerfile, elixir, haskell, powershell, scala };
for (const [name, language] of Object.entries(further)) {
	highlighter.registerLanguage(name, language);
}

export { highlighter };
