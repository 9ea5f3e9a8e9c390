import * as l10n from "@vscode/l10n";
import type { CaptionPart, ClipView } from "../../src/shared/video.ts";
import { CaptionTrack } from "./captions/captionTrack.ts";
import { restsFrom } from "../shared/clipPicture.ts";
import type { PlaybackMemory } from "./memory.ts";

/** Why a clip is not all it should be: it does not play at all, or plays without its sound. */
export type PlaybackTrouble = "cannotPlay" | "noSound";

/** What a build of VS Code without an AAC decoder answers no to. */
const aac = 'audio/mp4; codecs="mp4a.40.2"';

/** Events of a clip for the player; the first two at most once per clip. */
export interface ClipListener {
	/** The browser's reason. */
	onCannotPlay(reason: string): void;
	/** The clip has played to where it shows its end, which is worth a picture. */
	onPlayed(): void;
	/** The user switched captions with the player's own control; as often as that happens. */
	onCaptions(isShown: boolean): void;
	/** How wide the clip's pictures are, in pixels; whenever one is loaded. */
	onWidth(width: number): void;
}

/** The one video element of the page; it stays while everything around it is drawn again. */
export class ClipPlayer {
	readonly element = createElement();
	private readonly memory: PlaybackMemory;
	private readonly captions: CaptionTrack;
	private loaded = "";
	private found: PlaybackTrouble | undefined;

	/** Makes the player, without a clip. */
	constructor(memory: PlaybackMemory, listener: ClipListener) {
		const { element } = this;
		this.memory = memory;
		this.captions = new CaptionTrack(element, isShown => listener.onCaptions(isShown));
		element.addEventListener("error", () => {
			if (this.loaded !== "" && this.found !== "cannotPlay") {
				this.found = "cannotPlay";
				listener.onCannotPlay(
					`${element.error?.code ?? 0} ${element.error?.message ?? ""}`.slice(0, 500),
				);
			}
		});
		hearPlayed(element, () => listener.onPlayed());
		element.addEventListener("loadedmetadata", () => {
			const { videoWidth, videoHeight } = element;
			document.body.style.setProperty("--clip-ratio", `${videoWidth / videoHeight}`);
			this.applyPlayback();
			listener.onWidth(videoWidth);
		});
	}

	/** Obstacle to playing the clip here (fault J18), if anything. */
	get trouble(): PlaybackTrouble | undefined {
		return this.found;
	}

	/** Whether the words of the clip are shown over it. */
	get showsCaptions(): boolean {
		return this.captions.isShown;
	}

	set showsCaptions(isShown: boolean) {
		this.captions.isShown = isShown;
	}

	/** Loads a clip and its words, unless it is the one that is loaded already; null takes it away. */
	show(clip: ClipView | null, captions: readonly CaptionPart[]): void {
		const { element } = this;
		if ((clip?.url ?? "") === this.loaded) {
			return;
		}
		this.loaded = clip?.url ?? "";
		this.captions.show(captions);
		this.found = clip?.hasAacSound && element.canPlayType(aac) === "" ? "noSound" : undefined;
		if (!clip) {
			element.removeAttribute("src");
			element.load();
			return;
		}
		element.ariaLabel = l10n.t("Video {0}", clip.fileName);
		element.src = clip.url;
		this.applyPlayback();
		playByItself(element);
	}

	/** Takes over the kept speed and looping. */
	applyPlayback(): void {
		const { isLooping, speed } = this.memory.current;
		this.element.loop = isLooping;
		this.element.defaultPlaybackRate = speed;
		this.element.playbackRate = speed;
	}
}

/** Calls back when a clip has played to where it shows its end, or for a second where it states no length, once for every clip. */
function hearPlayed(element: HTMLVideoElement, onPlayed: () => void): void {
	let heard = "";
	element.addEventListener("timeupdate", () => {
		const { currentSrc, currentTime, duration } = element;
		const moment = restsFrom * (Number.isFinite(duration) ? duration : 1);
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
