import { basename } from "node:path";
import * as l10n from "@vscode/l10n";
import { plainLabel } from "../../../common/plainLabel.ts";
import type { CaptionPart, VideoAction } from "../../../shared/video.ts";
import { locale } from "../../../shared/locale.ts";
import { assertNever } from "../../../common/assertNever.ts";
import { formatDollars } from "../../base/amounts.ts";
import { clipName } from "../../../video/job/clipName.ts";
import {
	type JobOrigin,
	isUnfinished,
	type VideoJob,
	type VideoRequest,
} from "../../../video/job/videoJob.ts";
import { writeSceneDocument } from "../../../video/storyboard/sceneDocument.ts";
import { captionsOf } from "./captionWords.ts";
import { motionName } from "../request/videoOptionNames.ts";
import { oneLine, promptTitle } from "../request/videoPrompt.ts";
import { describeJobState } from "./jobStateDescription.ts";
import type { JobStateDescription } from "./videoWatching.ts";

/** The most characters of a whole title: more than any place has room for. */
const maxTitleCharacters = 200;
/** The most characters of the text in place of a picture. */
const maxAltCharacters = 80;

/** A job in words, as every place that shows one shows it. */
export interface VideoJobView extends JobStateDescription {
	readonly id: string;
	/** What it is of, in one line: “volumeDiscount in pricing.ts”, the first words, or the image. Places that clip what does not fit show this. */
	readonly title: string;
	/** Its short name: “volumeDiscount”, for tabs, rows and sentences. */
	readonly shortTitle: string;
	/** The text in place of a picture of its clip. */
	readonly alt: string;
	readonly kind: "text" | "image" | "storyboard";
	/** The prompt, the address of the image, or the document of the storyboard. */
	readonly prompt: string;
	/** The words over the clip, in order; none where the request has no words. */
	readonly captions: readonly CaptionPart[];
	/** Request in words: «2 s», «Motion 3 of 5». */
	readonly parameters: readonly string[];
	/** How long the clip should be: «2 s». */
	readonly duration: string | undefined;
	/** Name of the service. */
	readonly service: string;
	/** Who made it, in one sentence. */
	readonly provenance: string;
	/** When the user first asked, in milliseconds since 1970. */
	readonly createdAt: number;
	/** When the request was last sent, in milliseconds since 1970: what elapsed time counts from. */
	readonly startedAt: number;
	/** Actions of the state itself, without those of every job. */
	readonly stateActions: readonly VideoAction[];
	/** Where the text came from; `line` is counted from 1. */
	readonly source:
		{ readonly uri: string; readonly line: number; readonly label: string } | undefined;
	/** The question of a chat that it belongs to. */
	readonly chat: JobOrigin | undefined;
	/** Share of the clip on disk, 0 to 1; null when there is nothing to measure. */
	readonly downloaded: number | null;
	/** Share of the work that is done, 0 to 1, where anybody tells. */
	readonly share: number | null;
	/** Of a storyboard: how many of its scenes are ready. */
	readonly progress: { readonly ready: number; readonly total: number } | undefined;
	/** Of a scene: its storyboard, and its number there, counted from 1. */
	readonly scene: { readonly storyboard: string; readonly number: number } | undefined;
	readonly isUnfinished: boolean;
	readonly clip:
		{ readonly file: string; readonly name: string; readonly size: number } | undefined;
}

/** Puts a job into words. */
export function videoJobView(job: VideoJob): VideoJobView {
	const { request, state, createdAt, endpoint } = job;
	const description = describeJobState(job);
	const source = sourceOf(job);
	const { prompt, name, seconds } = wordsOf(request);
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
			...(request.motionStrength === undefined ? [] : [motionName(request.motionStrength)]),
			...(job.detail?.cost === undefined ? [] : [formatDollars(job.detail.cost)]),
		],
		duration,
		service: endpoint.label,
		provenance:
			endpoint.kind === "local" && endpoint.engine === undefined
				? l10n.t("Drawn on this machine, no model")
				: l10n.t("Made by {0}", endpoint.label),
		createdAt,
		startedAt: job.submitter?.since ?? createdAt,
		source,
		chat: job.chat,
		downloaded: downloadedShare(job),
		share: job.detail?.share ?? null,
		progress: undefined,
		scene: job.scene && { storyboard: job.scene.storyboard, number: job.scene.index + 1 },
		isUnfinished: isRunning,
		clip:
			state.name === "ready"
				? { file: state.file, name: basename(state.file), size: state.size }
				: undefined,
		stateActions: description.actions,
		actions: allActions(description.actions, job, isRunning, source !== undefined),
	};
}

