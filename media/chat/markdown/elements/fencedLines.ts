import { closesFence, type Fence, isBlank, parseFence } from "./lineShape.ts";

/**
 * Finds the line that ends fenced code. Code in Markdown may hold fences as long as its own, which models write inside a block that
 * is meant to be one: a fence with a language opens an inner one, and so does a bare one between text and a blank
 * line or one that ends in a colon.
 */
export class FencedLines {
	private readonly fence: Fence;
	private readonly mayNest: boolean;
	private inner: Fence | undefined;
	private isAnnounced = false;

	/** Begins behind the line that `fence` is. */
	constructor(fence: Fence, mayNest = isMarkdown(fence)) {
		this.fence = fence;
		this.mayNest = mayNest;
	}

	/** Whether the next line ends the code; `following` is the line behind it, some text while that is not known. */
	endsAt(line: string, following = "x"): boolean {
		const { isAnnounced } = this;
		this.isAnnounced = isBlank(line) || /[:：]\s*$/.test(line);
		if (this.inner) {
			this.inner = closesFence(line, this.inner) ? undefined : this.inner;
			return false;
		}
		const isEnd = closesFence(line, this.fence);
		const mark = this.mayNest ? parseFence(line) : undefined;
		const isInner = isEnd ? isAnnounced && !isBlank(following) : mark?.info !== "";
		this.inner = mark && isInner ? mark : undefined;
		return isEnd && !this.inner;
	}
}

/** Whether fenced code is Markdown, by its language. */
function isMarkdown({ info }: Fence): boolean {
	return /^(?:markdown|md|mdx)(?:\s|$)/i.test(info);
}
