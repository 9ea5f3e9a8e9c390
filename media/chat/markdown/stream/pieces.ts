import type { Boundary } from "../final/engine.ts";
import { maxFormula } from "../final/mathRules.ts";
import { sectionCharacters } from "../final/sections.ts";
import {
	FencedLines,
	indentOf,
	isBlank,
	parseFence,
	parseListMarker,
} from "../elements/lineShape.ts";

/** A part of a message that only later link definitions can change. */
export interface FinishedPiece {
	readonly source: string;
	/** Whether it includes the line just added, which otherwise starts the next piece. */
	readonly includesLine: boolean;
}

/** State since the last cut. */
interface SplitterState {
	/** The text since the last cut. */
	rest: string;
	/** The length of the text at which the judge is called again. */
	nextAsk: number;
	fence: FencedLines | undefined;
	/** The length of the text before an open `$$` on a line of its own. */
	formulaStart: number | undefined;
	isInList: boolean;
	wasBlank: boolean;
	hasContent: boolean;
}

type Judge = (source: string, next: string) => Boundary;

const emptyState: SplitterState = {
	rest: "",
	nextAsk: 0,
	fence: undefined,
	formulaStart: undefined,
	isInList: false,
	wasBlank: false,
	hasContent: false,
};

/** Splits a growing text into pieces of whole top-level blocks. */
export class PieceSplitter {
	private readonly judge: Judge;
	private state = { ...emptyState };

	/**
	 * Calls `judge` with the text since the last cut where a cut is likely. The judge makes the pieces correct; calling it again only after the text
	 * has doubled keeps the cost linear.
	 */
	constructor(judge: Judge) {
		this.judge = judge;
	}

	/** The text after the last finished piece; complete lines only. */
	get rest(): string {
		return this.state.rest;
	}

	/** Adds a complete line, without its line break. Returns the piece it finished, if any. */
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

	/** Finishes a piece after a closed fence outside containers, regardless of what follows. */
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

/** Appends a line. Returns whether it closed fenced code. */
function takeLine(state: SplitterState, line: string): boolean {
	state.rest += `${line}\n`;
	state.wasBlank = isBlank(line);
	state.hasContent ||= !state.wasBlank;
	state.isInList ||= !state.fence && parseListMarker(line) !== undefined;
	const fenceLine = state.isInList ? line.trimStart() : line;
	if (!state.fence) {
		if (line.trim() === "$$") {
			state.formulaStart = state.formulaStart === undefined ? state.rest.length : undefined;
		}
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

/** Whether a line likely starts a block: after a blank line, not indented, and not continuing a list. */
function mayBegin(state: SplitterState, line: string): boolean {
	const { isInList, fence, formulaStart, wasBlank, rest } = state;
	const indent = indentOf(line);
	if (formulaStart !== undefined && rest.length - formulaStart < maxFormula) {
		return false;
	}
	if (rest.length > sectionCharacters && indent <= 3 && !fence) {
		return true;
	}
	const isLikely = isInList
		? indent <= (fence ? 0 : 1) && parseListMarker(line) === undefined
		: indent <= 3 && !fence;
	return wasBlank && isLikely;
}
