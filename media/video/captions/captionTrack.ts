import * as l10n from "@vscode/l10n";
import type { CaptionPart } from "../../../src/shared/video.ts";
import { captionCues } from "./captionCues.ts";

/** Captions of a video element, as a text track. Off by default. */
export class CaptionTrack {
	private readonly element: HTMLVideoElement;
	private readonly track: TextTrack;
	private parts: readonly CaptionPart[] = [];

	/** Adds the track. `onToggle` is called when the user toggles it in the browser's own controls. */
	constructor(element: HTMLVideoElement, onToggle: (isShown: boolean) => void) {
		this.element = element;
		this.track = element.addTextTrack("captions", l10n.t("Captions"));
		this.isShown = false;
		element.addEventListener("durationchange", () => this.fill());
		element.textTracks.addEventListener("change", () => onToggle(this.isShown));
	}

	get isShown(): boolean {
		return this.track.mode === "showing";
	}

	set isShown(isShown: boolean) {
		// A hidden track keeps its cues; a disabled one doesn't expose them.
		this.track.mode = isShown ? "showing" : "hidden";
	}

	/** Sets the captions of another clip. The cues are created once its length is known. */
	show(parts: readonly CaptionPart[]): void {
		this.parts = parts;
		this.fill();
	}

	private fill(): void {
		const { track, element, parts } = this;
		for (const cue of Array.from(track.cues ?? [])) {
			track.removeCue(cue);
		}
		if (Number.isFinite(element.duration)) {
			for (const { start, end, text } of captionCues(parts, element.duration)) {
				track.addCue(new VTTCue(start, end, escaped(text)));
			}
		}
	}
}

/** Escapes WebVTT markup in a cue's text, such as `<b>`. @see https://www.w3.org/TR/webvtt1/#webvtt-cue-text */
function escaped(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
