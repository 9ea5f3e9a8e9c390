import { looksLikeCode, readMarkdown } from "../../../common/plainMarkdown.ts";
import type { CaptionPart } from "../../../shared/video.ts";
import { clipName } from "../../../video/job/clipName.ts";
import type { VideoJob } from "../../../video/job/videoJob.ts";

/** Length of a part with unknown duration. For a single part, the value doesn't matter. */
const someSeconds = 1;

/**
 * Returns the captions of a clip, one part for each scene of a storyboard. None for an image, whose request has no text, and for code, which the clip
 * shows.
 */
export function captionsOf(job: Pick<VideoJob, "request" | "source">): readonly CaptionPart[] {
	const { request } = job;
	switch (request.kind) {
		case "text":
			return isCode(job, request.prompt)
				? []
				: [{ words: spokenWords(request.prompt), seconds: request.duration ?? someSeconds }];
		case "image":
			return [];
		case "storyboard":
			if (request.text !== undefined) {
				const text = { kind: "text", prompt: request.text } as const;
				return captionsOf({ ...job, request: text });
			}
			return request.scenes.map(({ prompt, duration }) => ({
				words: spokenWords(prompt),
				seconds: duration,
			}));
	}
}

function isCode(job: Pick<VideoJob, "request" | "source">, prompt: string): boolean {
	const prose = prompt.replaceAll(fencedCode, "\n\n").trim();
	return prose === "" || looksLikeCode(prose) || clipName(job) !== undefined;
}

const fencedCode = /(?:^|\n)[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:\n[ \t]*\1[^\n]*|$)/g;

/** Returns a prompt's prose without markup. Omits code unless there is no other text. */
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
