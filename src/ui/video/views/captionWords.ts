import { looksLikeCode, readMarkdown } from "../../../common/plainMarkdown.ts";
import type { CaptionPart } from "../../../shared/index.ts";
import type { VideoRequest } from "../../../video/job/index.ts";

/** Length of a part of unknown duration: of one part alone, only the order counts. */
const someSeconds = 1;

/** The words over a clip, one part for each of a storyboard's scenes; none for an image, whose request has no words. */
export function captionsOf(request: VideoRequest): readonly CaptionPart[] {
	switch (request.kind) {
		case "text":
			return [{ words: spokenWords(request.prompt), seconds: request.duration ?? someSeconds }];
		case "image":
			return [];
		case "storyboard":
			return request.scenes.map(({ prompt, duration }) => ({
				words: spokenWords(prompt),
				seconds: duration,
			}));
	}
}

const fencedCode = /(?:^|\n)[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:\n[ \t]*\1[^\n]*|$)/g;

/** Prose as its readers see it. Code is left to the picture, unless the prompt has no other words. */
function spokenWords(prompt: string): string {
	const text = prompt.replaceAll(/\r\n?/g, "\n");
	const prose = text.replaceAll(fencedCode, "\n\n").trim();
	if (prose === "") {
		return text.replaceAll(fencedCode, "\n$2").trim();
	}
	if (looksLikeCode(prose)) {
		return prose;
	}
	const { title, body } = readMarkdown(prose);
	return [title, body].filter(part => part !== "").join("\n");
}
