/** Patterns that indicate a language, each worth a point. Prose matches none. */
const signs: Readonly<Record<string, readonly RegExp[]>> = {
	html: [/<!doctype html/i, /<\/(?:html|body|div|p|head|span)>/i, /<(?:div|p|a|head|body)[\s>]/i],
	css: [/^[.#]?[\w-]+[^{};()=]*\{\s*$/m, /^\s*[\w-]+\s*:\s*[^;{}]+;\s*$/m],
	typescript: [
		/^\s*(?:export\s+)?(?:interface|type|enum)\s+\w+/m,
		/[\w)\]]\??:\s*(?:string|number|boolean|unknown|void|readonly)\b/,
		/\bimport\s+(?:type\s+)?[\w{*][^;]*\bfrom\s+["']/,
	],
	javascript: [
		/\b(?:const|let|var)\s+[\w{[]/,
		/=>|\bfunction\b\s*\w*\(/,
		/\brequire\(|\bmodule\.exports\b|\bconsole\.\w+\(/,
	],
	python: [
		/^\s*(?:async\s+)?def\s+\w+\(.*\).*:\s*(?:#.*)?$/m,
		/^\s*(?:from\s+[\w.]+\s+)?import\s+[\w.*]+(?:\s+as\s+\w+)?\s*$/m,
		/^\s*(?:if|elif|for|while|class|with|try|else|except)\b.*:\s*$/m,
	],
	rust: [/\bfn\s+\w+\s*[(<]/, /\blet\s+(?:mut\s+)?\w+/, /\b(?:impl|pub|match|println!)\b/],
	go: [/^package\s+\w+/m, /\bfunc\s+(?:\([^)]*\)\s*)?\w+\(/, /:=/],
	java: [/\bpublic\s+(?:final\s+|static\s+)*(?:class|interface|enum|void)\b/, /\bSystem\.out\./],
	csharp: [
		/^using\s+[\w.]+;/m,
		/\bnamespace\s+[\w.]+/,
		/\bConsole\.Write/,
		/\bstatic\s+(?:async\s+)?\w+\s+\w+\(/,
	],
	cpp: [/^\s*#include\s*<\w+>/m, /\bstd::\w+/, /\b(?:template|constexpr|auto)\b/],
	c: [/^\s*#include\s*<\w+\.h>/m, /\bint\s+main\s*\(/, /\bprintf\(/],
	sql: [/\bselect\b[\s\S]+\bfrom\b/i, /\b(?:insert\s+into|create\s+table|where|order\s+by)\b/i],
	bash: [/^#!.*\b(?:ba|z)?sh\b/m, /^\s*(?:fi|done|esac)\s*$/m, /\$\{\w+|\becho\s+["$]/],
	yaml: [/^---\s*$/m, /^[\w-]+:\s*$/m, /^\s+-\s+\w+/m],
	markdown: [/^#{1,6}\s+\S/m, /^\s*(?:[-*]|\d+\.)\s+\S/m, /^```/m, /\[[^\]]+\]\([^)]+\)/],
	csv: [/^(?:[^,\n]+,){2,}[^,\n]*\n(?:[^,\n]*,){2,}[^,\n]*$/m],
};

/** Patterns that indicate TypeScript on their own. It shares the others with JavaScript. */
const typeSigns = signs["typescript"]?.slice(0, 2) ?? [];

/** Only the start of a text is examined, because some patterns take quadratic time. */
const sampleLength = 4_000;

/** Blank lines, which several patterns would scan repeatedly. */
const blankLines = /\n(?:[^\S\n]{0,200}\n){2,}/g;

/** Returns a text's most likely language, or undefined for prose. */
export function guessLanguage(text: string): string | undefined {
	if (isJson(text)) {
		return "json";
	}
	const sample = text.replaceAll(blankLines, "\n\n").slice(0, sampleLength);
	const best = bestGuess(sample);
	const hasTypes = typeSigns.some(pattern => pattern.test(sample));
	return best === "javascript" && hasTypes ? "typescript" : best;
}

/** A single match may be accidental, unless the language has only one pattern. */
function bestGuess(sample: string): string | undefined {
	let best: string | undefined;
	let bestScore = 0;
	for (const [language, patterns] of Object.entries(signs)) {
		const hits = patterns.filter(pattern => pattern.test(sample)).length;
		const isEnough = hits >= 2 || (hits === 1 && patterns.length === 1);
		// Adds a share, so that languages with many patterns have no advantage.
		const score = hits + hits / patterns.length;
		if (isEnough && score > bestScore) {
			best = language;
			bestScore = score;
		}
	}
	return best;
}

function isJson(text: string): boolean {
	if (!/^\s*[{[]/.test(text)) {
		return false;
	}
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
