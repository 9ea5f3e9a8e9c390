import { autoSeconds, scenesOf } from "../../../clip/clipLength.ts";
import type { SelectedText } from "../../../editor/selection.ts";
import {
	type StoryboardScene,
	type VideoRequest,
	isFree,
	type VideoEndpoint,
	type VideoJob,
} from "../../../video/job/videoJob.ts";
import * as l10n from "@vscode/l10n";
import { spokenAmount } from "../../base/amounts.ts";
import { type ClipMotion, motionOf } from "../../../clip/promptContent.ts";

/** A request for a single video. */
export type SentRequest = Exclude<VideoRequest, { kind: "storyboard" }>;

/** Options of a video. docs/interface.md §4.1, §4.2. */
export interface VideoOptions {
	/** Seconds: 1 to 4, or up to 12 for the local renderer. With `auto`, it determines them from the text. */
	readonly duration: number | "auto";
	/** 1 to 5. */
	readonly motionStrength: number;
}

/** Creates the request for the chosen options: one video, or scenes for a clip longer than the limit. */
export function requestOf(request: SentRequest, options: VideoOptions): VideoRequest {
	const { duration, motionStrength } = options;
	const text = request.kind === "text" ? request.prompt : request.imageUrl;
	const seconds = duration === "auto" ? autoSeconds(text, motionStrength) : duration;
	const scenes = scenesOf(text, seconds);
	const [first] = scenes;
	return scenes.length === 1 && first
		? { ...request, duration: first.duration, motionStrength }
		: { kind: "storyboard", scenes: scenes.map(scene => ({ ...scene, motionStrength })), text };
}

/** Creates the request for a text that `requestOf` split into scenes. Without a length if that is automatic, or `canBeLong` is false. */
export function textRequest(
	prompt: string,
	scenes: readonly StoryboardScene[],
	canBeLong: boolean,
): SentRequest {
	const motionStrength = scenes[0]?.motionStrength ?? 3;
	const seconds = scenes.reduce((sum, { duration }) => sum + duration, 0);
	const isChosen = canBeLong && seconds !== autoSeconds(prompt, motionStrength);
	return { kind: "text", prompt, motionStrength, ...(isChosen && { duration: seconds }) };
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

/** Returns the first line of a selection, counted from 0; undefined for several selections, which aren't a contiguous part of the file. */
export function firstLineOf({
	text,
	startLine,
	endLine,
}: Pick<SelectedText, "text" | "startLine" | "endLine">): number | undefined {
	return text.trimEnd().split("\n").length === endLine - startLine + 1 ? startLine : undefined;
}

/** Puts selected code into a fence for the local renderer. */
export function fencedSelection(
	selected: Pick<SelectedText, "text" | "name" | "startLine" | "endLine">,
	languageId: string,
): string {
	return fencedCode(selected, firstLineOf(selected), languageId);
}

/**
 * Puts code into a fence for the local renderer: with the editor's language, the file name and, if known, its first line, which is counted from 0.
 * Prose and text with fences are unchanged.
 */
export function fencedCode(
	{ text, name }: Pick<SelectedText, "text" | "name">,
	firstLine: number | undefined,
	languageId: string,
): string {
	if (proseLanguages.has(languageId) || /^[ \t]*(?:`{3,}|~{3,})/m.test(text)) {
		return text.trim();
	}
	const blank = /^(?:[ \t]*\r?\n)*/.exec(text)?.[0] ?? "";
	const lines = text.slice(blank.length).trimEnd().split("\n");
	const line = firstLine === undefined ? "" : ` line=${firstLine + blank.split("\n").length}`;
	const title = name.includes('"') ? "" : ` title="${name}"`;
	return `\`\`\`${fenceNames[languageId] ?? languageId}${title}${line}\n${lines.join("\n")}\n\`\`\``;
}

/** Returns the names of motion strengths, 1 to 5. docs/interface.md §4.1, field `motion_strength`. */
export function motionWords(): readonly string[] {
	return [l10n.t("Very low"), l10n.t("Low"), l10n.t("Medium"), l10n.t("High"), l10n.t("Very high")];
}

/** Formats a motion strength, such as “Motion: Medium”. */
export function motionName(strength: number): string {
	return l10n.t("Motion: {0}", motionWords()[strength - 1] ?? strength);
}

/** Formats seconds, such as “1 second”. */
export function secondsName(seconds: number): string {
	return spokenAmount(seconds, "second");
}

/** Returns a motion's name and what it does. */
export function motionMeaning(motion: ClipMotion): readonly [name: string, detail: string] {
	switch (motion) {
		case "calm":
			return [l10n.t("Calm"), l10n.t("Appears, then stays still.")];
		case "focus":
			return [l10n.t("Focus"), l10n.t("Highlights the named lines.")];
		case "change":
			return [l10n.t("Change"), l10n.t("Turns one version into the next.")];
		case "typed":
			return [l10n.t("Typed"), l10n.t("Letter by letter.")];
	}
}

/** Names how the local renderer moves a text; undefined if the text has only one motion. */
export function drawnMotionName(prompt: string, strength: number): string | undefined {
	const motion = motionOf(prompt, strength);
	return motion && motionMeaning(motion)[0];
}

/** The number of videos within an hour from which the user is informed. */
const worthSaying = 5;

const hourMs = 60 * 60_000;

/** Shows a notice at most once per hour and service. */
export class SpendingNotices {
	private readonly now: () => number;
	private readonly saidAt = new Map<string, number>();

	/**
	 * `now` returns milliseconds since 1970. Counts only videos, which are expensive and easily started by mistake, without those provably not
	 * accepted. The local service is free, so it counts only if a server that may charge makes its videos.
	 */
	constructor(now: () => number) {
		this.now = now;
	}

	/** Returns the notice before another video is sent to a service; undefined if there is none or it was shown. */
	next(jobs: readonly VideoJob[], target: VideoEndpoint): string | undefined {
		const since = this.now() - hourMs;
		const count = sentSince(jobs, target, since);
		const isSaid = (this.saidAt.get(target.origin) ?? -Infinity) > since;
		if (isFree(target) || isSaid || count < worthSaying) {
			return undefined;
		}
		this.saidAt.set(target.origin, this.now());
		return l10n.t(
			"You sent {0} videos to {1} in the last hour. Each may be charged, including this one.",
			count,
			target.label,
		);
	}
}

function sentSince(jobs: readonly VideoJob[], target: VideoEndpoint, since: number): number {
	return jobs
		.filter(
			({ endpoint, createdAt }) =>
				endpoint.origin === target.origin && endpoint.engine === target.engine && createdAt > since,
		)
		.filter(job => job.state.name !== "notSubmitted")
		.reduce((sum, job) => sum + job.submissions, 0);
}
