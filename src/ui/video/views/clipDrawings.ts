import { type FileHandle, open } from "node:fs/promises";
import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { readScene } from "../../../clip/clipLength.ts";
import { readPrompt } from "../../../clip/promptContent.ts";
import {
	type ChosenLook,
	clipLooksTag,
	type FramesOrder,
	FramesTooLarge,
} from "../../../common/clipLooks.ts";
import { usualGroundColor } from "../../../common/clipLooks.ts";
import { isAbortError, toError } from "../../../common/errors.ts";
import type { Log } from "../../../common/log.ts";
import { chosenLookSchema } from "../../../shared/clipLookNames.ts";
import type { ClipLookView, DrawnFrames } from "../../../shared/video.ts";
import { themeChoices } from "../../base/installedThemes.ts";
import { isDrawnClip, promptOf, type VideoJob } from "../../../video/job/videoJob.ts";

export interface ClipDrawingsDependencies {
	readonly job: (id: string) => VideoJob | undefined;
	readonly drawFrames: (
		order: FramesOrder,
		signal: AbortSignal,
	) => Promise<Uint8Array<ArrayBuffer>>;
	readonly log: Log;
}

const recordedSchema = z.object({
	shape: chosenLookSchema.shape.shape,
	themeName: z._default(chosenLookSchema.shape.theme, "editor"),
	ground: z._default(chosenLookSchema.shape.ground, "gradient"),
	groundColor: z._default(chosenLookSchema.shape.groundColor, usualGroundColor),
	typeSize: z._default(chosenLookSchema.shape.typeSize, "auto"),
	bar: z._default(z.boolean(), true),
	numbers: z._default(z.boolean(), true),
	padding: z._default(chosenLookSchema.shape.padding, "usual"),
});

/** Draws the clips of the local renderer again from their text and from the appearance stored in their files. Sends nothing. */
export class ClipDrawings {
	private readonly dependencies: ClipDrawingsDependencies;

	constructor(dependencies: ClipDrawingsDependencies) {
		this.dependencies = dependencies;
	}

	/** Returns the appearance of a job's clip; null if the clip can't be drawn again. */
	async lookOf(id: string): Promise<ClipLookView | null> {
		const { scenes, looks } = (await this.recipeOf(id)) ?? {};
		const chosen = looks === undefined ? undefined : readLooks(looks);
		const [scene] = scenes ?? [];
		if (!scene || !chosen) {
			return null;
		}
		const hasWindow = readPrompt(readScene(scene.prompt).prompt).type !== "prose";
		return { ...chosen, hasWindow, themes: [...themeChoices(chosen.theme)] };
	}

	/**
	 * Draws a job's clip; undefined if only the video has its frames. Rejects with a message for the user if its background can't be left out, and with
	 * `AbortError` if the signal aborts.
	 */
	async draw(
		id: string,
		how: Pick<FramesOrder, "rate" | "isWhole" | "hasGround">,
		signal: AbortSignal,
	): Promise<DrawnFrames | undefined> {
		const recipe = await this.recipeOf(id);
		try {
			if (recipe) {
				return await this.drawn({ ...recipe, ...how }, signal);
			}
		} catch (error) {
			if (isAbortError(error)) {
				throw error;
			}
			if (error instanceof FramesTooLarge && !how.hasGround) {
				throw new Error(
					l10n.t(
						"This clip is too long for a transparent background. Export it without “Transparent background”.",
					),
					{ cause: error },
				);
			}
			this.dependencies.log.warn("A clip was not drawn", { reason: toError(error).message });
		}
		if (!how.hasGround) {
			throw new Error(
				l10n.t(
					"This clip can't be drawn again, so its background stays. Export it without “Transparent background”.",
				),
			);
		}
		return undefined;
	}

	/** Draws the last frame of a job's clip with another appearance. Rejects with the reason if that isn't possible. */
	async drawLook(id: string, looks: ChosenLook, signal: AbortSignal): Promise<DrawnFrames> {
		const scenes = this.scenesOf(id) ?? [];
		return await this.drawn({ scenes, looks, hasGround: true }, signal);
	}

	private async drawn(order: FramesOrder, signal: AbortSignal): Promise<DrawnFrames> {
		const file = await this.dependencies.drawFrames(order, signal);
		return { file, hasGround: order.hasGround };
	}

