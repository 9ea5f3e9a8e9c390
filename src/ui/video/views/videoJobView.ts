import { basename } from "node:path";
import * as l10n from "@vscode/l10n";
import { plainLabel, looksLikeCode, readMarkdown } from "../../../common/plainMarkdown.ts";
import type { CaptionPart } from "../../../shared/video.ts";
import type { VideoAction } from "../../../shared/videoCard.ts";
import { locale } from "../../../shared/locale.ts";
import { assertNever } from "../../../common/errors.ts";
import { formatDollars } from "../../base/amounts.ts";
import { readScene, sceneSeconds } from "../../../clip/clipLength.ts";
import { clipName, oneLine, promptTitle } from "../../../video/job/clipName.ts";
import {
	isDrawnClip,
	type JobOrigin,
	isUnfinished,
	partOf,
	type StoryboardScene,
	type VideoJob,
	type VideoRequest,
} from "../../../video/job/videoJob.ts";
import { writeSceneDocument } from "../../../video/storyboard/sceneDocument.ts";
import { drawnMotionName, motionName } from "../request/videoRequest.ts";
import { describeJobState } from "./jobStateDescription.ts";
import type { JobStateDescription } from "./videoWatching.ts";

/** The longest title, in characters. It is also the alternative text of the clip. */
const maxTitleCharacters = 80;

/** Description of a job, used wherever one is shown. */
export interface VideoJobView extends JobStateDescription {
	readonly id: string;
	/** Title in one line, also for readers who don't see the clip: “volumeDiscount in pricing.ts”, the heading, the first words, or the image. */
	readonly title: string;
	/** Short name, such as “volumeDiscount”, for tabs, rows and sentences. */
	readonly shortTitle: string;
	readonly kind: "text" | "image" | "storyboard";
	/** The prompt, the URL of the image, or the document of the storyboard. */
	readonly prompt: string;
	/** Captions of the clip, in order; empty if the request has no text. */
	readonly captions: readonly CaptionPart[];
	/** The request's options as text, such as “2 s” or “Calm”. */
	readonly parameters: readonly string[];
	/** Requested length of the clip, such as “2 s”. */
	readonly duration: string | undefined;
	/** Name of the service. */
	readonly service: string;
	/** Who made it, as a sentence. */
	readonly provenance: string;
	/** When the user first requested it, in milliseconds since 1970. */
	readonly createdAt: number;
	/** When the request was last sent, in milliseconds since 1970; the elapsed time counts from here. */
	readonly startedAt: number;
	/** Actions of the state, without those of every job. */
	readonly stateActions: readonly VideoAction[];
	/** Location of the text; `line` is counted from 1. */
	readonly source:
		{ readonly uri: string; readonly line: number; readonly label: string } | undefined;
	/** The question of a chat that it belongs to. */
	readonly chat: JobOrigin | undefined;
	/** Share of the clip downloaded, 0 to 1; null if unknown. */
	readonly downloaded: number | null;
	/** Progress, 0 to 1, if reported. */
	readonly share: number | null;
	/** Of a storyboard: the number of ready scenes. */
	readonly progress: { readonly ready: number; readonly total: number } | undefined;
	/** Of a scene: its storyboard, the index of its video, and its number from 1; of a part of a scene, such as “2.1”. */
	readonly scene:
		{ readonly storyboard: string; readonly index: number; readonly number: string } | undefined;
	readonly isUnfinished: boolean;
	readonly clip:
		{ readonly file: string; readonly name: string; readonly size: number } | undefined;
}

export function videoJobView(job: VideoJob): VideoJobView {
	const { request, state, createdAt, endpoint } = job;
	const description = describeJobState(job);
	const source = sourceOf(job);
	const isDrawn = isDrawnClip(endpoint);
	const { prompt, name, seconds } = requestTexts(request, isDrawn);
	const motion = motionFact(request, isDrawn);
	const duration = seconds === undefined ? undefined : l10n.t("{0} s", seconds);
	const isRunning = isUnfinished(job);
	return {
		...description,
		id: job.id,
		...titlesOf(job, name),
		kind: request.kind === "storyboard" && request.text !== undefined ? "text" : request.kind,
		prompt,
		captions: captionsOf(job),
		parameters: [
			...(duration === undefined ? [] : [duration]),
			...(motion === undefined ? [] : [motion]),
			...(job.detail?.cost === undefined ? [] : [formatDollars(job.detail.cost)]),
		],
		duration,
		service: endpoint.label,
		provenance: isDrawn
			? l10n.t("Drawn on this machine, no model")
			: l10n.t("Made by {0}", endpoint.label),
		createdAt,
		startedAt: job.submitter?.since ?? createdAt,
		source,
		chat: job.chat,
		downloaded: downloadedShare(job),
		share: job.detail?.share ?? null,
		progress: undefined,
		scene: job.scene && { ...job.scene, number: sceneNumber(request, job.scene) },
		isUnfinished: isRunning,
		clip:
			state.name === "ready"
				? { file: state.file, name: basename(state.file), size: state.size }
				: undefined,
		stateActions: description.actions,
		actions: allActions(description.actions, job, isRunning, source !== undefined),
	};
}

