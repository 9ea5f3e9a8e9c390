import * as l10n from "@vscode/l10n";
import { formatBytes } from "../widgets/byteSize.ts";
import {
	appendPlainText,
	createPlainNote,
	createPlainText,
	showHiddenNote,
} from "./elements/plainText.ts";
import { createElement } from "./elements/elements.ts";
import { asShown, IncomingText } from "./elements/normalize.ts";
import { finishLater } from "./final/finishing.ts";
import { renderBlocks } from "./final/renderBlocks.ts";
import { appendSection, estimateHeight, sectionCharacters } from "./final/sections.ts";
import { LiveText, type RenderingDependencies } from "./stream/liveText.ts";

/** The text of a message in the page. */
export interface AnswerText {
	readonly element: HTMLElement;
	/** The number of received characters, shown or not. */
	readonly received: number;
	append(text: string): void;
	/** Ends the text. */
	finish(): void;
}

/** A message longer than this is collapsed until “Show all” is clicked; in characters. */
export const collapseCharacters = 1024 * 1024;

/** The length shown of a message that is long from the start, while it is collapsed; in characters. */
export const previewCharacters = 64 * 1024;

/** The most text to write at once, in characters and lines, because every line may become a block. The rest waits for idle periods. */
const maxSlice = { characters: 4 * 1024, lines: 64 };

/** The most lines of the first slice. A reopened message gets most of its height at once, for the scroll position. */
const firstLines = 200;

/** A complete message up to this length is rendered at once, without the preview; in characters. */
const wholeCharacters = 32 * 1024;

/** A message that is streamed into the page. */
export class GrowingAnswer implements AnswerText {
	readonly element = createElement("div", "markdown");
	received = 0;
	private readonly tools: RenderingDependencies;
	private readonly text: LiveText;
	private written = 0;
	/** Received text not written yet. */
	private waiting = "";
	private readonly incoming = new IncomingText();
	/** Whether the idle queue is writing the waiting text. */
	private isBusy = false;
	private isFinished = false;
	/** The most characters to write. */
	private limit = collapseCharacters;
	private showAll: HTMLElement | undefined;
	/** All received text, in case formatting fails. */
	private source = "";
	/** The plain text after formatting failed. */
	private plain: HTMLElement | undefined;

	constructor(shared: RenderingDependencies) {
		this.tools = reportingOnce(shared);
		this.text = new LiveText(this.element, this.tools);
	}

	append(text: string): void {
		this.received += text.length;
		this.source += text;
		if (this.plain) {
			appendPlainText(this.plain, asShown(text));
		} else {
			this.orAsPlainText(() => this.format(text));
		}
	}

	finish(): void {
		this.isFinished = true;
		if (!this.isBusy) {
			this.orAsPlainText(() => this.continueWriting());
		}
	}

	/** Runs a step of formatting. If it fails, shows the message as plain text. */
	private orAsPlainText(step: () => void): void {
		try {
			if (!this.plain) {
				step();
			}
		} catch (error) {
			this.tools.onFailed(error);
			this.plain = createPlainText(asShown(this.source));
			this.element.replaceChildren(createPlainNote(), this.plain);
			showHiddenNote(this.element, this.incoming.hidden);
		}
	}

	private format(text: string): void {
		this.waiting += text;
		if (this.received > collapseCharacters && this.limit === collapseCharacters) {
			this.limit = Math.max(this.written, previewCharacters);
		}
		if (this.isBusy) {
			return;
		}
		this.writeSlice();
		if (this.waiting !== "") {
			this.continueWriting();
		}
	}

	/** Writes one slice within the limit. */
	private writeSlice(): void {
		const room = Math.max(0, this.limit - this.written);
		const slice = this.waiting.slice(0, Math.min(sliceEnd(this.waiting, this.written), room));
		this.waiting = this.waiting.slice(slice.length);
		this.written += slice.length;
		this.text.write(this.incoming.take(slice));
		showHiddenNote(this.element, this.incoming.hidden);
	}

	/** Writes the rest in slices, collapses, or finishes. */
	private continueWriting(): void {
		if (this.waiting !== "" && this.written < this.limit) {
			this.isBusy = true;
			this.element.ariaBusy = "true";
			this.tools.idle.add(this.writeRest(), this.element);
		} else if (this.waiting !== "") {
			this.collapse();
		} else if (this.isFinished) {
			this.text.write(this.incoming.end());
			this.text.finish();
			showHiddenNote(this.element, this.incoming.hidden);
		}
	}

	private *writeRest(): Generator<undefined, void> {
		while (!this.plain && this.waiting !== "" && this.written < this.limit) {
			this.orAsPlainText(() => this.writeSlice());
			yield;
		}
		this.isBusy = false;
		this.element.ariaBusy = null;
		this.orAsPlainText(() => this.continueWriting());
	}

	/** Shows a button that expands the rest. */
	private collapse(): void {
		if (!this.showAll) {
			this.showAll = createShowAll(() => {
				this.limit = Infinity;
				this.showAll?.remove();
				this.continueWriting();
			});
			this.element.append(this.showAll);
		}
		this.showAll.textContent = l10n.t("Show all ({0})", formatBytes(this.received));
	}
}

/** Reports an error only once per message, because many parts may fail for one reason. */
function reportingOnce(tools: RenderingDependencies): RenderingDependencies {
	let isReported = false;
	const onFailed = (error: unknown): void => {
		if (!isReported) {
			isReported = true;
			tools.onFailed(error);
		}
	};
	return { ...tools, onFailed };
}

function sliceEnd(text: string, written: number): number {
	const maxLines = written === 0 ? firstLines : maxSlice.lines;
	let end = 0;
	for (let lines = 0; lines < maxLines && end < maxSlice.characters; lines++) {
		end = text.indexOf("\n", end) + 1;
		if (end === 0) {
			return maxSlice.characters;
		}
	}
	return Math.min(end, maxSlice.characters);
}

/** Creates the text of a complete message. */
export function createFinishedAnswer(source: string, tools: RenderingDependencies): AnswerText {
	if (source.length > wholeCharacters) {
		const answer = new GrowingAnswer(tools);
		answer.append(source);
		answer.finish();
		return answer;
	}
	const element = createElement("div", "markdown");
	const incoming = new IncomingText();
	const text = incoming.take(source) + incoming.end();
	try {
		const work = renderBlocks(tools.engine, text, {});
		let step = work.next();
		while (!step.done) {
			step = work.next();
		}
		appendInSections(element, step.value);
		finishLater(element, tools);
	} catch (error) {
		tools.onFailed(error);
		element.replaceChildren(createPlainNote(), createPlainText(text));
	}
	showHiddenNote(element, incoming.hidden);
	return { element, received: source.length, append: () => undefined, finish: () => undefined };
}

/** Creates the button that expands a long message. */
function createShowAll(onPress: () => void): HTMLElement {
	const button = document.createElement("button");
	button.type = "button";
	button.className = "show-all";
	button.addEventListener("click", onPress, { once: true });
	return button;
}

function appendInSections(element: HTMLElement, nodes: readonly ChildNode[]): void {
	let { section, piece } = appendSection(element);
	let length = 0;
	for (const node of nodes) {
		if (length > sectionCharacters) {
			estimateHeight(section, length);
			({ section, piece } = appendSection(element));
			length = 0;
		}
		piece.append(node);
		length += node.textContent?.length ?? 0;
	}
	estimateHeight(section, length);
}
