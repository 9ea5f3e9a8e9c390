import * as l10n from "@vscode/l10n";
import type { CaptionPart, ClipView } from "../../src/shared/video.ts";
import { CaptionTrack } from "./captions/captionTrack.ts";
import type { PlaybackMemory } from "./memory.ts";

/** A playback problem: the clip doesn't play, or plays without sound. */
export type PlaybackTrouble = "cannotPlay" | "noSound";

/** Builds of VS Code without an AAC decoder don't support this type. */
const aac = 'audio/mp4; codecs="mp4a.40.2"';

/** Events of a clip. `onCannotPlay` is called at most once each time a clip is loaded. */
export interface ClipListener {
	/** `reason` is the browser's error message. */
	onCannotPlay(reason: string): void;
	/** The clip's first frame is shown, for a thumbnail. */
	onShown(): void;
	/** The user toggled captions in the player's own controls. */
	onCaptions(isShown: boolean): void;
	/** Width of the clip in pixels, each time one is loaded. */
	onWidth(width: number): void;
}

/** Owns the page's video element, which is kept when the rest of the page is rendered. */
export class ClipPlayer {
	readonly element = createElement();
	private readonly memory: PlaybackMemory;
	private readonly captions: CaptionTrack;
	private readonly listener: ClipListener;
	private loaded = "";
	private firstFrame = 0;
	private found: PlaybackTrouble | undefined;

	constructor(memory: PlaybackMemory, listener: ClipListener) {
		const { element } = this;
		this.memory = memory;
		this.listener = listener;
		this.captions = new CaptionTrack(element, isShown => listener.onCaptions(isShown));
		element.addEventListener("error", () => {
			if (this.loaded !== "" && this.found !== "cannotPlay") {
				this.found = "cannotPlay";
				listener.onCannotPlay(
					`${element.error?.code ?? 0} ${element.error?.message ?? ""}`.slice(0, 500),
				);
			}
		});
		element.addEventListener("loadedmetadata", () => {
			const { videoWidth, videoHeight } = element;
			document.body.style.setProperty("--clip-ratio", `${videoWidth / videoHeight}`);
			this.applyPlayback();
			listener.onWidth(videoWidth);
		});
	}

	get trouble(): PlaybackTrouble | undefined {
		return this.found;
	}

	get showsCaptions(): boolean {
		return this.captions.isShown;
	}

	set showsCaptions(isShown: boolean) {
		this.captions.isShown = isShown;
	}

	/** Loads a clip and its captions unless it is already loaded. Null removes it. */
	show(clip: ClipView | null, captions: readonly CaptionPart[]): void {
		const { element } = this;
		if ((clip?.url ?? "") === this.loaded) {
			return;
		}
		this.loaded = clip?.url ?? "";
		element.cancelVideoFrameCallback(this.firstFrame);
		this.captions.show(captions);
		this.found = clip?.hasAacSound && element.canPlayType(aac) === "" ? "noSound" : undefined;
		if (!clip) {
			element.removeAttribute("src");
			element.load();
			return;
		}
		element.ariaLabel = l10n.t("Video: {0}", clip.fileName);
		// An event such as “loadeddata” can come before there is a frame to draw.
		this.firstFrame = element.requestVideoFrameCallback(() => {
			this.listener.onShown();
			playByItself(element);
		});
		element.src = clip.url;
		this.applyPlayback();
	}

	/** Applies the saved speed and looping. */
	applyPlayback(): void {
		const { isLooping, speed } = this.memory.current;
		this.element.loop = isLooping;
		this.element.defaultPlaybackRate = speed;
		this.element.playbackRate = speed;
	}
}

/** Starts playback unless the user prefers reduced motion. Ignores a browser that blocks autoplay. */
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
	// Removes browser controls that bypass “Save As…” or don't work inside a webview.
	element.setAttribute("controlslist", "nodownload nofullscreen noremoteplayback");
	element.disablePictureInPicture = true;
	return element;
}
