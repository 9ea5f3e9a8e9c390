/** A line with blanks in place of its tabs, each up to the next of the stops that are `tabSize` columns apart. */
export function expandTabs(line: string, tabSize: number): string {
	let text = "";
	for (const [index, part] of line.split("\t").entries()) {
		text = index === 0 ? part : `${text}${" ".repeat(tabSize - (lengthOf(text) % tabSize))}${part}`;
	}
	return text;
}

function lengthOf(text: string): number {
	return [...text].length;
}
