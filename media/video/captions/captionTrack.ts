import * as l10n from "@vscode/l10n";
import type { CaptionPart } from "../../../src/shared/video.ts";
import { captionCues } from "./captionCues.ts";

/** The captions of the clip that a video element plays, as a text track; off until they are asked for. */
export class CaptionTrack {
	private readonly element: HTMLVideoElement;
	private readonly track: TextTrack;
	private parts: readonly CaptionPart[] = [];

	/** Adds the track. `onToggle` hears when the user switches it with the browser's own control. */
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
		// A hidden track keeps its cues, which a disabled one does not tell.
		this.track.mode = isShown ? "showing" : "hidden";
	}

	/** Takes the words of another clip; the cues come once its length is known. */
	show(parts: readonly CaptionPart[]): void {
		this.parts = parts;
		this.fill();
	}

	private fill(): void {
		const { track, element, parts } = this;
		for (const cue of [...(track.cues ?? [])]) {
			track.removeCue(cue);
		}
		if (Number.isFinite(element.duration)) {
			for (const { start, end, text } of captionCues(parts, element.duration)) {
				track.addCue(new VTTCue(start, end, escaped(text)));
			}
		}
	}
}

/** Text of a cue is markup of WebVTT, where a prompt's `<b>` would be one. @see https://www.w3.org/TR/webvtt1/#webvtt-cue-text */
function escaped(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
