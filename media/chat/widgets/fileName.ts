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

/** The shortest name to truncate in its middle, and the most of its end that stays, in characters. */
const maxWhole = 16;
const maxEnd = 16;

/** Renders a name that is truncated in its middle, so that its extension and lines stay readable. `show` renders a part, from an index of the name. */
export function renderFileName(
	name: string,
	show: (part: string, from: number) => unknown = part => part,
): TemplateResult {
	const letters = [...name];
	const extension = letters.length - letters.lastIndexOf(".") + 3;
	const start = letters.slice(0, -(extension > maxEnd ? 8 : extension)).join("");
	return letters.length <= maxWhole
		? html`<span class="file-name" dir="auto"><span>${show(name, 0)}</span></span>`
		: html`<span class="file-name" dir="auto"
				><span>${show(start, 0)}</span
				><span>${show(name.slice(start.length), start.length)}</span></span
			>`;
}
