/** A fenced block of a question. */
export interface FencedBlock {
	readonly text: string;
	/** Everything after the fence that opens the block, without spaces around it. */
	readonly info: string;
}

/** The fenced blocks of a text; one that is left open reaches to the end. CommonMark §4.5. */
export function fencedBlocks(text: string): readonly FencedBlock[] {
	const blocks = text.matchAll(
		/^( {0,3})(`{3,}|~{3,}(?!~))([^\n`]*)\n([\s\S]*?)(?:\n {0,3}\2[`~]*[ \t]*$|$(?![\s\S]))/gm,
	);
	return [...blocks].map(([, , , info = "", content = ""]) => ({
		text: content,
		info: info.trim(),
	}));
}
