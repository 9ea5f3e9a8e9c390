import { assertNever } from "../../common/errors.ts";
import { clipName, promptTitle } from "../job/clipName.ts";
import type { VideoJob, VideoRequest } from "../job/videoJob.ts";

/** The greatest length of the text part of a name, in UTF-8 bytes. Short enough for links. */
const maxWordBytes = 40;

/** Names that Windows reserves for devices, with any extension. @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const reservedNames = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;

/**
 * Returns a file name without extension, from the storyboard's title, the symbol that the clip's code declares, the source file, the heading, or the
 * first words; for example `volume-discount`. A scene's name ends in its number, so that the joined clip gets the plain name. Safe on every file
 * system and in links: letters, digits and marks of any script, single hyphens, no reserved names.
 */
export function clipBaseName(job: Pick<VideoJob, "request" | "source" | "scene">): string {
	const words = cleaned(jobWords(job));
	const isTaken = reservedNames.test(words) || words === "";
	const name = (isTaken ? `video-${words}` : words).replace(/-$/, "");
	return job.scene ? `${name}-scene-${job.scene.index + 1}` : name;
}

function jobWords(job: Pick<VideoJob, "request" | "source">): string {
	const { request, source } = job;
	const { symbol, file } = clipName(job) ?? {};
	const isStoryboard = request.kind === "storyboard" && request.text === undefined;
	const stem = (isStoryboard ? source?.name : file)?.replace(/\.[^.]*$/, "");
	if (isStoryboard) {
		const title = request.title === source?.name ? stem : request.title;
		return title ?? stem ?? `storyboard ${nameOf(request)}`;
	}
	return symbol === undefined ? (stem ?? nameOf(job.request)) : apart(symbol);
}

/** Splits a name in camel case: `volumeDiscount` becomes `volume-Discount`. */
function apart(symbol: string): string {
	return symbol.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, "-");
}

function nameOf(request: VideoRequest): string {
	switch (request.kind) {
		case "text":
			return promptTitle(request.prompt);
		case "image":
			return imageName(request.imageUrl);
		case "storyboard":
			return promptTitle(request.text ?? request.scenes[0]?.prompt ?? "");
		default:
			return assertNever(request);
	}
}

/** Appends a number to the base name from the second attempt on. `attempt` counts from 1. */
export function numberedName(baseName: string, attempt: number): string {
	return attempt === 1 ? baseName : `${baseName}-${attempt}`;
}

function cleaned(text: string): string {
	const words = text
		.toWellFormed()
		.toLowerCase()
		.normalize("NFC")
		.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, "-")
		.replaceAll(/^-|-$/g, "");
	return clippedToBytes(words).replace(/-$/, "");
}

/** Cuts between characters, and between words if a word ends late enough. */
function clippedToBytes(text: string): string {
	let bytes = 0;
	let end = 0;
	for (const { segment } of new Intl.Segmenter().segment(text)) {
		bytes += Buffer.byteLength(segment);
		if (bytes > maxWordBytes) {
			const hyphen = text.lastIndexOf("-", end);
			return text.slice(0, hyphen > end / 2 ? hyphen : end);
		}
		end += segment.length;
	}
	return text;
}

function imageName(address: string): string {
	const path = URL.canParse(address) ? new URL(address).pathname : "";
	const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.[a-z0-9]{1,5}$/i, "");
	try {
		return decodeURIComponent(name);
	} catch {
		// Names with stray percent signs are used as they are.
		return name;
	}
}
