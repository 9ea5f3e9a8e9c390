import * as vscode from "vscode";
import { linesBefore, type SourceLines } from "../../clip/changeSource.ts";
import { type CodeText, colorKey } from "../../clip/codeTexts.ts";
import { isSameCode } from "../../codeColors/alignStyles.ts";
import type { ColorText, SemanticToken } from "../../codeColors/colorOrder.ts";
import { type Clock, delay } from "../../common/async.ts";
import { nameOf } from "../../editor/selection.ts";
import type { EditorLanguages } from "./editorLanguages.ts";

/** Lines before a text that are read for the state in which it begins: all, or this many of the file's start and just before it. */
const context = { all: 3_000, start: 200, before: 1_800 } as const;

/** Semantic tokens that take longer are left out, in milliseconds. */
const semanticMs = 1_000;

/** Where a text is from: the lines of an open document, or the text alone. */
interface CodeSource extends SourceLines {
	readonly language: string;
	/** The document, if these are its present lines. */
	readonly document?: vscode.TextDocument | undefined;
}

/**
 * Returns what is needed to color a text as its editor does. A text with line numbers that an open document of its name has at those lines is colored
 * with what precedes it there. Undefined if the editor doesn't know its language.
 */
export async function colorTextOf(
	text: CodeText,
	languages: EditorLanguages,
	clock: Clock,
	isSemantic: (document: vscode.TextDocument) => boolean,
): Promise<ColorText | undefined> {
	const source = sourceOf(text, languages);
	if (!source) {
		return undefined;
	}
	const { document, language, at } = source;
	const [first = 0, last = -1] = [at[0], at.at(-1)];
	const tokens =
		document && isSemantic(document)
			? await Promise.race([
					semanticTokens(document),
					delay(semanticMs, undefined, clock).then(() => []),
				])
			: [];
	// What lies between the file's start and the lines just before the text is left out.
	const cut = first > context.all ? { from: context.start, to: first - context.before } : undefined;
	const less = cut ? cut.to - cut.from : 0;
	const lines = source.lines.slice(0, last + 1);
	return {
		key: colorKey(text.lines),
		language,
		isWhole:
			document !== undefined && source.lines.slice(last + 1).every(line => line.trim() === ""),
		lines: cut ? [...lines.slice(0, cut.from), ...lines.slice(cut.to)] : lines,
		shown: text.lines.map((shown, index) => ({ text: shown, at: (at[index] ?? 0) - less })),
		tokens: tokens
			.filter(({ line }) => first <= line && line <= last)
			.map(token => ({ ...token, line: token.line - less })),
	};
}

function sourceOf(text: CodeText, languages: EditorLanguages): CodeSource | undefined {
	const { raw, caption, version } = text;
	for (const document of vscode.workspace.textDocuments) {
		const lines = caption === nameOf(document.uri) ? document.getText().split(/\r\n|\r|\n/) : [];
		const source =
			version?.isBefore === true
				? linesBefore(lines, version.change)
				: linesAt(lines, text.numbers);
		const isSame = (at: number, index: number): boolean =>
			isSameCode(source?.lines[at] ?? "", raw[index] ?? "");
		if (source && source.at.length === raw.length && source.at.every(isSame)) {
			const language = document.languageId;
			return { ...source, language, ...(version?.isBefore !== true && { document }) };
		}
	}
	const language = languages.idOf(text.language, caption, raw[0] ?? "");
	return language === undefined
		? undefined
		: { lines: raw, at: raw.map((_, index) => index), language };
}

/** Returns the place of lines with these numbers; undefined if one has none. */
function linesAt(lines: readonly string[], numbers: CodeText["numbers"]): SourceLines | undefined {
	const at = numbers.flatMap(number => (number === undefined ? [] : [number - 1]));
	return lines.length > 0 && at.length === numbers.length ? { lines, at } : undefined;
}

/** Returns the semantic tokens of a document. Never rejects. */
async function semanticTokens(document: vscode.TextDocument): Promise<readonly SemanticToken[]> {
	const { uri } = document;
	try {
		const [legend, tokens] = await Promise.all([
			vscode.commands.executeCommand<vscode.SemanticTokensLegend | undefined>(
				"vscode.provideDocumentSemanticTokensLegend",
				uri,
			),
			vscode.commands.executeCommand<vscode.SemanticTokens | undefined>(
				"vscode.provideDocumentSemanticTokens",
				uri,
			),
		]);
		return legend && tokens ? decoded(tokens.data, legend) : [];
	} catch {
		// A language server may be starting, or fail.
		return [];
	}
}

/** Decodes tokens of five numbers each. @see `DocumentSemanticTokensProvider` of VS Code */
function decoded(data: Uint32Array, legend: vscode.SemanticTokensLegend): readonly SemanticToken[] {
	const tokens: SemanticToken[] = [];
	let [line, start] = [0, 0];
	for (let at = 0; at + 4 < data.length; at += 5) {
		const [lines = 0, letters = 0, length = 0, type = 0, bits = 0] = data.subarray(at, at + 5);
		start = lines === 0 ? start + letters : letters;
		line += lines;
		const modifiers = legend.tokenModifiers.filter((_, index) => (bits & (1 << index)) !== 0);
		const name = legend.tokenTypes[type];
		if (name !== undefined) {
			tokens.push({ line, start, length, type: name, modifiers });
		}
	}
	return tokens;
}
