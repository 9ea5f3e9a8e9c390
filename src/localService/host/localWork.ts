import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Clock } from "../../common/async.ts";
import {
	type ChosenLook,
	type ClipLooks,
	type FramesOrder,
	FramesTooLarge,
} from "../../common/clipLooks.ts";
import { clipLooksSchema } from "../base/clipLooksSchema.ts";
import { addModelFile, removeModelFile } from "../embedded/modelFolder.ts";
import { bundledVideo, createThreadRenderer, defaultOptions } from "../video/assets.ts";

/** Folder of the models of this machine, in the local service's data folder. */
export function modelsFolderIn(dataFolder: string): string {
	return join(dataFolder, "local-models");
}

/** Folder of Python's downloaded packages, in the local service's data folder. */
export function packagesFolderIn(dataFolder: string): string {
	return join(dataFolder, "python-packages");
}

export interface LocalWorkDependencies {
	/** The local service's bundle. */
	readonly workerFile: string;
	/** The local service's data folder, which other windows may share. */
	readonly dataFolder: string;
	/** Appearance of clips of prompts, with the settings' choice or another. Never rejects. */
	readonly clipLooks: (prompts: readonly string[], choice?: ChosenLook) => Promise<ClipLooks>;
	readonly clock: Clock;
}

/** What the local service's code and files serve without the service: it neither runs nor starts for any of this. */
export class LocalWork {
	private readonly dependencies: LocalWorkDependencies;

	constructor(dependencies: LocalWorkDependencies) {
		this.dependencies = dependencies;
	}

	get modelsFolder(): string {
		return modelsFolderIn(this.dependencies.dataFolder);
	}

	/** Reads what gives a clip's code its colors, so that a clip of it that is made next has them at once. */
	prepareClip(prompt: string): void {
		void this.dependencies.clipLooks([prompt]);
	}

	/**
	 * Draws the frames of a clip in a thread of its own. Sends nothing. Rejects with `AbortError` if the signal aborts, and with the reason if
	 * they can't be drawn.
	 */
	async drawFrames(order: FramesOrder, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
		const { workerFile, clock, clipLooks } = this.dependencies;
		const { looks: asked, rate, isWhole, hasGround } = order;
		const prompts = order.scenes.map(({ prompt }) => prompt);
		const looks =
			typeof asked === "string"
				? clipLooksSchema.parse(JSON.parse(asked))
				: await clipLooks(prompts, asked);
		const scenes = order.scenes.map(({ prompt, duration, motionStrength }) => ({
			type: "text" as const,
			prompt,
			looks: { ...looks },
			duration: duration ?? defaultOptions.duration,
			motionStrength: motionStrength ?? defaultOptions.motionStrength,
		}));
		const render = createThreadRenderer({
			...bundledVideo(pathToFileURL(workerFile).href),
			clock,
		});
		const result = await render({ type: "frames", scenes, rate, isWhole, hasGround }, signal);
		if (result.type === "refused") {
			// Texts, unlike images, are refused for their size alone.
			throw new FramesTooLarge(result.message);
		}
		return result.bytes;
	}

	/** Adds a model file of the user's without copying it. Resolves to the model's id. Rejects with the system's error. */
	async useModelFile(path: string): Promise<string> {
		return await addModelFile(this.modelsFolder, path);
	}

	/** Deletes a model of this machine, by its file name. For the user's own files removes only the entry. Rejects with the system's error. */
	async removeModel(name: string): Promise<void> {
		await removeModelFile(this.modelsFolder, name);
	}

	/** Deletes the downloaded packages of Python and resolves to their bytes. Conversations that use them keep them until Python is unloaded. */
	async removePackages(): Promise<number> {
		const folder = packagesFolderIn(this.dependencies.dataFolder);
		const names = await readdir(folder, { recursive: true }).catch(() => []);
		const sizes = names.map(name => stat(join(folder, name)).catch(() => undefined));
		const files = (await Promise.all(sizes)).filter(found => found?.isFile());
		await rm(folder, { recursive: true, force: true, maxRetries: 3 });
		return files.reduce((sum, found) => sum + (found?.size ?? 0), 0);
	}
}
