/** A heading, function, class or the like, and where it is. */
export interface OutlineEntry {
	/** Counted from 1. */
	readonly line: number;
	readonly kind: string;
	readonly name: string;
}

/** Each pattern's first group is the kind, unless `kind` says it; its group `name` is the name. */
interface OutlinePattern {
	readonly pattern: RegExp;
	readonly kind?: string;
}

const declarations: readonly OutlinePattern[] = [
	{
		pattern:
			/^\s*(?:export\s+)?(?:default\s+)?(?:public\s+|final\s+|abstract\s+|static\s+|pub(?:\([^)]*\))?\s+)*(?<kind>class|interface|enum|struct|trait|namespace|module)\s+(?<name>[\p{L}_$][\p{L}\p{N}_$.]*)/u,
	},
	{
		kind: "function",
		pattern:
			/^\s*(?:export\s+)?(?:default\s+)?(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:function\s*\*?|def|fn)\s+(?<name>[\p{L}_$][\p{L}\p{N}_$]*)/u,
	},
	{
		kind: "function",
		pattern: /^func\s+(?:\([^)]*\)\s*)?(?<name>[\p{L}_][\p{L}\p{N}_]*)/u,
	},
	{
		kind: "function",
		pattern:
			/^\s*(?:export\s+)?const\s+(?<name>[\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*(?:async\s*)?(?:\([^)]*\)|[\p{L}_$][\p{L}\p{N}_$]*)(?:\s*:\s*[^=]+)?\s*=>/u,
	},
	{
		kind: "function",
		pattern:
			/^(?:static\s+|const\s+|unsigned\s+)*(?:int|void|char|float|double|long|bool|auto|size_t)\s+\*?(?<name>[A-Za-z_]\w*)\s*\([^;]*\)\s*\{/,
	},
	{
		kind: "type",
		pattern: /^\s*(?:export\s+)?type\s+(?<name>[\p{L}_$][\p{L}\p{N}_$]*)/u,
	},
	{ kind: "table", pattern: /^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?(?<name>[\w."]+)/i },
];

const headings: readonly OutlinePattern[] = [
	{ kind: "heading", pattern: /^#{1,6}\s+(?<name>.+?)\s*#*\s*$/ },
];

/** Lines beyond this length are data, not declarations; it also bounds what the patterns look at. */
const maxLineLength = 300;

/** The headings of a Markdown text, the declarations of anything else, in the order they are. */
export function outlineOf(text: string, language: string | undefined): readonly OutlineEntry[] {
	const isMarkdown = language === "markdown" || language === "md";
	const patterns = isMarkdown ? headings : declarations;
	let isFenced = false;
	return text.split(/\r\n|\n|\r/).flatMap((line, index) => {
		isFenced = isMarkdown && /^\s*(?:```|~~~)/.test(line) ? !isFenced : isFenced;
		if (isFenced || line.length > maxLineLength) {
			return [];
		}
		for (const { pattern, kind } of patterns) {
			const groups = pattern.exec(line)?.groups;
			if (groups?.["name"] !== undefined) {
				const name = groups["name"].replaceAll("`", "").slice(0, 80);
				return [{ line: index + 1, kind: kind ?? groups["kind"] ?? "", name }];
			}
		}
		return [];
	});
}
