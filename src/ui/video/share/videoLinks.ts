import { posix, win32 } from "node:path";

/** Whether a file is in a folder or a subfolder. Both are absolute paths of the same machine. */
export function isInside(file: string, folder: string): boolean {
	const path = flavourOf(folder);
	const relative = path.relative(folder, file);
	return relative !== "" && !relative.startsWith("..") && !path.isAbsolute(relative);
}

/** Returns a document's link to a file: a relative path with forward slashes, or a `file:` URL for another drive. Escaped for Markdown and HTML. */
export function linkAddress(document: string, file: string): string {
	const path = flavourOf(document);
	const relative = path.relative(path.dirname(document), file);
	if (path.isAbsolute(relative)) {
		const whole = relative.replaceAll("\\", "/");
		return `file://${whole.startsWith("/") ? "" : "/"}${escapePath(whole)}`;
	}
	return escapePath(path === win32 ? relative.replaceAll("\\", "/") : relative);
}

/** Returns a Markdown link to a clip, with any characters in the title. CommonMark §6.3, §2.4. */
export function markdownLink(title: string, address: string): string {
	const text = title.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>!#|~]/g, String.raw`\$&`);
	return `[${text}](${address})`;
}

/** Returns a Markdown image with any characters in the description. CommonMark §6.4. */
export function markdownImage(alt: string, address: string): string {
	return `!${markdownLink(alt, address)}`;
}

/** Returns an HTML image, self-closing as MDX requires. */
export function imageTag(alt: string, address: string): string {
	return `<img src="${escapeHtml(address)}" alt="${escapeHtml(alt.replaceAll(/\s+/g, " "))}" />`;
}

/** Returns an HTML tag that plays a clip where Markdown allows HTML. */
export function videoTag(title: string, address: string): string {
	return `<video controls loop src="${escapeHtml(address)}" title="${escapeHtml(title.replaceAll(/\s+/g, " "))}"></video>`;
}

function flavourOf(path: string): typeof posix {
	return /^(?:[a-z]:[\\/]|\\\\)/i.test(path) ? win32 : posix;
}

/** Percent-encodes each segment, including brackets, which would end a Markdown link. */
function escapePath(path: string): string {
	return path
		.split("/")
		.map((segment, index) =>
			index <= 1 && /^[a-z]:$/i.test(segment) ? segment : escapeSegment(segment),
		)
		.join("/");
}

function escapeSegment(segment: string): string {
	return encodeURIComponent(segment.toWellFormed()).replaceAll(
		/[()'!*]/g,
		character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

function escapeHtml(text: string): string {
	const entities: Readonly<Record<string, string>> = {
		"&": "&amp;",
		"<": "&lt;",
		">": "&gt;",
		'"': "&quot;",
	};
	return text.replaceAll(/[&<>"]/g, character => entities[character] ?? character);
}
