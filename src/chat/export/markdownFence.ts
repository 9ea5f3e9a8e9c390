/** A text as a fenced code block; the fence is longer than any run of backticks in it, so that nothing in it ends the block. */
export function fencedBlock(text: string, language = ""): string {
	const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
	const fence = "`".repeat(Math.max(3, longest + 1));
	const end = text === "" || text.endsWith("\n") ? "" : "\n";
	return `${fence}${language}\n${text}${end}${fence}`;
}

/**
 * A text with its last fenced code block closed, if it was cut off inside one: what follows would stand in the block otherwise.
 * Every other character stays. A block inside a list or a quotation ends with those.
 * @see https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function withClosedFence(markdown: string): string {
	let open: string | undefined;
	for (const line of markdown.split(/\r\n|\r|\n/)) {
		const [, fence = "", info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
		if (open === undefined) {
			open = fence !== "" && !(fence.startsWith("`") && info.includes("`")) ? fence : undefined;
		} else if (fence.startsWith(open) && info.trim() === "") {
			open = undefined;
		}
	}
	return open === undefined ? markdown : `${markdown}${markdown.endsWith("\n") ? "" : "\n"}${open}`;
}

/** A text in one line in which nothing has a meaning in Markdown; for names that come from a disk or a service. */
export function escapedLine(text: string): string {
	return text
		.replaceAll(/\s+/g, " ")
		.trim()
		.replaceAll(/[\\`*_{}[\]()<>#+\-!|~&]/g, String.raw`\$&`);
}

/** A text in one line as inline code. */
export function codeSpan(text: string): string {
	const line = text.replaceAll(/\s+/g, " ");
	const longest = (line.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
	const mark = "`".repeat(longest + 1);
	const isPadded = line === "" || line.startsWith("`") || line.endsWith("`");
	return isPadded ? `${mark} ${line} ${mark}` : `${mark}${line}${mark}`;
}
