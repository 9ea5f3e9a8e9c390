import type { Boundary } from "../final/engine.ts";
import { sectionCharacters } from "../final/sections.ts";
import {
	FencedLines,
	indentOf,
	isBlank,
	parseFence,
	parseListMarker,
} from "../elements/lineShape.ts";

/** A part of a message that nothing to come can change, save for link definitions. */
export interface FinishedPiece {
	readonly source: string;
	/** Whether the line just added is part of it, or begins the next piece. */
	readonly includesLine: boolean;
}

/** What is known of the text since the last cut. */
interface SplitterState {
	/** The text since the last cut. */
	rest: string;
	/** How long the text has to be before the judge is asked again. */
	nextAsk: number;
	fence: FencedLines | undefined;
	isInList: boolean;
	wasBlank: boolean;
	hasContent: boolean;
}

type Judge = (source: string, next: string) => Boundary;

const emptyState: SplitterState = {
	rest: "",
	nextAsk: 0,
	fence: undefined,
	isInList: false,
	wasBlank: false,
	hasContent: false,
};

/** Cuts a growing text into pieces of whole top-level blocks. */
export class PieceSplitter {
	private readonly judge: Judge;
	private state = { ...emptyState };

	/**
	 * Makes a splitter. `judge` is asked, with the text since the last cut, only where a cut is likely; its answers make the
	 * pieces right, and asking again only after the text has doubled keeps the cost linear.
	 */
	constructor(judge: Judge) {
		this.judge = judge;
	}

	/** Rest that is not part of a finished piece; holds complete lines only. */
	get rest(): string {
		return this.state.rest;
	}

	/** Takes the next complete line, without its line break; returns the piece it finished, if it did. */
	addLine(line: string): FinishedPiece | undefined {
		const finished = this.state.hasContent && !isBlank(line) ? this.finishBefore(line) : undefined;
		const isClosed = takeLine(this.state, line);
		return finished ?? (isClosed ? this.finishAfterFence() : undefined);
	}

	private finishBefore(line: string): FinishedPiece | undefined {
		const { state } = this;
		if (state.rest.length < state.nextAsk || !mayBegin(state, line)) {
			return undefined;
		}
		if (!this.judge(state.rest, line).isBoundary) {
			state.nextAsk = state.rest.length * 2;
			return undefined;
		}
		return this.finish(false);
	}

	/** A closed fence that is in no container ends its block, whatever follows. */
	private finishAfterFence(): FinishedPiece | undefined {
		const boundary = this.state.isInList ? undefined : this.judge(this.state.rest, "x");
		return boundary?.isBoundary && boundary.lastBlock === "fence" ? this.finish(true) : undefined;
	}

	private finish(includesLine: boolean): FinishedPiece {
		const { rest } = this.state;
		this.state = { ...emptyState };
		return { source: rest, includesLine };
	}
}

/** Appends a line; returns whether it closed fenced code. */
function takeLine(state: SplitterState, line: string): boolean {
	state.rest += `${line}\n`;
	state.wasBlank = isBlank(line);
	state.hasContent ||= !state.wasBlank;
	state.isInList ||= !state.fence && parseListMarker(line) !== undefined;
	const fenceLine = state.isInList ? line.trimStart() : line;
	if (!state.fence) {
		const fence = parseFence(fenceLine);
		state.fence = fence && new FencedLines(fence);
		return false;
	}
	const isClosed = state.fence.endsAt(fenceLine);
	if (isClosed) {
		state.fence = undefined;
	}
	return isClosed;
}

/** Whether a line is likely to begin a block: after a blank line, one that is not indented and continues no list. */
function mayBegin({ isInList, fence, wasBlank, rest }: SplitterState, line: string): boolean {
	const indent = indentOf(line);
	if (rest.length > sectionCharacters && indent <= 3 && !fence) {
		return true;
	}
	const isLikely = isInList
		? indent <= (fence ? 0 : 1) && parseListMarker(line) === undefined
		: indent <= 3 && !fence;
	return wasBlank && isLikely;
}
