/** The elements of rendered formulas by namespace. KaTeX 0.19 creates no others without `trust`. docs/security.md. */
const allowedElements: Readonly<Record<string, ReadonlySet<string>>> = {
	"http://www.w3.org/1999/xhtml": new Set(["span"]),
	"http://www.w3.org/2000/svg": new Set(["svg", "g", "path", "line"]),
	"http://www.w3.org/1998/Math/MathML": new Set([
		"annotation",
		"math",
		"menclose",
		"mfrac",
		"mi",
		"mn",
		"mo",
		"mover",
		"mpadded",
		"mphantom",
		"mroot",
		"mrow",
		"mspace",
		"msqrt",
		"mstyle",
		"msub",
		"msubsup",
		"msup",
		"mtable",
		"mtd",
		"mtext",
		"mtr",
		"munder",
		"munderover",
		"semantics",
	]),
};

/** Allowed values by attribute. Other attributes are removed. */
const allowedAttributes: Readonly<Record<string, RegExp>> = {
	"aria-hidden": /^true$/,
	class: /^[\w -]*$/,
	d: /^[\d\s.,a-zA-Z+-]*$/,
	preserveAspectRatio: /^[a-zA-Z ]*$/,
	viewBox: /^[\d\s.-]*$/,
	xmlns: /^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/,
	encoding: /^application\/x-tex$/,
	display: /^block$/,
	...Object.fromEntries(
		[
			"height",
			"width",
			"x1",
			"x2",
			"y1",
			"y2",
			"stroke-width",
			"depth",
			"lspace",
			"rspace",
			"voffset",
			"minsize",
			"maxsize",
			"linethickness",
			"scriptlevel",
			"rowspacing",
			"columnspacing",
			"mathsize",
		].map(name => [name, /^[+-]?[\d.]+(?:em|ex|px|pt|%)?(?: [\d.]+em)*$/]),
	),
	...Object.fromEntries(
		[
			"accent",
			"accentunder",
			"columnalign",
			"columnlines",
			"displaystyle",
			"fence",
			"mathvariant",
			"movablelimits",
			"notation",
			"rowalign",
			"rowlines",
			"separator",
			"stretchy",
			"largeop",
			"side",
		].map(name => [name, /^[a-z -]*$/]),
	),
	mathcolor: /^(?:#[\da-f]{3,8}|[a-z]+)$/i,
	mathbackground: /^(?:#[\da-f]{3,8}|[a-z]+)$/i,
};

/** Style properties for position and color. Values are lengths, colors and keywords, never URLs. */
const allowedProperty =
	/^(?:(?:min-|max-)?(?:width|height)|(?:margin|padding|border)(?:-(?:top|right|bottom|left))?(?:-(?:width|style|color))?|top|bottom|left|vertical-align|(?:background-)?color|position|text-shadow)$/;
const allowedValue = /^[-+]?[\d.]*(?:em|ex|px|pt|%)?$|^#[\da-f]{3,8}$|^[a-z]{1,20}$/i;

/** Positions that keep a part inside its formula. */
const allowedPositions = new Set(["relative", "absolute"]);

/** Replaces `style` until each property has been checked. */
const styleAttribute = "data-style";

/**
 * Rebuilds a formula from KaTeX's HTML with only allowed elements, attributes and styles. Parses it in a document that is never displayed, so that it
 * can't load anything.
 */
export function sanitizeFormula(html: string): DocumentFragment {
	// The page's policy also applies to that document and would report every `style` attribute. In text, KaTeX encodes quotes as entities.
	const unstyled = html.replaceAll(' style="', ` ${styleAttribute}="`);
	const parsed = new DOMParser().parseFromString(unstyled, "text/html");
	const fragment = document.createDocumentFragment();
	copyChildren(parsed.body, fragment);
	return fragment;
}

function copyChildren(from: Node, to: Node): void {
	for (const child of from.childNodes) {
		if (child instanceof Text) {
			to.appendChild(document.createTextNode(child.data));
		} else if (child instanceof Element) {
			copyElement(child, to);
		}
	}
}

function copyElement(element: Element, to: Node): void {
	const namespace = element.namespaceURI ?? "";
	if (!allowedElements[namespace]?.has(element.localName)) {
		// Keeps the text of a disallowed element.
		to.appendChild(document.createTextNode(element.textContent ?? ""));
		return;
	}
	const copy = document.createElementNS(namespace, element.localName);
	for (const { name, value } of element.attributes) {
		if (name === styleAttribute) {
			copyStyle(value, copy);
		} else if (allowedAttributes[name]?.test(value)) {
			copy.setAttribute(name, value);
		}
	}
	copyChildren(element, copy);
	to.appendChild(copy);
}

/** Copies single properties, because the page's policy forbids the attribute. */
function copyStyle(style: string, copy: Element): void {
	if (!(copy instanceof HTMLElement || copy instanceof SVGElement)) {
		return;
	}
	for (const declaration of style.split(";")) {
		const [name = "", value = ""] = declaration.split(":").map(part => part.trim());
		const isAllowed = allowedProperty.test(name) && allowedValue.test(value);
		if (isAllowed && (name !== "position" || allowedPositions.has(value))) {
			copy.style.setProperty(name, value);
		}
	}
}
