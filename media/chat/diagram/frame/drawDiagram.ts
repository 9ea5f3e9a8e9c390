import mermaid from "mermaid";
import type { DiagramColors } from "../messages.ts";

/** Limits of diagrams: characters of source, and edges. */
const limits = { maxTextSize: 20_000, maxEdges: 300 };

/** Settings that a diagram's directives can't change: security, size limits and style sheets. */
const secured = [
	...[
		"secure",
		"securityLevel",
		"startOnLoad",
		"maxTextSize",
		"maxEdges",
		"suppressErrorRendering",
	],
	...[
		"themeCSS",
		"theme",
		"themeVariables",
		"fontFamily",
		"altFontFamily",
		"htmlLabels",
		"flowchart",
	],
	...["dompurifyConfig", "elk", "layout", "look", "logLevel"],
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
