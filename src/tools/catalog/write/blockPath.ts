import { isKnownEnding } from "../../codePlacement/languageNames.ts";
import { patchedPaths } from "../../codePlacement/readPatches.ts";

/** A code block of an answer with its info string. */
export interface CodeBlock {
	readonly text: string;
	readonly info: string;
}

/** Names of files and folders as frameworks have them: `[id]`, `(shop)`, `@modal`, `$user`, `+page`. */
const part = String.raw`[\p{L}\p{N}\p{M}_@.()\[\]{}+$~&-]`;
const whole = String.raw`Dockerfile|Containerfile|Makefile|Gemfile|Rakefile|Jenkinsfile|Procfile|Vagrantfile|Brewfile|Justfile`;
const path = String.raw`(?:[A-Za-z]:)?[\\/]?(?:${part}+[\\/])*(?:${part}*\.[A-Za-z]\w{0,11}|(?:${whole})(?:\.\w+)?)`;
const spaced = path.replaceAll(`${part}+`, String.raw`${part}(?:${part}| (?=\S))*`);
/** Lines of the file, which an answer names behind it. */
const lines = String.raw`(?::L?\d+(?:[-–:]L?\d+)?|#L\d+(?:-L?\d+)?)?`;

const bare = new RegExp(`^(${path})${lines}$`, "u");
const quoted = new RegExp(String.raw`["'](${spaced})${lines}["']`, "u");

/** A first line that is a comment with only a path. */
const comment = new RegExp(
	String.raw`^\s*(?:\/\/+|#+|--|;+|%+|'|\/\*+|\{\/\*|<!--|\(\*)\s*(?:(file(?:\s?name|\s?path)?|path)\s*[:=]\s*)?["'${"`"}]?(${path})${lines}["'${"`"}]?` +
		String.raw`\s*(?:\((?:new|updated|changed|modified|existing|excerpt|partial|lines?)\b[^()]*\))?\s*(?:\*\/\}?|-->|\*\))?\s*$`,
	"iu",
);

/** Technologies and members of objects that are named like files. */
const technology =
	/^(?:alpine|angular|backbone|bun|chart|d3|discord|electron|ember|express|jquery|knockout|moment|nest|next|node|nuxt|p5|paper|phaser|react|require|solid|svelte|three|vue)\.js$|^(?:asp|vb|ado|ml)\.net$|^(?:console\.(?:log|error|warn|info)|process\.env|module\.exports|import\.meta)$/i;

/** A name that is a domain more often than a file of Org mode. */
const domain = /^[\w-]+\.org$/i;

/** Returns the file that a block names, and its code without the line that names it. `exists` tells what is a file where a name may be anything. */
export function blockPath(
	{ text, info }: CodeBlock,
	exists: (path: string) => boolean = () => false,
): { path?: string; code: string } {
	const isPath = (found: string): boolean => isNamed(found) || exists(found);
	const named = infoPath(info);
	const [first = "", ...rest] = text.split("\n");
	const [, label, commented] = comment.exec(first.replace(/\r$/, "")) ?? [];
	const patched = patchedPaths(text.split(/\r?\n/));
	const found = [named, commented, patched.length === 1 ? patched[0] : undefined].find(
		candidate =>
			candidate !== undefined &&
			((candidate === commented && label !== undefined) || isPath(candidate)),
	);
	const code = commented !== undefined && commented === found ? rest.join("\n") : text;
	return found === undefined ? { code: text } : { path: found, code };
}

/** Returns the path in `ts src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"`, `{file=a.ts}` or `10:20:src/a.ts`. */
function infoPath(info: string): string | undefined {
	const inQuotes = quoted.exec(info)?.[1];
	const forms = info
		.trim()
		.split(/\s+/)
		// A first word without a dot is the language.
		.filter((token, at) => at > 0 || /[./\\]/.test(token))
		.flatMap(token => [
			token.replace(/^\d+:\d+:/, ""),
			token.replace(/^\{?[\w+#-]+[:=]/, "").replace(/\}$/, ""),
			token.replace(/^[({]/, "").replace(/[)}]$/, ""),
		]);
	return inQuotes ?? forms.map(form => bare.exec(form)?.[1]).find(found => found !== undefined);
}

/** Whether what looks like a path is one, and no technology, host or version. */
function isNamed(found: string): boolean {
	const names = found.split(/[\\/]/);
	const [first = ""] = names;
	return names.length > 1
		? !/\.(?:com|org|net|io|dev)$/i.test(first)
		: !technology.test(found) && !domain.test(found) && isKnownEnding(found);
}
