import { plainMarkdown } from "../common/plainMarkdown.ts";
import type { ChangeLine } from "./changeLines.ts";
import { type PromptContent, readPrompt } from "./promptContent.ts";
import { sessionSeconds } from "./terminalLines.ts";

/** Bounds of a clip's whole seconds where its text decides: three scenes at most. */
export const autoBounds = { least: 2, most: 12 } as const;

/** The most seconds of one scene. Interface §4.1. */
const sceneSeconds = 4;

/** Seconds in which a clip goes from its end, which its first frame shows, to its beginning. */
export const leadSeconds = 0.4;
/** The end is seen for at least so many seconds, and for this share of a clip. */
const rest = { least: 1.2, share: 0.3 } as const;
/** A clip too short for its rest moves for this share of it. */
const leastAction = 0.35;

/** Seconds that one version of a code takes to become the next. */
export const changeSeconds = 1.6;
const charactersPerSecond = 20;
/** Seconds to look around before the light narrows, and to go on to other lines. */
const focusSeconds = 1.4;

/** Seconds in which things move in a clip of `duration` seconds: from the end of its lead to the beginning of its rest. */
export function actionSeconds(duration: number): number {
	const resting = Math.max(rest.least, duration * rest.share);
	return Math.max(duration * leastAction, duration - resting - leadSeconds);
}

/**
 * The whole seconds that a text takes as a clip of the local renderer, within `autoBounds`: to read it at 20 characters a second,
 * to change, or to run in a terminal, with the rest at the end. `motionStrength` is 1 to 5.
 */
export function autoSeconds(prompt: string, motionStrength: number): number {
	const acting = leadSeconds + actingSeconds(readPrompt(prompt), motionStrength);
	const seconds = Math.max(acting + rest.least, acting / (1 - rest.share));
	return Math.min(autoBounds.most, Math.max(autoBounds.least, Math.ceil(seconds - 0.25)));
}

function actingSeconds(content: PromptContent, motionStrength: number): number {
	switch (content.type) {
		case "prose":
			return readingSeconds(plainMarkdown(content.text));
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

/** Blanks are not read. */
function readingSeconds(text: string): number {
	return text.replaceAll(/\s+/g, "").length / charactersPerSecond;
}

/** What is new is read as it arrives, half of it before all of it is there. */
function stepReading(lines: readonly ChangeLine[]): number {
	const added = lines.filter(({ kind }) => kind === "added").map(({ text }) => text);
	return readingSeconds(added.join("\n")) / 2;
}

/** A scene of a longer clip: what is between two of its seconds. */
export interface SceneSpan {
	/** Whole seconds from the clip's beginning. */
	readonly from: number;
	/** Whole seconds of the clip. */
	readonly of: number;
}

/** A scene as the local service is asked for it. */
export interface ClipScene {
	readonly prompt: string;
	/** Seconds, 1 to 4. */
	readonly duration: number;
}

/**
 * Cuts a clip of `seconds` whole seconds into scenes of at most four, which joined in order are that clip without a seam. For the
 * local renderer alone: the prompts say in a last line which part they are. A prompt that has no room for that line within
 * `maxCharacters` is one scene.
 */
export function scenesOf(
	prompt: string,
	seconds: number,
	maxCharacters: number,
): readonly ClipScene[] {
	const count = Math.ceil(seconds / sceneSeconds);
	const scenes = Array.from({ length: count }, (_, index) => {
		const from = index * sceneSeconds;
		const duration = Math.min(sceneSeconds, seconds - from);
		return { prompt: `${prompt}\n<!-- clip: from ${from} of ${seconds} s -->`, duration };
	});
	const isLong = scenes.some(({ prompt }) => [...prompt].length > maxCharacters);
	return count <= 1 || isLong ? [{ prompt, duration: Math.min(seconds, sceneSeconds) }] : scenes;
}

const partLine = /\n<!-- clip: from (\d{1,2}) of (\d{1,2}) s -->\s*$/;

/** The prompt without the line that `scenesOf` put there, and what that says. */
export function readScene(prompt: string): { readonly prompt: string; readonly part?: SceneSpan } {
	const [line, from, of] = partLine.exec(prompt) ?? [];
	const part = { from: Number(from), of: Number(of) };
	return line === undefined || part.from >= part.of
		? { prompt }
		: { prompt: prompt.slice(0, -line.length), part };
}