function sceneNumber(
	request: VideoRequest,
	{ index, number = index }: NonNullable<VideoJob["scene"]>,
): string {
	const part = partOf(request);
	return part ? `${number + 1}.${part.from / sceneSeconds + 1}` : String(number + 1);
}

/** Names a request's motion as the step before it does; undefined if the text has only one. */
function motionFact(request: VideoRequest, isDrawn: boolean): string | undefined {
	const [scene] = request.kind === "storyboard" && request.text !== undefined ? request.scenes : [];
	const strength = request.motionStrength ?? scene?.motionStrength;
	const text = request.kind === "text" ? request.prompt : scene?.prompt;
	if (strength === undefined) {
		return undefined;
	}
	return isDrawn && text !== undefined ? drawnMotionName(text, strength) : motionName(strength);
}

function titlesOf(job: VideoJob, words: string): Pick<VideoJobView, "title" | "shortTitle"> {
	const { symbol, file, isChange } = clipName(job) ?? {};
	const shortTitle =
		isChange && file !== undefined ? l10n.t("Change of {0}", file) : (symbol ?? file);
	if (shortTitle === undefined) {
		return { title: promptTitle(words, maxTitleCharacters), shortTitle: promptTitle(words) };
	}
	const isWhole = symbol === undefined || file === undefined;
	const title = isWhole ? shortTitle : l10n.t("{0} in {1}", symbol, file);
	return { title, shortTitle };
}

/** The most characters of the service's message in a single line; the preview shows all. */
const maxSaidCharacters = 200;

/** Joins the sentence and the service's message, for places that can't show them separately. */
export function fullMessage({
	sentence,
	serviceMessage,
}: Pick<VideoJobView, "sentence" | "serviceMessage">): string {
	return serviceMessage === undefined
		? sentence
		: `${sentence} ${l10n.t("Service message: “{0}”", oneLine(serviceMessage, maxSaidCharacters))}`.trim();
}

/** Prefixes a scene's name with its number. */
export function numbered({ scene }: Pick<VideoJobView, "scene">, name: string): string {
	return scene ? `${scene.number}. ${name}` : name;
}

/** Returns the notification for a finished job: plain text without clickable links. */
export function endingNotice(view: VideoJobView): string {
	const { tone, shortTitle, label } = view;
	const text =
		tone === "ready"
			? l10n.t("Your video is ready: “{0}”.", shortTitle)
			: `${label}: “${shortTitle}”. ${fullMessage(view)}`.trim();
	return plainLabel(text);
}

/** Formats the time for today, which fits a narrow view, otherwise the date. */
export function shortDateOf({ createdAt }: Pick<VideoJobView, "createdAt">, now: number): string {
	const date = new Date(createdAt);
	return date.toDateString() === new Date(now).toDateString()
		? date.toLocaleTimeString(locale(), { timeStyle: "short" })
		: date.toLocaleDateString(locale(), { dateStyle: "medium" });
}

/** Returns the state's actions, then those that all jobs of its kind have. */
function allActions(
	own: readonly VideoAction[],
	{ request, generationId, submissions }: VideoJob,
	isRunning: boolean,
	hasSource: boolean,
): VideoAction[] {
	const wasSent = submissions > 0;
	const further: VideoAction[] = [
		...(isRunning || !wasSent ? [] : (["generateAgain"] as const)),
		...(isRunning || partOf(request) ? [] : (["generateWithChanges"] as const)),
		...(hasSource ? (["openSource"] as const) : []),
		"copyPrompt",
		...(generationId === undefined ? [] : (["copyDetails"] as const)),
	];
	return [...new Set([...own, ...further])];
}

