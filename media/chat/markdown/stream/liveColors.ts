import type { GrowingCodeBlock } from "../elements/codeBlock.ts";
import type { FinishingDependencies } from "../final/finishing.ts";

/**
 * Colors code that still arrives, a chunk of some dozen lines at a time: the cost of a line does not grow with its block. What spans
 * chunks, such as a long comment, is right once the block is whole and colored as one.
 */
export class LiveColors {
	private readonly tools: Pick<FinishingDependencies, "idle" | "loadHighlighter">;
	/** Chunks whose colors are on their way. */
	private readonly waiting = new Set<Element>();

	constructor(tools: Pick<FinishingDependencies, "idle" | "loadHighlighter">) {
		this.tools = tools;
	}

	/** Colors, in a quiet moment, the chunk of a block to which a line was added. */
	lineAdded(block: GrowingCodeBlock): void {
		const { language, lastChunk: chunk } = block;
		if (language === "" || !chunk || this.waiting.has(chunk)) {
			return;
		}
		this.waiting.add(chunk);
		this.tools.loadHighlighter(language).then(
			highlight => this.tools.idle.add(this.paint(block, chunk, highlight), chunk),
			// Without its colors the code is still all there.
			() => undefined,
		);
	}

	private *paint(
		block: GrowingCodeBlock,
		chunk: Element,
		highlight: Awaited<ReturnType<FinishingDependencies["loadHighlighter"]>>,
	): Generator<undefined, void> {
		yield;
		this.waiting.delete(chunk);
		block.paintChunk(chunk, code => highlight(code, block.language));
	}
}
