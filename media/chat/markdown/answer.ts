import * as l10n from "@vscode/l10n";
import { formatBytes } from "../widgets/index.ts";
import { appendText, createElement, createPlainNote, createPlainText } from "./elements/index.ts";
import {
	finishLater,
	renderBlocks,
	appendSection,
	estimateHeight,
	sectionCharacters,
} from "./final/index.ts";
import { createLiveText, type LiveText, type RenderingDependencies } from "./stream/index.ts";

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

type Normalizer = (text: string, isEnd: boolean) => string;

/** How far a message has come from its arrival onto the page. */
interface Intake {
	readonly element: HTMLElement;
	readonly tools: RenderingDependencies;
	readonly text: LiveText;
	readonly normalize: Normalizer;
	received: number;
	written: number;
	/** Received and not yet written. */
	waiting: string;
	/** Whether the idle queue is at work on what waits. */
	isBusy: boolean;
	isFinished: boolean;
	/** How much is written at most. */
	limit: number;
	showAll: HTMLElement | undefined;
	/** All that was received, for the case that it cannot be formatted. */
	source: string;
	/** Where the message goes on as plain text, once formatting it failed. */
	plain: HTMLElement | undefined;
}

/** Makes an empty answer. */
export function createAnswer(shared: RenderingDependencies): AnswerText {
	const element = createElement("div", "markdown");
	const tools = reportingOnce(shared);
	const intake: Intake = {
		element,
		tools,
		text: createLiveText(element, tools),
		normalize: createNormalizer(),
		received: 0,
		written: 0,
		waiting: "",
		isBusy: false,
		isFinished: false,
		limit: collapseCharacters,
		showAll: undefined,
		source: "",
		plain: undefined,
	};
	return {
		element,
		get received() {
			return intake.received;
		},
		append: text => receive(intake, text),
		finish: () => {
			intake.isFinished = true;
			if (!intake.isBusy) {
				orAsPlainText(intake, () => goOn(intake));
			}
		},
	};
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

/** Runs a step of formatting; one that fails leaves the message as plain text, and the chat goes on. */
function orAsPlainText(intake: Intake, step: () => void): void {
	try {
		if (!intake.plain) {
			step();
		}
	} catch (error) {
		intake.tools.onFailed(error);
		intake.plain = createPlainText(intake.source);
		intake.element.replaceChildren(createPlainNote(), intake.plain);
	}
}

function receive(intake: Intake, text: string): void {
	intake.received += text.length;
	intake.source += text;
	if (intake.plain) {
		appendText(intake.plain, text);
	} else {
		orAsPlainText(intake, () => format(intake, text));
	}
}

function format(intake: Intake, text: string): void {
	intake.waiting += text;
	if (intake.received > collapseCharacters && intake.limit === collapseCharacters) {
		intake.limit = Math.max(intake.written, previewCharacters);
	}
	if (intake.isBusy) {
		return;
	}
	writeSlice(intake);
	if (intake.waiting !== "") {
		goOn(intake);
	}
}

/** Writes as much as fits into one slice and under the limit. */
function writeSlice(intake: Intake): void {
	const room = Math.max(0, intake.limit - intake.written);
	const slice = intake.waiting.slice(0, Math.min(sliceEnd(intake), room));
	intake.waiting = intake.waiting.slice(slice.length);
	intake.written += slice.length;
	intake.text.write(intake.normalize(slice, false));
}

function sliceEnd({ waiting: text, written }: Intake): number {
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

/** Does what is due: writes the rest in slices, collapses, or finishes. */
function goOn(intake: Intake): void {
	if (intake.waiting !== "" && intake.written < intake.limit) {
		intake.isBusy = true;
		intake.tools.idle.add(writeRest(intake), intake.element);
	} else if (intake.waiting !== "") {
		collapse(intake);
	} else if (intake.isFinished) {
		intake.text.write(intake.normalize("", true));
		intake.text.finish();
	}
}

function* writeRest(intake: Intake): Generator<undefined, void> {
	while (!intake.plain && intake.waiting !== "" && intake.written < intake.limit) {
		orAsPlainText(intake, () => writeSlice(intake));
		yield;
	}
	intake.isBusy = false;
	orAsPlainText(intake, () => goOn(intake));
}

/** Shows, in place of the rest, the button that shows the rest. */
function collapse(intake: Intake): void {
	if (!intake.showAll) {
		intake.showAll = createShowAll(() => {
			intake.limit = Infinity;
			intake.showAll?.remove();
			goOn(intake);
		});
		intake.element.append(intake.showAll);
	}
	intake.showAll.textContent = l10n.t("Show all ({0})", formatBytes(intake.received));
}

/** Makes the answer of a message that is known in full. */
export function createFinishedAnswer(source: string, tools: RenderingDependencies): AnswerText {
	if (source.length > wholeCharacters) {
		const answer = createAnswer(tools);
		answer.append(source);
		answer.finish();
		return answer;
	}
	const element = createElement("div", "markdown");
	try {
		const work = renderBlocks(tools.engine, createNormalizer()(source, true), {});
		let step = work.next();
		while (!step.done) {
			step = work.next();
		}
		appendInSections(element, step.value);
		finishLater(element, tools);
	} catch (error) {
		tools.onFailed(error);
		element.replaceChildren(createPlainNote(), createPlainText(source));
	}
	return { element, received: source.length, append: () => undefined, finish: () => undefined };
}

/** Makes what brings text of any line ends to `\n`, wherever it is cut, and makes NUL visible (CommonMark 0.31.2 §2.3). */
function createNormalizer(): Normalizer {
	let carried = "";
	return (text, isEnd) => {
		const input = carried + text;
		carried = !isEnd && input.endsWith("\r") ? "\r" : "";
		return input
			.slice(0, input.length - carried.length)
			.replaceAll(/\r\n?/g, "\n")
			.replaceAll("\0", "\uFFFD");
	};
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