	private async recipeOf(
		id: string,
	): Promise<{ readonly scenes: FramesOrder["scenes"]; readonly looks: string } | undefined> {
		const state = this.dependencies.job(id)?.state;
		const scenes = this.scenesOf(id);
		const looks = state?.name === "ready" && scenes ? await looksIn(state.file) : undefined;
		return looks === undefined || !scenes ? undefined : { scenes, looks };
	}

	/** Returns the texts of a clip's scenes in order; undefined if another engine made it, or of an image. */
	private scenesOf(id: string): FramesOrder["scenes"] | undefined {
		const own = this.dependencies.job(id);
		if (!own || !isDrawnClip(own.endpoint)) {
			return undefined;
		}
		const isStoryboard = own.request.kind === "storyboard";
		const jobs = isStoryboard ? own.joined?.map(scene => this.dependencies.job(scene)) : [own];
		const texts = (jobs ?? []).flatMap(job =>
			job?.request.kind === "text" ? [{ ...job.request, prompt: promptOf(job.request, job) }] : [],
		);
		return texts.length > 0 && texts.length === jobs?.length ? texts : undefined;
	}
}

/** Reads the choice from a clip's stored appearance. */
function readLooks(looks: string): ChosenLook | undefined {
	try {
		const { themeName: theme, ...rest } = z.parse(recordedSchema, JSON.parse(looks));
		return { ...rest, theme };
	} catch {
		// Another program may have changed the file.
		return undefined;
	}
}

/** The largest file description to read, in bytes. */
const maxDescriptionBytes = 16 * 1024 * 1024;

/** The most top-level boxes to skip. */
const maxBoxes = 200;

/**
 * Whether a file is MP4 or QuickTime with AAC sound, which most builds of VS Code can't play. False for other or unreadable files. Box structure:
 * ISO/IEC 14496-12 §4.2.
 */
export async function hasAacSound(file: string): Promise<boolean> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(file, "r");
		const description = await readDescription(handle);
		return description?.includes("mp4a", 0, "latin1") ?? false;
	} catch {
		// The player reports an unreadable file.
		return false;
	} finally {
		await handle?.close();
	}
}

/** Returns the file's `moov` box, which describes its tracks. */
async function readDescription(handle: FileHandle): Promise<Buffer | undefined> {
	let offset = 0;
	for (let box = 0; box < maxBoxes; box++) {
		const head = await read(handle, offset, 16);
		if (head.length < 8) {
			return undefined;
		}
		const short = head.readUInt32BE(0);
		const size = short === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : short;
		const type = head.toString("latin1", 4, 8);
		if (!/^[a-z0-9 ]{4}$/i.test(type) || size < 8) {
			return undefined;
		}
		if (type === "moov") {
			return size <= maxDescriptionBytes ? await read(handle, offset, size) : undefined;
		}
		offset += size;
	}
	return undefined;
}

async function read(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
	const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
	return buffer.subarray(0, bytesRead);
}

/** The part of a WebM file to read for metadata, in bytes; metadata precedes the frames, and holds the colors of code. */
const maxTagBytes = 512 * 1024;

/** Returns how many characters of a local service's clip couldn't be drawn, from the file's tag. Returns 0 for any other or unreadable file. */
export async function undrawnIn(file: string): Promise<number> {
	const count = Number((await readTag(file, "UNDRAWN")) ?? 0);
	return Number.isSafeInteger(count) ? count : 0;
}

/** Returns the appearance of a local service's clip, as JSON from the file's tag; undefined for any other or unreadable file. */
async function looksIn(file: string): Promise<string | undefined> {
	return await readTag(file, clipLooksTag);
}

/** Reads a tag of a WebM file: an EBML string, with its id and a length of up to four bytes, after the tag's name. Undefined if it isn't as written here. */
async function readTag(file: string, name: string): Promise<string | undefined> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(file, "r");
		const head = await read(handle, 0, maxTagBytes);
		const at = head.indexOf(`${name}D\u0087`, 0, "latin1") + name.length + 2;
		// The zeros before the first one of a length tell how many bytes follow.
		const bytes = Math.clz32(head[at] ?? 0) - 23;
		const start = at + bytes;
		const isShort = bytes >= 1 && bytes <= 4;
		const length = isShort ? head.readUIntBE(at, bytes) - 2 ** (7 * bytes) : 0;
		const isWhole = isShort && start + length <= head.length;
		return at >= name.length + 2 && isWhole
			? head.toString("utf8", start, start + length)
			: undefined;
	} catch {
		return undefined;
	} finally {
		await handle?.close();
	}
}
