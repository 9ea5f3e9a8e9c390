import { autoSeconds, scenesOf } from "../../../clip/clipLength.ts";
import { maxPromptCharacters } from "../../../client/contract/schemas.ts";
import type { SelectedText } from "../../../editor/selection.ts";
import type { VideoRequest } from "../../../video/job/videoJob.ts";

/** A request for a single video. */
export type SentRequest = Exclude<VideoRequest, { kind: "storyboard" }>;

/** Options of a video. docs/interface.md §4.1, §4.2. */
export interface VideoOptions {
	/** Seconds, 1 to 4. With `auto`, the local renderer determines it from the text. */
	readonly duration: number | "auto";
	/** 1 to 5. */
	readonly motionStrength: number;
}

/** Creates the request for the chosen options: one video, or scenes for a clip longer than the limit. */
export function requestOf(request: SentRequest, options: VideoOptions): VideoRequest {
	const { duration, motionStrength } = options;
	if (duration !== "auto") {
		return { ...request, duration, motionStrength };
	}
	const text = request.kind === "text" ? request.prompt : request.imageUrl;
	const scenes = scenesOf(text, autoSeconds(text, motionStrength), maxPromptCharacters);
	const [first] = scenes;
	return scenes.length === 1 && first
		? { ...request, duration: first.duration, motionStrength }
		: { kind: "storyboard", scenes: scenes.map(scene => ({ ...scene, motionStrength })), text };
}

/** Languages whose text is prose and may contain fences. */
const proseLanguages = new Set([
	"plaintext",
	"markdown",
	"mdx",
	"restructuredtext",
	"asciidoc",
	"latex",
	"tex",

	"git-commit",
]);

/** Names for fences that differ from the editor's language ids. */
const fenceNames: Readonly<Record<string, string>> = {
	typescriptreact: "tsx",
	javascriptreact: "jsx",
	shellscript: "sh",
};

/**
 * Puts selected code into a fence for the local renderer: with the editor's language, the file name and, for a contiguous selection, its first line
 * number. Prose and text with fences are unchanged.
 */
export function fencedSelection(
	{ text, name, startLine, endLine }: Pick<SelectedText, "text" | "name" | "startLine" | "endLine">,
	languageId: string,
): string {
	if (proseLanguages.has(languageId) || /^[ \t]*(?:`{3,}|~{3,})/m.test(text)) {
		return text.trim();
	}
	const blank = /^(?:[ \t]*\r?\n)*/.exec(text)?.[0] ?? "";
	const lines = text.slice(blank.length).trimEnd().split("\n");
	// Several selections aren't a contiguous part of the file.
	const isOne = text.trimEnd().split("\n").length === endLine - startLine + 1;
	const line = isOne ? ` line=${startLine + blank.split("\n").length}` : "";
	const title = name.includes('"') ? "" : ` title="${name}"`;
	return `\`\`\`${fenceNames[languageId] ?? languageId}${title}${line}\n${lines.join("\n")}\n\`\`\``;
}
