import mermaid from "mermaid";
import type { DiagramColors } from "../messages.ts";

/** The largest diagram that is drawn: characters of source, and lines between boxes. */
const limits = { maxTextSize: 20_000, maxEdges: 300 };

/** Settings that a diagram's own directives may not change: how it is guarded, how large it may be, and any style sheet. */
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

/** Draws a diagram; returns it as SVG text, and throws when the source is none. */
export async function drawDiagram(source: string, colors: DiagramColors): Promise<string> {
	mermaid.initialize({
		startOnLoad: false,
		securityLevel: "strict",
		htmlLabels: false,
		// A box is as wide as its words need: a side bar has no room for the 120 px that each would have at least.
		flowchart: { htmlLabels: false, minNodeWidth: 0 },
		layout: "dagre",
		look: "classic",
		suppressErrorRendering: true,
		secure: secured,
		...limits,
		theme: "base",
		fontFamily: colors.font,
		themeVariables: themeOf(colors),
		// The library's own is half transparent: the line would strike through its label.
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