function titlesOf(
	job: VideoJob,
	words: string,
): Pick<VideoJobView, "title" | "shortTitle" | "alt"> {
	const { symbol, file } = clipName(job) ?? {};
	const shortTitle = symbol ?? file;
	if (shortTitle === undefined) {
		const alt = promptTitle(words, maxAltCharacters);
		return { title: promptTitle(words, maxTitleCharacters), shortTitle: promptTitle(words), alt };
	}
	const isWhole = symbol === undefined || file === undefined;
	const title = isWhole ? shortTitle : l10n.t("{0} in {1}", symbol, file);
	return { title, shortTitle, alt: title };
}

/** The most characters of the service's words where there is one line for everything; the preview shows them whole. */
const maxSaidCharacters = 200;

/** Sentence with what happened and the service's message: for places without room to show its words apart. */
export function fullMessage({
	sentence,
	serviceMessage,
}: Pick<VideoJobView, "sentence" | "serviceMessage">): string {
	return serviceMessage === undefined
		? sentence
		: `${sentence} ${l10n.t("Service message: “{0}”", oneLine(serviceMessage, maxSaidCharacters))}`.trim();
}

/** A name with the number of the scene before it, if it is one. */
export function numbered({ scene }: Pick<VideoJobView, "scene">, name: string): string {
	return scene ? `${scene.number}. ${name}` : name;
}

/** Notice once a job has settled: plain text, in which no link of somebody else's can be clicked. */
export function endingNotice(view: VideoJobView): string {
	const { tone, shortTitle, label } = view;
	const text =
		tone === "ready"
			? l10n.t("Your video is ready: “{0}”.", shortTitle)
			: `${label}: “${shortTitle}”. ${fullMessage(view)}`.trim();
	return plainLabel(text);
}

/** The time alone for today, so that a narrow view shows it whole; otherwise the date. */
export function shortDateOf({ createdAt }: Pick<VideoJobView, "createdAt">, now: number): string {
	const date = new Date(createdAt);
	return date.toDateString() === new Date(now).toDateString()
		? date.toLocaleTimeString(locale(), { timeStyle: "short" })
		: date.toLocaleDateString(locale(), { dateStyle: "medium" });
}

/** The actions of the state, then those that every job of its kind has. */
function allActions(
	own: readonly VideoAction[],
	{ generationId, submissions }: VideoJob,
	isRunning: boolean,
	hasSource: boolean,
): VideoAction[] {
	const wasSent = submissions > 0;
	const further: VideoAction[] = [
		...(isRunning || !wasSent ? [] : (["generateAgain"] as const)),
		...(isRunning ? [] : (["generateWithChanges"] as const)),
		...(hasSource ? (["openSource"] as const) : []),
		"copyPrompt",
		...(generationId === undefined ? [] : (["copyDetails"] as const)),
	];
	return [...new Set([...own, ...further])];
}

/** Texts of a request: what it asks for in full, what it is named by, and how long its clip should be, in seconds. */
function wordsOf(request: VideoRequest): {
	readonly prompt: string;
	readonly name: string;
	readonly seconds: number | undefined;
} {
	switch (request.kind) {
		case "text":
			return { prompt: request.prompt, name: request.prompt, seconds: request.duration };
		case "image": {
			const { imageUrl, duration } = request;
			return { prompt: imageUrl, name: imageName(imageUrl), seconds: duration };
		}
		case "storyboard":
			return {
				prompt: request.text ?? writeSceneDocument(request.scenes),
				name: request.text ?? request.scenes[0]?.prompt ?? "",
				seconds: request.scenes.reduce((sum, { duration }) => sum + duration, 0),
			};
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
