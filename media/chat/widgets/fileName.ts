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
	[/\.(?:png|jpe?g|gif|webp|svg|ico|bmp)$/i, "file-media"],
];

/** Returns the icon of a file; `other` if its extension has none. */
export function fileIcon(name: string, other: string): string {
	return icons.find(([pattern]) => pattern.test(name))?.[1] ?? other;
}

/** The shortest name to truncate in its middle, and the most of its end that stays, in characters. */
const maxWhole = 16;
const maxEnd = 16;

/** Renders a name that is truncated in its middle, so that its extension and lines stay readable. */
export function renderFileName(name: string): TemplateResult {
	const letters = [...name];
	const extension = letters.length - letters.lastIndexOf(".") + 3;
	const start = letters.slice(0, -(extension > maxEnd ? 8 : extension)).join("");
	return letters.length <= maxWhole
		? html`<span class="file-name" dir="auto"><span>${name}</span></span>`
		: html`<span class="file-name" dir="auto"
				><span>${start}</span><span>${name.slice(start.length)}</span></span
			>`;
}
