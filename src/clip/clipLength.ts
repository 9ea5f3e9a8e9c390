import { plainMarkdown } from "../common/plainMarkdown.ts";
import { sceneMarks } from "../common/videoEngines.ts";
import type { ChangeLine } from "./changeLines.ts";
import { focusStrength, type PromptContent, readPrompt, typedStrength } from "./promptContent.ts";
import { sessionSeconds } from "./terminalLines.ts";

/** Bounds of a clip's automatic length in whole seconds: three scenes at most. */
export const autoBounds = { least: 2, most: 12 } as const;

/** The longest scene in seconds. docs/interface.md §4.1. */
export const sceneSeconds = 4;

/** Duration of the transition from the final state, which the first frame shows, to the start, in seconds. */
export const leadSeconds = 0.4;
/** Duration of the final state, in seconds, and between these as a share of the clip. */
const rest = { least: 1.5, most: 2, share: 0.38 } as const;
/** Least share of the motion in a clip that is too short for its final state. */
const leastAction = 0.35;
/** Least duration of the motion, in seconds. */
const leastActing = 0.7;

/** Seconds in which rows appear: at most 2.5, however many there are. */
export function revealSeconds(rows: number): number {
	return Math.min(2.5, 0.5 + rows * 0.1);
}

/** Seconds for a scroll, and for reading between two scrolls. */
export const scrollSeconds = 0.6;
export const pauseSeconds = 0.7;
/** Seconds between the last row of code and the first of its output. */
export const runSeconds = 0.4;

/** Seconds in which the output of code appears. */
export function outputSeconds(rows: number): number {
	return Math.min(1, 0.2 + rows * 0.1);
}

/** The least and the most duration of a change from one version to the next, in seconds; each changed row adds a little. */
export const changeSeconds = 1.6;
const mostChangeSeconds = 2.6;
const changedRowSeconds = 0.08;

/** Seconds before other lines dim, and for each highlighted row. */
const focusSeconds = 1.3;
const litRowSeconds = 0.15;
const mostLitSeconds = 1.5;

/** Typed characters a second, and the most seconds of typing. */
const typingSpeed = 60;
const mostTypingSeconds = 5.5;

/** Characters of prose read in a second, in a clip that plays again and again. */
const readingSpeed = 40;

/** Rows and columns of a window, by which scrolls are counted before code is laid out. */
const screen = { rows: 24, scrolledRows: 15, columns: 90 } as const;

/** Returns the seconds of motion in a clip of `duration` seconds, between the transition and the final state. */
export function actionSeconds(duration: number): number {
	const resting = Math.min(rest.most, Math.max(rest.least, duration * rest.share));
	return Math.max(duration * leastAction, duration - resting - leadSeconds);
}

/** Returns the whole seconds that the local renderer needs for a text, within `autoBounds`. They depend on its rows. `motionStrength` is 1 to 5. */
export function autoSeconds(prompt: string, motionStrength: number): number {
	const content = readPrompt(prompt);
	const acting = Math.max(leastActing, actingSeconds(content, motionStrength));
	// Two seconds are enough for a few words, but leave code no time to be seen as a whole.
	let seconds: number = content.type === "prose" ? autoBounds.least : autoBounds.least + 1;
	while (seconds < autoBounds.most && actionSeconds(seconds) < acting - 0.2) {
		seconds += 1;
	}
	return seconds;
}

function actingSeconds(content: PromptContent, motionStrength: number): number {
	switch (content.type) {
		case "prose":
			return proseSeconds(content.text);
		case "terminal":
			return sessionSeconds(content.lines);
		case "change":
			return content.steps.reduce((sum, step) => sum + stepSeconds(step), 0);
		case "code":
			return codeSeconds(content, motionStrength);
	}
}

function proseSeconds(text: string): number {
	// The lines of a table aren't read.
	const words = plainMarkdown(text).replaceAll(/^[|\s:-]+$|\|/gm, "");
	const letters = words.replaceAll(/\s+/g, "").length;
	return Math.max(revealSeconds(Math.ceil(letters / screen.columns)), letters / readingSpeed);
}

function codeSeconds(
	{ code, lit, output }: Extract<PromptContent, { readonly type: "code" }>,
	motionStrength: number,
): number {
	const lines = code.split("\n");
	const printed = output === undefined ? 0 : runSeconds + outputSeconds(rowsOf(output.split("\n")));
	if (motionStrength === focusStrength && lit) {
		const jumps = lit.filter((line, index) => line - (lit[index - 1] ?? line) > screen.rows);
		const reading = Math.min(mostLitSeconds, lit.length * litRowSeconds);
		return focusSeconds + reading + jumps.length * (scrollSeconds + pauseSeconds);
	}
	if (motionStrength === typedStrength) {
		return printed + Math.min(mostTypingSeconds, code.replaceAll(/\s+/g, "").length / typingSpeed);
	}
	const rows = rowsOf(lines);
	const scrolls = rows <= screen.rows ? 0 : Math.ceil(rows / screen.scrolledRows) - 1;
	return revealSeconds(rows) + printed + scrolls * (scrollSeconds + pauseSeconds);
}

function rowsOf(lines: readonly string[]): number {
	return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / screen.columns)), 0);
}

/** A change that is longer than the window is shown in pages. */
function stepSeconds(lines: readonly ChangeLine[]): number {
	const changed = lines.filter(({ kind }) => kind === "added" || kind === "removed").length;
	const pages = Math.max(1, Math.ceil(lines.length / (screen.rows * 1.5)));
	const each = Math.min(mostChangeSeconds, changeSeconds + (changed * changedRowSeconds) / pages);
	return pages * each;
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