/** Returns a request's full prompt, the text that names it, and the length of its clip in seconds. */
function requestTexts(
	request: VideoRequest,
	isDrawn: boolean,
): {
	readonly prompt: string;
	readonly name: string;
	readonly seconds: number | undefined;
} {
	switch (request.kind) {
		case "text": {
			const { prompt } = readScene(request.prompt);
			return { prompt, name: prompt, seconds: request.duration };
		}
		case "image": {
			const { imageUrl, duration } = request;
			return { prompt: imageUrl, name: imageName(imageUrl), seconds: duration };
		}
		case "storyboard": {
			const { scenes, text, title = "" } = request;
			return {
				prompt: text ?? writeSceneDocument(scenes, { title, isDrawn }),
				name: text ?? (title === "" ? (scenes[0]?.prompt ?? "") : title),
				seconds: scenes.reduce((sum, { duration }) => sum + duration, 0),
			};
		}
		default:
			return assertNever(request);
	}
}

function sourceOf({ source }: VideoJob): VideoJobView["source"] {
	if (!source) {
		return undefined;
	}
	const line = (source.startLine ?? 0) + 1;
	return { uri: source.uri, line, label: l10n.t("{0}, line {1}", source.name, line) };
}

function downloadedShare({ state }: VideoJob): number | null {
	return state.name === "downloading" && state.total !== undefined && state.total > 0
		? Math.min(1, state.received / state.total)
		: null;
}

function imageName(address: string): string {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const name = url?.pathname.slice(url.pathname.lastIndexOf("/") + 1) ?? "";
	return name === "" ? (url?.hostname ?? address) : `${name} (${url?.hostname ?? ""})`;
}

/** Length of a part with unknown duration. For a single part, the value doesn't matter. */
const someSeconds = 1;

/**
 * Returns the captions of a clip, one part for each scene of a storyboard. None for an image, whose request has no text, for code, which the clip
 * shows, and for a part of a longer scene, whose text is that of all parts.
 */
export function captionsOf(job: Pick<VideoJob, "request" | "source">): readonly CaptionPart[] {
	const { request } = job;
	switch (request.kind) {
		case "text":
			return partOf(request) || isCode(job, request.prompt)
				? []
				: [{ words: spokenWords(request.prompt), seconds: request.duration ?? someSeconds }];
		case "image":
			return [];
		case "storyboard":
			if (request.text !== undefined) {
				const text = { kind: "text", prompt: request.text } as const;
				return captionsOf({ ...job, request: text });
			}
			return captionsOfScenes(request.scenes);
	}
}

function captionsOfScenes(scenes: readonly StoryboardScene[]): readonly CaptionPart[] {
	const parts = scenes.map(({ prompt, duration }) => {
		const scene = { request: { kind: "text", prompt } } as const;
		return { words: isCode(scene, prompt) ? "" : spokenWords(prompt), seconds: duration };
	});
	return parts.some(({ words }) => words !== "") ? parts : [];
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

export interface VideoFilter {
	/** Lists only jobs of this tone; undefined lists all. */
	readonly tone: VideoJobView["tone"] | undefined;
	/** Words in the prompt, in any order and case; empty lists all. */
	readonly text: string;
}

export function matchesFilter(
	job: Pick<VideoJobView, "tone" | "prompt">,
	{ tone, text }: VideoFilter,
): boolean {
	const prompt = text === "" ? "" : job.prompt.toLocaleLowerCase();
	return (
		(tone === undefined || job.tone === tone) &&
		text
			.toLocaleLowerCase()
			.split(/\s+/)
			.every(word => prompt.includes(word))
	);
}

/** Describes a filter for the view's heading; undefined if it matches everything. */
export function filterMessage({ tone, text }: VideoFilter, count: number): string | undefined {
	if (tone === undefined && text === "") {
		return undefined;
	}
	const videos = count === 1 ? l10n.t("1 video") : l10n.t("{0} videos", count);
	const found = tone === undefined ? videos : `${toneName(tone)} · ${videos}`;
	return text === "" ? found : l10n.t("{0} with “{1}”", found, text);
}

/** Returns the name of the filter by a tone. */
export function toneName(tone: VideoJobView["tone"]): string {
	return {
		working: l10n.t("Making"),
		ready: l10n.t("Ready"),
		attention: l10n.t("Need attention"),
		failed: l10n.t("Failed"),
		stopped: l10n.t("Not tracked"),
	}[tone];
}
