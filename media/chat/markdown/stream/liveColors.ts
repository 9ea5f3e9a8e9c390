import type { GrowingCodeBlock } from "../elements/codeBlock.ts";
import type { FinishingDependencies } from "../final/finishing.ts";

/**
 * Highlights streamed code in chunks of a few dozen lines, so that the cost of a line is independent of its block's length. Tokens that span chunks,
 * such as long comments, are corrected when the whole block is highlighted.
 */
export class LiveColors {
	private readonly tools: Pick<FinishingDependencies, "idle" | "loadHighlighter">;
	/** Chunks being highlighted. */
	private readonly waiting = new Set<Element>();

	constructor(tools: Pick<FinishingDependencies, "idle" | "loadHighlighter">) {
		this.tools = tools;
	}

	/** Highlights the chunk of a block's last line in an idle period. */
	lineAdded(block: GrowingCodeBlock): void {
		const { language, lastChunk: chunk } = block;
		if (language === "" || !chunk || this.waiting.has(chunk)) {
			return;
		}
		this.waiting.add(chunk);
		this.tools.loadHighlighter(language).then(
			highlight => this.tools.idle.add(this.paint(block, chunk, highlight), chunk),
			// Without highlighting the code is still complete.
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
