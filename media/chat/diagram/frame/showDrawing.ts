import type { DiagramColors } from "../messages.ts";

const svgNamespace = "http://www.w3.org/2000/svg";
const htmlNamespace = "http://www.w3.org/1999/xhtml";

/** Allowed elements of a diagram. Excludes everything that loads, runs, links or submits (docs/security.md). */
const allowedElements: Readonly<Record<string, ReadonlySet<string>>> = {
	[svgNamespace]: new Set([
		"circle",
		"clipPath",
		"defs",
		"desc",
		"ellipse",
		"feDropShadow",
		"filter",
		"foreignObject",
		"g",
		"line",
		"linearGradient",
		"marker",
		"mask",
		"path",
		"pattern",
		"polygon",
		"polyline",
		"radialGradient",
		"rect",
		"stop",
		"style",
		"svg",
		"symbol",
		"text",
		"textPath",
		"title",
		"tspan",
		"use",
	]),
	[htmlNamespace]: new Set([
		"b",
		"br",
		"code",
		"div",
		"em",
		"i",
		"li",
		"p",
		"pre",
		"span",
		"strong",
		"ul",
	]),
};

/** A reference within the diagram. */
const ownAddress = /^#[\w-]+$/;

/** The smallest scale of a diagram, which makes text of 13 px 11 px high. A wider diagram scrolls instead. */
const smallestScale = 0.85;

/** Replaces the drawing, rebuilt from allowed elements. */
export function showDrawing(svg: string, colors: DiagramColors): SVGSVGElement {
	// Renames `style` attributes, which the policy doesn't allow to be parsed. They are applied property by property.
	const parsed = new DOMParser().parseFromString(
		svg.replaceAll(' style="', ' data-style="'),
		"text/html",
	);
	const drawn = parsed.querySelector("svg");
	if (!drawn) {
		throw new Error("empty");
	}
	const sheets: CSSStyleSheet[] = [];
	const copy = copyElement(drawn, sheets);
	if (!(copy instanceof SVGSVGElement)) {
		throw new Error("empty");
	}
	const width = drawn.viewBox.baseVal.width;
	copy.setAttribute("width", "100%");
	copy.removeAttribute("height");
	copy.style.cssText = `display: block; margin: 0 auto; max-width: ${width}px; min-width: ${width * smallestScale}px;`;
	document.adoptedStyleSheets = sheets;
	document.body.style.cssText = `margin: 0; padding: 12px; overflow: auto hidden; background: ${colors.background}; color: ${colors.text};`;
	document.body.replaceChildren(copy);
	if (copy.getAttribute("aria-roledescription") === "stateDiagram") {
		copy.querySelectorAll<SVGGElement>("g.node:not(.statediagram-note)").forEach(centerLabel);
	}
	return copy;
}

/** Centers the text of a state in its box. The library aligns it left. */
function centerLabel(node: SVGGElement): void {
	const label = node.querySelector<SVGGElement>(".label");
	const words = label?.querySelector<SVGGElement>("text");
	const shape = node.querySelector<SVGGraphicsElement>("rect, path, polygon");
	const place = label?.transform.baseVal.consolidate()?.matrix;
	if (!label || !words || !shape || !place || label.contains(shape)) {
		return;
	}
	const [box, text] = [shape.getBBox(), words.getBBox()];
	const middle = box.x + box.width / 2 - (text.x + text.width / 2);
	label.setAttribute("transform", `translate(${middle}, ${place.f})`);
}

function copyElement(element: Element, sheets: CSSStyleSheet[]): Node {
	const namespace = element.namespaceURI ?? "";
	if (!allowedElements[namespace]?.has(element.localName)) {
		const group = document.createDocumentFragment();
		// Keeps the text of a link.
		group.append(...(element.localName === "a" ? copyChildren(element, sheets) : []));
		return group;
	}
	if (element.localName === "style") {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync(element.textContent ?? "");
		sheets.push(sheet);
		return document.createDocumentFragment();
	}
	const copy = document.createElementNS(namespace, element.localName);
	for (const { name, value } of element.attributes) {
		const isAddress = name === "href" || name === "xlink:href" || name === "src";
		if (name === "data-style") {
			copy.setAttribute("style", value);
		} else if (!name.startsWith("on") && (!isAddress || ownAddress.test(value))) {
			copy.setAttribute(name, value);
		}
	}
	copy.append(...copyChildren(element, sheets));
	return copy;
}

function copyChildren(element: Element, sheets: CSSStyleSheet[]): Node[] {
	return [...element.childNodes].flatMap(child =>
		child instanceof Text
			? [document.createTextNode(child.data)]
			: child instanceof Element
				? [copyElement(child, sheets)]
				: [],
	);
}
