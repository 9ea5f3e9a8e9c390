import { createMarkdownEngine } from "../../../../../media/chat/markdown/final/engine.ts";
import type { IdleQueue } from "../../../../../media/chat/markdown/elements/idle.ts";
import type { RenderingDependencies } from "../../../../../media/chat/markdown/stream/liveText.ts";

/** A queue that does its work when a test says so. */
export interface ManualIdleQueue extends Pick<IdleQueue, "add"> {
	runAll(): void;
}

/** Makes a queue that waits for `runAll`. */
export function createManualIdle(): ManualIdleQueue {
	const queue: Iterator<undefined, void>[] = [];
	return {
		add: work => queue.push(work),
		runAll: () => {
			for (let work = queue.shift(); work; work = queue.shift()) {
				while (!work.next().done);
			}
		},
	};
}

/** Rendering tools that need no browser: no highlighting, and quiet moments on demand. */
export function createTools(): RenderingDependencies & { readonly idle: ManualIdleQueue } {
	return {
		engine: createMarkdownEngine(),
		idle: createManualIdle(),
		loadHighlighter: () => new Promise(() => undefined),
		fileLinks: { linkIn: () => undefined },
		loadMath: () => new Promise(() => undefined),
		onFailed: error => {
			throw error;
		},
	};
}

/**
 * What a user would see of rendered Markdown, in one line: elements and text, without what only our rendering adds
 * (sections, the bar above code, the frame around tables), and with code, alignment and addresses written one way.
 */
export function outlineOf(node: Node): string {
	if (node instanceof Text) {
		return node.data;
	}
	if (!(node instanceof HTMLElement)) {
		return "";
	}
	const name = node.localName;
	if (name === "img" || node.classList.contains("inert-image")) {
		return "(an image)";
	}
	if (node.classList.contains("code-block")) {
		return outlineOf(node.querySelector("pre") ?? node);
	}
	if (name === "pre") {
		const language = /^language-[\w+#.-]{1,32}(?= |$)/.exec(
			node.querySelector("code")?.className ?? "",
		);
		return `<pre ${language?.[0] ?? ""}>${node.textContent}</pre>`;
	}
	const address = node.getAttribute("href") ?? "";
	if (node.classList.contains("inert-link") || (name === "a" && !/^https:\/\/\w/i.test(address))) {
		return "(an inert link)";
	}
	if (name === "input") {
		// A box is a mark to the reference, which knows no tasks.
		return node.hasAttribute("checked") ? "[x] " : "[ ] ";
	}
	const inside = [...node.childNodes].map(outlineOf).join("");
	if (name === "label") {
		return inside;
	}
	if (name === "button") {
		return "";
	}
	const wrappers = ["section", "piece", "markdown", "table-block", "table-frame"];
	if (wrappers.some(kind => node.classList.contains(kind))) {
		return inside;
	}
	if (
		name === "a" &&
		URL.canParse(inside) &&
		new URL(inside).href === new URL(node.getAttribute("href") ?? "").href
	) {
		// A bare address is a link with us, and text to the reference.
		return inside;
	}
	const isFlow = ["ul", "ol", "table", "thead", "tbody", "tr", "blockquote", "li"].includes(name);
	// Between blocks white space means nothing.
	const content = isFlow ? inside.replaceAll(/\n(?=<)|(?<=>)\n|^\n|\n$/g, "") : inside;
	return `<${name}${attributesOf(node)}>${content}</${name}>`;
}

function attributesOf(element: HTMLElement): string {
	const alignment =
		/align-(\w+)/.exec(element.className)?.[1] ??
		/text-align:\s*(\w+)/.exec(element.getAttribute("style") ?? "")?.[1];
	const href = element.getAttribute("href");
	const start = element.getAttribute("start");
	return [
		alignment && ` ${alignment}`,
		href && ` ${new URL(href).href}`,
		start && ` ${start}`,
	].join("");
}
