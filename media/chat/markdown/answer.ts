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

/** The text of one message on the page. */
export interface AnswerText {
	readonly element: HTMLElement;
	/** Characters received, shown or not. */
	readonly received: number;
	append(text: string): void;
	/** Nothing follows. */
	finish(): void;
}

/** A message longer than this is shown in part until «Show all» is pressed (fault S19); in characters. */
export const collapseCharacters = 1024 * 1024;

/** How much of a message that comes long from the start is shown while it is collapsed; in characters. */
export const previewCharacters = 64 * 1024;

/** The most text written at once, in characters and lines, as any line may become a block; what is more waits for quiet moments. */
const maxSlice = { characters: 4 * 1024, lines: 64 };

/** The most lines of the first slice: a message that is opened again has most of its height at once, for where the reader was. */
const firstLines = 200;

/** A message known in full up to this length is rendered at once, without the preview; in characters. */
const wholeCharacters = 32 * 1024;

/** A message that still grows, on its way from its arrival onto the page. */
export class GrowingAnswer implements AnswerText {
	readonly element = createElement("div", "markdown");
	received = 0;
	private readonly tools: RenderingDependencies;
	private readonly text: LiveText;
	private written = 0;
	/** Received and not yet written. */
	private waiting = "";
	private readonly incoming = new IncomingText();
	/** Whether the idle queue is at work on what waits. */
	private isBusy = false;
	private isFinished = false;
	/** How much is written at most. */
	private limit = collapseCharacters;
	private showAll: HTMLElement | undefined;
	/** All that was received, for the case that it cannot be formatted. */
	private source = "";
	/** Where the message goes on as plain text, once formatting it failed. */
	private plain: HTMLElement | undefined;

	/** Makes an empty message. */
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
			this.orAsPlainText(() => this.goOn());
		}
	}

	/** Runs a step of formatting; one that fails leaves the message as plain text, and the chat goes on. */
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
			this.goOn();
		}
	}

	/** Writes as much as fits into one slice and under the limit. */
	private writeSlice(): void {
		const room = Math.max(0, this.limit - this.written);
		const slice = this.waiting.slice(0, Math.min(sliceEnd(this.waiting, this.written), room));
		this.waiting = this.waiting.slice(slice.length);
		this.written += slice.length;
		this.text.write(this.incoming.take(slice));
		showHiddenNote(this.element, this.incoming.hidden);
	}

	/** Does what is due: writes the rest in slices, collapses, or finishes. */
	private goOn(): void {
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
		this.orAsPlainText(() => this.goOn());
	}

	/** Shows, in place of the rest, the button that shows the rest. */
	private collapse(): void {
		if (!this.showAll) {
			this.showAll = createShowAll(() => {
				this.limit = Infinity;
				this.showAll?.remove();
				this.goOn();
			});
			this.element.append(this.showAll);
		}
		this.showAll.textContent = l10n.t("Show all ({0})", formatBytes(this.received));
	}
}

/** Many parts of a message may fail for one reason; it is reported once. */
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

/** Makes the answer of a message that is known in full. */
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

/** Makes the button that shows the rest of a long message. */
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
