import type {
	EditorTheme,
	ScopeRule,
	SemanticRule,
	SemanticScopes,
	SemanticStyle,
} from "./colorOrder.ts";

/** The scopes whose style the editor gives to semantic tokens for which a theme has no rule of its own. */
const defaultScopes: readonly SemanticScopes[] = [
	["comment", ["comment"]],
	["string", ["string"]],
	["keyword", ["keyword.control"]],
	["number", ["constant.numeric"]],
	["regexp", ["constant.regexp"]],
	["operator", ["keyword.operator"]],
	["namespace", ["entity.name.namespace"]],
	["type", ["entity.name.type", "support.type"]],
	["struct", ["entity.name.type.struct"]],
	["class", ["entity.name.type.class", "support.class"]],
	["interface", ["entity.name.type.interface"]],
	["enum", ["entity.name.type.enum"]],
	["typeParameter", ["entity.name.type.parameter"]],
	["function", ["entity.name.function", "support.function"]],
	["method", ["entity.name.function.member", "support.function"]],
	["macro", ["entity.name.function.preprocessor"]],
	["variable", ["variable.other.readwrite", "entity.name.variable"]],
	["parameter", ["variable.parameter"]],
	["property", ["variable.other.property"]],
	["enumMember", ["variable.other.enummember"]],
	["event", ["variable.other.event"]],
	["decorator", ["entity.name.decorator", "entity.name.function"]],
	["variable.readonly", ["variable.other.constant"]],
	["property.readonly", ["variable.other.constant.property"]],
	["type.defaultLibrary", ["support.type"]],
	["class.defaultLibrary", ["support.class"]],
	["interface.defaultLibrary", ["support.class"]],
	["variable.defaultLibrary", ["support.variable", "support.other.variable"]],
	["variable.defaultLibrary.readonly", ["support.constant"]],
	["property.defaultLibrary", ["support.variable.property"]],
	["property.defaultLibrary.readonly", ["support.constant.property"]],
	["function.defaultLibrary", ["support.function"]],
	["member.defaultLibrary", ["support.function"]],
];

/** The super types that the editor knows besides those of extensions. */
const ownSuperTypes: Readonly<Record<string, string>> = { member: "method" };

interface TokenSelector {
	readonly type: string;
	readonly modifiers: readonly string[];
	readonly language: string | undefined;
}

/** Parses a selector such as `variable.readonly:java` or `*.declaration`. */
function readSelector(selector: string): TokenSelector {
	const [words = "", language] = selector.split(":");
	const [type = "*", ...modifiers] = words.split(".");
	return { type, modifiers, language };
}

const properties = ["foreground", "bold", "italic", "underline", "strikethrough"] as const;

/** Finds the styles of semantic tokens in a theme as the editor does. */
export class SemanticStyles {
	private readonly theme: EditorTheme;
	private readonly own: readonly (readonly [TokenSelector, SemanticStyle])[];
	private readonly defaults: readonly (readonly [TokenSelector, SemanticStyle])[];
	private readonly known = new Map<string, SemanticStyle>();

	constructor(theme: EditorTheme) {
		this.theme = theme;
		const read = ([selector, style]: SemanticRule) => [readSelector(selector), style] as const;
		this.own = theme.semantic.map(read);
		this.defaults = [...defaultScopes, ...theme.semanticScopes].flatMap(([selector, scopes]) => {
			const style = scopes
				.map(scope => styleOfScope(scope, theme.rules))
				.find(found => found !== undefined);
			return style ? [read([selector, style])] : [];
		});
	}

	/** Returns what a theme sets for a token; other properties are those of the grammar. */
	styleOf(type: string, modifiers: readonly string[], language: string): SemanticStyle {
		const key = `${type}.${modifiers.join(".")}:${language}`;
		const known = this.known.get(key) ?? this.find(type, modifiers, language);
		this.known.set(key, known);
		return known;
	}

	private find(type: string, modifiers: readonly string[], language: string): SemanticStyle {
		const style: Record<string, string | boolean> = {};
		const types = this.typesOf(type);
		for (const rules of [this.own, this.defaults]) {
			const scores: Record<string, number> = {};
			// What the theme's own rules set, no default replaces.
			const settled = new Set(Object.keys(style));
			for (const [selector, values] of rules) {
				const score = scoreOf(selector, types, modifiers, language);
				const better = properties.filter(
					property =>
						score >= (scores[property] ?? 0) &&
						values[property] !== undefined &&
						!settled.has(property),
				);
				for (const property of better) {
					style[property] = values[property] ?? false;
					scores[property] = score;
				}
			}
		}
		return style;
	}

	/** Returns a type with its super types, nearest first. */
	private typesOf(type: string): readonly string[] {
		const types: string[] = [];
		let next: string | undefined = type;
		while (next !== undefined && !types.includes(next)) {
			types.push(next);
			next = this.theme.superTypes[next] ?? ownSuperTypes[next];
		}
		return types;
	}
}

/** Returns how well a selector fits a token; -1 if it doesn't. */
function scoreOf(
	selector: TokenSelector,
	types: readonly string[],
	modifiers: readonly string[],
	language: string,
): number {
	const level = selector.type === "*" ? 0 : types.indexOf(selector.type);
	const isOther = selector.language !== undefined && selector.language !== language;
	if (isOther || level === -1 || !selector.modifiers.every(name => modifiers.includes(name))) {
		return -1;
	}
	const ofType = selector.type === "*" ? 0 : 100 - level;
	return ofType + selector.modifiers.length * 100 + (selector.language === undefined ? 0 : 10);
}

/** Returns the style of the most specific rules for a scope; of equal ones the last. Undefined if there is none. */
export function styleOfScope(
	scope: string,
	rules: readonly ScopeRule[],
): SemanticStyle | undefined {
	let [foreground, fontStyle]: (string | undefined)[] = [];
	const best = { foreground: 0, fontStyle: 0 };
	for (const { scope: selectors, settings } of rules) {
		const length = Math.max(
			0,
			...namesIn(selectors).map(name => (fits(name, scope) ? name.length : 0)),
		);
		if (length > 0 && settings.foreground !== undefined && length >= best.foreground) {
			[foreground, best.foreground] = [settings.foreground, length];
		}
		if (length > 0 && settings.fontStyle !== undefined && length >= best.fontStyle) {
			[fontStyle, best.fontStyle] = [settings.fontStyle, length];
		}
	}
	if (foreground === undefined && fontStyle === undefined) {
		return undefined;
	}
	return { ...(foreground !== undefined && { foreground }), ...fontStyleOf(fontStyle) };
}

/** Returns the style that words such as `bold italic` set; nothing for undefined. */
export function fontStyleOf(words: string | undefined): SemanticStyle {
	if (words === undefined) {
		return {};
	}
	return {
		bold: words.includes("bold"),
		italic: words.includes("italic"),
		underline: words.includes("underline"),
		strikethrough: words.includes("strikethrough"),
	};
}

function fits(name: string, scope: string): boolean {
	return scope === name || scope.startsWith(`${name}.`);
}

/** Returns the selectors of a rule that name a single scope. */
function namesIn(scope: ScopeRule["scope"]): readonly string[] {
	const selectors = typeof scope === "string" ? scope.split(",") : (scope ?? []);
	return selectors.map(selector => selector.trim()).filter(selector => /^[\w.-]+$/.test(selector));
}
