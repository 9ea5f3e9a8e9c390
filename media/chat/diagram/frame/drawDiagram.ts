import mermaid from "mermaid";
import type { DiagramColors } from "../messages.ts";

/** Limits of diagrams: characters of source, and edges. */
const limits = { maxTextSize: 20_000, maxEdges: 300 };

/** Settings that a diagram's directives can't change: security, size limits and style sheets. */
const secured = [
	"secure",
	"securityLevel",
	"startOnLoad",
	"maxTextSize",
	"maxEdges",
	"suppressErrorRendering",
	"themeCSS",
	"theme",
	"themeVariables",
	"fontFamily",
	"altFontFamily",
	"htmlLabels",
	"flowchart",
	"dompurifyConfig",
	"elk",
	"layout",
	"look",
	"logLevel",
];

let count = 0;

/** Draws a diagram as SVG text. Throws if the source is invalid. */
export async function drawDiagram(source: string, colors: DiagramColors): Promise<string> {
	mermaid.initialize({
		startOnLoad: false,
		securityLevel: "strict",
		htmlLabels: false,
		// Nodes are as wide as their text, because a side bar has no room for the default minimum of 120 px.
		flowchart: { htmlLabels: false, minNodeWidth: 0 },
		layout: "dagre",
		look: "classic",
		suppressErrorRendering: true,
		secure: secured,
		...limits,
		theme: "base",
		fontFamily: colors.font,
		themeVariables: themeOf(colors),
		// The library's label background is translucent, so the edge would show through.
		themeCSS: ".edgeLabel rect { opacity: 1 !important; }",
	});
	try {
		return await render(source);
	} catch (error) {
		const quoted = quoteLabels(source);
		if (quoted === source) {
			throw error;
		}
		// The problem of the source as it was written is the one to show.
		return await render(quoted).catch(() => Promise.reject(error));
	}
}

async function render(source: string): Promise<string> {
	const { svg } = await mermaid.render(`diagram${++count}`, source);
	return svg;
}

function themeOf(colors: DiagramColors): Record<string, string | boolean> {
	const { background, text, surface, line, accent, font, isDark } = colors;
	return {
		darkMode: isDark,
		background,
		mainBkg: surface,
		primaryColor: surface,
		primaryTextColor: text,
		primaryBorderColor: accent,
		secondaryColor: background,
		tertiaryColor: background,
		secondaryTextColor: text,
		tertiaryTextColor: text,
		lineColor: line,
		textColor: text,
		titleColor: text,
		nodeBorder: accent,
		clusterBkg: background,
		clusterBorder: line,
		edgeLabelBackground: background,
		noteBkgColor: surface,
		noteTextColor: text,
		noteBorderColor: line,
		actorLineColor: line,
		signalColor: text,
		signalTextColor: text,
		labelTextColor: text,
		loopTextColor: text,
		fontFamily: font,
		fontSize: "13px",
	};
}

/** The brackets around a flowchart's labels, longest first, with what closes each. */
const brackets: readonly (readonly [opener: string, closer: string])[] = [
	["(((", ")))"],
	["[[", "]]"],
	["[(", ")]"],
	["([", "])"],
	["((", "))"],
	["{{", "}}"],
	["[", "]"],
	["(", ")"],
	["{", "}"],
];

/** The end of a line, or what may follow a node: an edge, another node, a class. */
const afterNode = /^\s*(?:$|;|&|:::|[<xo]?(?:--|==|-\.|~~~))/;

const node =
	/(?:\bsubgraph\s+[\p{L}\p{N}_-]+\s+|(?<![\w"])[\p{L}\p{N}_][\p{L}\p{N}_-]*)(?=[[({])/gu;

/**
 * Puts the labels of a flowchart in quotes, because models leave these out where the parser needs them: around parentheses, brackets, quotes and the
 * word `end`. Returns any other source unchanged.
 */
export function quoteLabels(source: string): string {
	return /^\s*(?:---[^]*?---\s*)?(?:%%.*\s+)*(?:flowchart|graph)\b/.test(source)
		? source.split("\n").map(quoteLine).join("\n")
		: source;
}

function quoteLine(line: string): string {
	let quoted = "";
	let position = 0;
	for (const { 0: name, index } of line.matchAll(node)) {
		const label = index < position ? undefined : labelAt(line, index + name.length);
		if (label) {
			quoted +=
				quoteEdges(line.slice(position, label.start)) + quote(line.slice(label.start, label.end));
			position = label.end;
		}
	}
	return quoted + quoteEdges(line.slice(position));
}

/** Returns where the label that an opening bracket begins starts and ends; undefined if its bracket isn't closed. */
function labelAt(line: string, position: number): { start: number; end: number } | undefined {
	for (const [opener, closer] of brackets.filter(([each]) => line.startsWith(each, position))) {
		const start = position + opener.length;
		for (let end = line.indexOf(closer, start); end !== -1; end = line.indexOf(closer, end + 1)) {
			if (afterNode.test(line.slice(end + closer.length))) {
				return { start, end };
			}
		}
	}
	return undefined;
}

function quoteEdges(line: string): string {
	return line.replaceAll(/(?<=[->=.]\|)[^|"]+(?=\|)/g, quote);
}

function quote(label: string): string {
	const text = label.trim();
	return /^(?:"[^"]*"|[/\\].*[/\\])$/.test(text) ? label : `"${text.replaceAll('"', "#quot;")}"`;
}
