/** Wrappers that only our rendering adds; they mean nothing to a reader. */
const wrappers = ["section", "piece", "markdown", "table-block", "table-frame"];

/** Elements between whose children white space means nothing. */
const flow = new Set(["ul", "ol", "table", "thead", "tbody", "tr", "blockquote", "li"]);

/**
 * Rendered Markdown in one line, every element, attribute and character of it; only our wrappers and the bar above code are left
 * out, and what HTML writes in two ways is written in one (alignment, escapes in addresses, white space between blocks).
 */
export function strictOutline(node: Node): string {
	return withoutGaps(outline(node));
}

function withoutGaps(text: string): string {
	return text.replaceAll(/\n(?=<)|(?<=>)\n|^\n|\n$/g, "");
}

function outline(node: Node): string {
	if (node instanceof Text) {
		return node.data;
	}
	if (!(node instanceof HTMLElement)) {
		return "";
	}
	if (node.classList.contains("code-block")) {
		return outline(node.querySelector("pre") ?? node);
	}
	const name = node.localName;
	if (name === "pre") {
		const language = /^language-[^\s]+/.exec(node.querySelector("code")?.className ?? "")?.[0];
		return `<pre ${language ?? ""}>${node.textContent}</pre>`;
	}
	if (name === "button" || node.classList.contains("extra")) {
		// The specification drops cells that have no column.
		return "";
	}
	const inside = [...node.childNodes].map(outline).join("");
	if (name === "label" || wrappers.some(wrapper => node.classList.contains(wrapper))) {
		return inside;
	}
	const content = flow.has(name) ? withoutGaps(inside) : inside;
	return `<${name}${attributesOf(node)}>${content}</${name}>`;
}

function attributesOf(element: HTMLElement): string {
	const href = element.getAttribute("href");
	const attributes = {
		align:
			/align-(\w+)/.exec(element.className)?.[1] ??
			/text-align:\s*(\w+)/.exec(element.getAttribute("style") ?? "")?.[1] ??
			element.getAttribute("align"),
		href: href === null ? null : plainAddress(href),
		// Our title names the address as well.
		title: element
			.getAttribute("title")
			?.replace(new RegExp(`(?:^|\\n)${escape(href ?? "")}$`), ""),
		start: element.getAttribute("start"),
		src: element.getAttribute("src"),
		alt: element.getAttribute("alt"),
		type: element.getAttribute("type"),
		checked: element.hasAttribute("checked") ? "" : null,
		disabled: element.hasAttribute("disabled") ? "" : null,
	};
	return Object.entries(attributes)
		.filter(
			([name, value]) =>
				value !== null && value !== undefined && !(name === "title" && value === ""),
		)
		.map(([name, value]) => ` ${name}=${value}`)
		.join("");
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** An address as a browser understands it, its escapes undone where they change nothing. */
function plainAddress(address: string): string {
	const href = URL.canParse(address) ? new URL(address).href : address;
	try {
		return decodeURI(href);
	} catch {
		return href;
	}
}
