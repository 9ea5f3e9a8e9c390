import { html, type TemplateResult } from "lit";

/** Icons of files by their extension; others are code if they are text. */
const icons: readonly (readonly [RegExp, icon: string])[] = [
	[/\.(?:md|mdx|markdown)$/i, "markdown"],
	[/\.(?:txt|log|rst|adoc|tex)$/i, "file-text"],
	[/\.(?:json|jsonc|jsonl)$/i, "json"],
	[/\.ipynb$/i, "notebook"],
	[/\.(?:csv|tsv|xlsx?|ods|parquet)$/i, "table"],
	[/\.pdf$/i, "file-pdf"],
	[/\.(?:zip|gz|tgz|7z|xz)$/i, "file-zip"],
	[/\.(?:bin|exe|dll|so|dylib|wasm|db|sqlite|ttf|otf|woff2?|mp[34]|mov|webm|wav)$/i, "file-binary"],
	[/\.(?:png|jpe?g|gif|webp|svg|ico|bmp)$/i, "file-media"],
];

/** Returns the icon of a file; `other` if its extension has none. */
export function fileIcon(name: string, other: string): string {
	return icons.find(([pattern]) => pattern.test(name))?.[1] ?? other;
}

/** The most of a name's end that stays, in characters, and the most that half of a narrow line has room for, beside these first ones. */
const maxEnd = 16;
const maxShortEnd = 8;
const shortStart = 5;

/** Splits a name where it is truncated; a short one is truncated at its end. */
function splitName(name: string): readonly [start: string, end: string] {
	const letters = [...name];
	const extension = letters.length - letters.lastIndexOf(".") + 3;
	const kept = extension > maxEnd ? 8 : extension;
	const start = letters.slice(0, -kept).join("");
	const maxWhole = kept > maxShortEnd ? 16 : 10;
	// The first part has a minimum width, which would leave a gap after a few letters.
	const isWhole = letters.length <= Math.max(maxWhole, kept + shortStart - 1);
	return isWhole ? [name, ""] : [start, name.slice(start.length)];
}

/** Whether a name that is truncated to half of a narrow line can be told from the others. */
export function isClearInHalf(name: string, others: readonly string[]): boolean {
	const [start, end] = splitName(name);
	const isAlike = (other: string): boolean => {
		const [otherStart, otherEnd] = splitName(other);
		return otherEnd === end && otherStart.slice(0, shortStart) === start.slice(0, shortStart);
	};
	return end.length <= maxShortEnd && others.filter(isAlike).length <= 1;
}

/** Renders a name that is truncated in its middle, so that its extension and lines stay readable. `show` renders a part, from an index of the name. */
export function renderFileName(
	name: string,
	show: (part: string, from: number) => unknown = part => part,
): TemplateResult {
	const [start, end] = splitName(name);
	return end === ""
		? html`<span class="file-name" dir="auto"><span>${show(name, 0)}</span></span>`
		: html`<span class="file-name" dir="auto"
				><span>${show(start, 0)}</span><span>${show(end, start.length)}</span></span
			>`;
}
