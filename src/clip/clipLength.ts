import { plainMarkdown } from "../common/plainMarkdown.ts";
import { sceneMarks } from "../common/videoEngines.ts";
import type { ChangeLine } from "./changeLines.ts";
import { type PromptContent, readPrompt } from "./promptContent.ts";
import { sessionSeconds } from "./terminalLines.ts";

/** Bounds of a clip's automatic length in whole seconds: three scenes at most. */
export const autoBounds = { least: 2, most: 12 } as const;

/** The longest scene in seconds. docs/interface.md §4.1. */
export const sceneSeconds = 4;

/** Duration of the transition from the final state, which the first frame shows, to the start, in seconds. */
export const leadSeconds = 0.4;
/** The least duration of the final state, in seconds and as a share of the clip. */
const rest = { least: 1.2, share: 0.3 } as const;
/** Least share of the motion in a clip that is too short for its final state. */
const leastAction = 0.35;

/** Duration of a change from one version to the next, in seconds. */
export const changeSeconds = 1.6;
/** Characters read in a second. Signs and keywords of code are seen at a glance. */
const readingSpeed = { prose: 20, code: 35 } as const;
/** Seconds before other lines dim, and for moving on to further lines. */
const focusSeconds = 1.4;

/** Returns the seconds of motion in a clip of `duration` seconds, between the transition and the final state. */
export function actionSeconds(duration: number): number {
	const resting = Math.max(rest.least, duration * rest.share);
	return Math.max(duration * leastAction, duration - resting - leadSeconds);
}

/**
 * Returns the whole seconds that the local renderer needs for a text, within `autoBounds`: for reading 20 characters of prose or 35 of code a second,
 * for a change, or for a terminal session, plus the final state. `motionStrength` is 1 to 5.
 */
export function autoSeconds(prompt: string, motionStrength: number): number {
	const acting = leadSeconds + actingSeconds(readPrompt(prompt), motionStrength);
	const seconds = Math.max(acting + rest.least, acting / (1 - rest.share));
	return Math.min(autoBounds.most, Math.max(autoBounds.least, Math.ceil(seconds - 0.25)));
}

function actingSeconds(content: PromptContent, motionStrength: number): number {
	switch (content.type) {
		case "prose":
			// The lines of a table aren't read.
			return readingSeconds(
				plainMarkdown(content.text).replaceAll(/^[|\s:-]+$|\|/gm, ""),
				readingSpeed.prose,
			);
		case "terminal":
			return sessionSeconds(content.lines);
		case "change":
			return content.steps.reduce((sum, step) => sum + changeSeconds + stepReading(step), 0);
		case "code": {
			const lit = motionStrength === 3 ? content.lit : undefined;
			const lines = content.code.split("\n").filter((_, index) => lit?.includes(index + 1) ?? true);
			const printed = content.output === undefined ? 0 : 0.5 + readingSeconds(content.output) / 2;
			return (lit ? focusSeconds : 0) + readingSeconds(lines.join("\n")) + printed;
		}
	}
}

/** Ignores whitespace. */
function readingSeconds(text: string, speed: number = readingSpeed.code): number {
	return text.replaceAll(/\s+/g, "").length / speed;
}

/** Half of the added text is read while it appears. */
function stepReading(lines: readonly ChangeLine[]): number {
	const added = lines.filter(({ kind }) => kind === "added").map(({ text }) => text);
	return readingSeconds(added.join("\n")) / 2;
}

/** The time range of a scene within a longer clip. */
export interface SceneSpan {
	/** Whole seconds from the clip's start. */
	readonly from: number;
	/** Whole seconds of the clip. */
	readonly of: number;
}

/** A scene as requested from the local service. */
export interface ClipScene {
	readonly prompt: string;
	/** Seconds, 1 to 4. */
	readonly duration: number;
}

/**
 * Splits a clip of `seconds` whole seconds into scenes of at most four, which join seamlessly. Only for the local renderer: a last line in each
 * prompt identifies the part.
 */
export function scenesOf(prompt: string, seconds: number): readonly ClipScene[] {
	const count = Math.ceil(seconds / sceneSeconds);
	return Array.from({ length: count }, (_, index) => {
		const from = index * sceneSeconds;
		const mark = count > 1 ? `\n<!-- clip: from ${from} of ${seconds} s -->` : "";
		return { prompt: `${prompt}${mark}`, duration: Math.min(sceneSeconds, seconds - from) };
	});
}

/** Marks the prompt of a storyboard's second or later scene, or a part of it, for the local renderer. */
export function markLater(prompt: string): string {
	return `${prompt}\n<!-- clip: later scene -->`;
}

/** Splits a prompt into its text and what the lines added by `scenesOf` and `markLater` tell. */
export function readScene(text: string): {
	readonly prompt: string;
	readonly part?: SceneSpan;
	readonly isLater?: true;
} {
	const [marks = "", from, of, later] = sceneMarks.exec(text) ?? [];
	const part = { from: Number(from), of: Number(of) };
	if (part.from >= part.of) {
		return { prompt: text };
	}
	return {
		prompt: text.slice(0, text.length - marks.length),
		...(from !== undefined && { part }),
		...(later !== undefined && { isLater: true }),
	};
}
