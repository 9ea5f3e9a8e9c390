import MarkdownIt from "markdown-it";
import { addMathRules } from "./mathRules.ts";
import { addMoreRules, type ParsingEnvironment } from "./moreRules.ts";
import { replaceTableRule } from "./tableRule.ts";

/** The used members of a parser token. */
export interface MarkdownToken {
	readonly type: string;
	readonly tag: string;
	/** 1 opens, -1 closes, 0 is self-contained. */
	readonly nesting: number;
	readonly level: number;
	/** First line, and the line after the last. */
	readonly map: readonly [number, number] | null;
	readonly content: string;
	readonly info: string;
	readonly hidden: boolean;
	readonly children: readonly MarkdownToken[] | null;
	attrGet(name: string): string | number | null;
}

/** Link reference definitions of a message so far. The first one of each label is used. */
export type References = NonNullable<ParsingEnvironment["references"]>;

export interface Boundary {
	/** Whether the line starts a new block, so that nothing before it can change. */
	readonly isBoundary: boolean;
	/** The kind of the last top-level block before the line. */
	readonly lastBlock: string | undefined;
}

/** The conformant parser: CommonMark 0.31.2, GFM tables and strikethrough, formulas, alerts, footnotes, details. Other HTML is text. */
export interface MarkdownEngine {
	/** Parses a text into blocks. Inline content is parsed on demand, so that long texts can be rendered in slices. */
	parseBlocks(source: string, references: References): readonly MarkdownToken[];
	parseInline(content: string, references: References): readonly MarkdownToken[];
	/** Whether `next` starts a block when it follows `source`, whose last line is complete. */
	judgeBoundary(source: string, next: string): Boundary;
}

export function createMarkdownEngine(): MarkdownEngine {
	const parser = new MarkdownIt("default", { html: false });
	replaceTableRule(parser);
	addMoreRules(parser);
	addMathRules(parser);
	// Links are validated in one place, when elements are created.
	parser.validateLink = () => true;
	parser.normalizeLink = address => address;
	parser.normalizeLinkText = text => text;

	return {
		parseBlocks: (source, references) => {
			const tokens: ReturnType<typeof parser.parse> = [];
			const env: ParsingEnvironment = { references };
			parser.block.parse(source, parser, env, tokens);
			return tokens.filter(token => token.type !== "reference_definition");
		},
		parseInline: (content, references) => {
			const children: ReturnType<typeof parser.parse> = [];
			parser.inline.parse(content, parser, { references }, children);
			return children;
		},
		judgeBoundary: (source, next) => {
			const tokens: ReturnType<typeof parser.parse> = [];
			const env: ParsingEnvironment = { isPartial: true };
			parser.block.parse(source + next, parser, env, tokens);
			const line = countLines(source);
			const blocks = tokens.filter(token => token.level === 0 && token.nesting >= 0);
			const index = blocks.findIndex(token => token.map?.[0] === line);
			return { isBoundary: index !== -1, lastBlock: blocks[index - 1]?.type };
		},
	};
}

function countLines(source: string): number {
	let lines = 0;
	for (let end = source.indexOf("\n"); end !== -1; end = source.indexOf("\n", end + 1)) {
		lines++;
	}
	return lines;
}
