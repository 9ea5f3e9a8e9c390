import * as l10n from "@vscode/l10n";
import type { ClipView } from "../../src/shared/index.ts";
import type { PlaybackMemory } from "./memory.ts";

/** Why a clip is not all it should be: it does not play at all, or plays without its sound. */
export type PlaybackTrouble = "cannotPlay" | "noSound";

/** The one video element of the page; it stays while everything around it is drawn again. */
export interface ClipPlayer {
	readonly element: HTMLVideoElement;
	/** Obstacle to playing the clip here (fault J18), if anything. */
	readonly trouble: PlaybackTrouble | undefined;
	/** Loads a clip, unless it is the one that is loaded already; null takes it away. */
	show(clip: ClipView | null): void;
	/** Takes over the kept speed and looping. */
	applyPlayback(): void;
}

/** What a build of VS Code without an AAC decoder answers no to. */
const aac = 'audio/mp4; codecs="mp4a.40.2"';

/** Events of a clip for the player; each at most once per clip. */
export interface ClipListener {
	/** The browser's reason. */
	onCannotPlay(reason: string): void;
	/** The clip has played for a moment, so that its present frame is worth a picture. */
	onPlayed(): void;
}

/** How far a clip has played when it is worth a picture: as a share of it, or in seconds of one that states no duration. */
const pictureAt = 0.4;

/** Makes the player. */
export function createClipPlayer(memory: PlaybackMemory, listener: ClipListener): ClipPlayer {
	const element = createElement();
	let loaded = "";
	let trouble: PlaybackTrouble | undefined;
	const applyPlayback = (): void => {
		element.loop = memory.current.isLooping;
		element.defaultPlaybackRate = memory.current.speed;
		element.playbackRate = memory.current.speed;
	};
	element.addEventListener("error", () => {
		if (loaded !== "" && trouble !== "cannotPlay") {
			trouble = "cannotPlay";
			listener.onCannotPlay(
				`${element.error?.code ?? 0} ${element.error?.message ?? ""}`.slice(0, 500),
			);
		}
	});
	hearPlayed(element, () => listener.onPlayed());
	element.addEventListener("loadedmetadata", () => {
		element.style.aspectRatio = `${element.videoWidth} / ${element.videoHeight}`;
		applyPlayback();
	});
	return {
		element,
		get trouble() {
			return trouble;
		},
		show: clip => {
			if ((clip?.url ?? "") === loaded) {
				return;
			}
			loaded = clip?.url ?? "";
			trouble = clip?.hasAacSound && element.canPlayType(aac) === "" ? "noSound" : undefined;
			if (!clip) {
				element.removeAttribute("src");
				element.load();
				return;
			}
			element.ariaLabel = l10n.t("Video {0}", clip.fileName);
			element.src = clip.url;
			applyPlayback();
			playByItself(element);
		},
		applyPlayback,
	};
}

/** Calls back when a clip has played for a moment, once for every clip. */
function hearPlayed(element: HTMLVideoElement, onPlayed: () => void): void {
	let heard = "";
	element.addEventListener("timeupdate", () => {
		const { currentSrc, currentTime, duration } = element;
		const moment = pictureAt * (Number.isFinite(duration) ? duration : 1);
		if (currentSrc !== heard && currentTime >= moment) {
			heard = currentSrc;
			onPlayed();
		}
	});
}

/** Plays without being asked, unless the user asked for less motion; a browser that refuses leaves it paused. */
function playByItself(element: HTMLVideoElement): void {
	const isCalm =
		document.body.classList.contains("vscode-reduce-motion") ||
		window.matchMedia("(prefers-reduced-motion: reduce)").matches;
	if (isCalm) {
		return;
	}
	element.play().catch((error: unknown) => {
		element.dataset["autoplay"] = error instanceof Error ? error.name : "refused";
	});
}

function createElement(): HTMLVideoElement {
	const element = document.createElement("video");
	element.className = "clip";
	element.controls = true;
	element.playsInline = true;
	element.preload = "auto";
	// What the browser would offer by itself goes past «Save As…», or does not work inside a webview.
	element.setAttribute("controlslist", "nodownload nofullscreen noremoteplayback");
	element.disablePictureInPicture = true;
	return element;
}
