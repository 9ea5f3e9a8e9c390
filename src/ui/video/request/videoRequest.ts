import { autoSeconds, scenesOf } from "../../../clip/clipLength.ts";
import { maxPromptCharacters } from "../../../client/contract/schemas.ts";
import type { SelectedText } from "../../../editor/selection.ts";
import type { VideoRequest } from "../../../video/job/videoJob.ts";

/** A request that is sent as it is. */
export type SentRequest = Exclude<VideoRequest, { kind: "storyboard" }>;

/** Choices about a video before it is sent. Interface §4.1, §4.2. */
export interface VideoOptions {
	/** Seconds, 1 to 4; `auto` leaves it to the text, where the local renderer draws. */
	readonly duration: number | "auto";
	/** 1 to 5. */
	readonly motionStrength: number;
}

/** The request for what was chosen: one video, or the scenes of a clip that is longer than one may be. */
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

/** Languages whose text is read as words, and whose fences are their own. */
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

/** What fences call languages whose ids in the editor are their own. */
const fenceNames: Readonly<Record<string, string>> = {
	typescriptreact: "tsx",
	javascriptreact: "jsx",
	shellscript: "sh",
};

/**
 * A selection of code as the local renderer draws it best: a fence with the language that the editor has for it, its file's name
 * and, for one stretch of lines, the number of the first. Words, and what has a fence of its own, stay as they are.
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
	// Selections that are joined are no stretch of the file.
	const isOne = text.trimEnd().split("\n").length === endLine - startLine + 1;
	const line = isOne ? ` line=${startLine + blank.split("\n").length}` : "";
	const title = name.includes('"') ? "" : ` title="${name}"`;
	return `\`\`\`${fenceNames[languageId] ?? languageId}${title}${line}\n${lines.join("\n")}\n\`\`\``;
}
