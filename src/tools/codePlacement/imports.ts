import type { LanguageId } from "./language.ts";

interface Import {
	readonly module: string;
	/** Names in its list as written; undefined without a list. */
	readonly names: readonly string[] | undefined;
	/** Name of the whole module or of its default export. */
	readonly whole: string | undefined;
	/** Whether the whole is a namespace, or the import can't be extended. */
	readonly isClosed: boolean;
}

/** Relation of a block's import to one of the file. */
export type ImportFit =
	| { readonly type: "known" }
	| { readonly type: "joined"; readonly text: string }
	/** The file's import has the same name from another module, and nothing else. */
	| { readonly type: "replaced" }
	/** The file's import has the same name from another module besides others, or another name for the same module. */
	| { readonly type: "conflict" }
	| { readonly type: "unrelated" };

/** Compares two imports, each given as the text of its lines. */
export function fitImport(old: string, fresh: string, language: LanguageId): ImportFit {
	if (plain(old) === plain(fresh)) {
		return { type: "known" };
	}
	const [known, wanted] = [parse(old, language), parse(fresh, language)];
	if (!known || !wanted) {
		return { type: "unrelated" };
	}
	if (known.module !== wanted.module) {
		return fitNames(known, wanted);
	}
	if (known.isClosed || wanted.isClosed) {
		return { type: "unrelated" };
	}
	if (known.whole !== undefined && wanted.whole !== undefined && known.whole !== wanted.whole) {
		return { type: "conflict" };
	}
	const missing = (wanted.names ?? []).filter(name => !(known.names ?? []).includes(name));
	const lost = (known.names ?? []).filter(name => !(wanted.names ?? []).includes(name));
	const isWholeKnown = wanted.whole === undefined || known.whole === wanted.whole;
	if (missing.length === 0 && isWholeKnown) {
		return { type: "known" };
	}
	if (lost.length === 0 && (known.whole === undefined || known.whole === wanted.whole)) {
		return { type: "joined", text: fresh };
	}
	if (known.names && isWholeKnown) {
		return { type: "joined", text: addNames(old, missing) };
	}
	return { type: "unrelated" };
}

function fitNames(known: Import, wanted: Import): ImportFit {
	const [old, fresh] = [boundBy(known), boundBy(wanted)];
	const shared = old.filter(name => fresh.includes(name));
	if (shared.length === 0 || old.includes("*")) {
		return { type: "unrelated" };
	}
	return { type: shared.length === old.length ? "replaced" : "conflict" };
}

function boundBy({ names = [], whole }: Import): string[] {
	return [...names, ...(whole === undefined ? [] : [whole])].map(
		name => /(?:\bas\s+|::)(\w+)$/.exec(name)?.[1] ?? name.replace(/^type\s+/, ""),
	);
}

function parse(text: string, language: LanguageId): Import | undefined {
	const line = plain(text);
	switch (language) {
		case "js": {
			const [found, type = "", whole, star, names, module = ""] =
				/^import\s+(type\s+)?(?:([\w$]+)\s*,?\s*)?(?:(\*\s+as\s+[\w$]+)\s*)?(?:\{([^}]*)\}\s*)?(?:from\s*)["']([^"']+)["']/.exec(
					line,
				) ?? [];
			return found === undefined
				? undefined
				: {
						module: `${type.trim()} ${module}`,
						names: names === undefined ? undefined : listed(names),
						whole: star?.replace(/^\*\s+as\s+/, "") ?? whole,
						isClosed: star !== undefined,
					};
		}
		case "python": {
			const [found, module = "", names = ""] =
				/^from\s+(\S+)\s+import\s+\(?([^)#]*)\)?/.exec(line) ?? [];
			return found === undefined
				? undefined
				: { module, names: listed(names), whole: undefined, isClosed: false };
		}
		case "rust": {
			const [found, module = "", names, name] =
				/^(?:pub\s+)?use\s+(.*?)::(?:\{([^{}]*)\}|(\w+|\*))$/.exec(line) ?? [];
			return found === undefined
				? undefined
				: {
						module,
						names: listed(names ?? name ?? ""),
						whole: undefined,
						isClosed: names === undefined && name === "*",
					};
		}
		default:
			return undefined;
	}
}

function listed(names: string): string[] {
	return names
		.split(",")
		.map(name => name.trim().replaceAll(/\s+/g, " "))
		.filter(name => name !== "");
}

function addNames(text: string, names: readonly string[]): string {
	const lines = text.split("\n");
	const last = lines.at(-2) ?? "";
	if (lines.length > 1) {
		const indent = /^\s*/.exec(last)?.[0] ?? "";
		const ended = last.trimEnd().endsWith(",") ? last : `${last},`;
		return [
			...lines.slice(0, -2),
			ended,
			...names.map(name => `${indent}${name},`),
			lines.at(-1),
		].join("\n");
	}
	const list = names.join(", ");
	if (/[})]/.test(text)) {
		return text.replace(
			/,?(\s*)([})])(?=[^})]*$)/,
			(_, space: string, end: string) => `, ${list}${space}${end}`,
		);
	}
	return /\buse\b/.test(text)
		? text.replace(/\b(\w+);$/, `{$1, ${list}};`)
		: `${text.trimEnd()}, ${list}`;
}

function plain(text: string): string {
	return text
		.trim()
		.replaceAll(/\s+/g, " ")
		.replaceAll(/,(?=\s*[})])/g, "")
		.replace(/;$/, "")
		.replaceAll("'", '"');
}
