import * as z from "zod/mini";
import { type VideoMemory, videoMemorySchema } from "../../src/shared/index.ts";
import type { VsCodeApi } from "../shared/host.ts";

/** Memory of the page over a reload: which job it shows, and how its clip is played. */
export interface PlaybackMemory {
	readonly current: VideoMemory;
	/** Changes some of it; VS Code keeps it from then on. */
	update(change: Partial<VideoMemory>): void;
}

/** Reads what was kept; anything unreadable counts as nothing. */
export function createVideoMemory(api: Pick<VsCodeApi, "getState" | "setState">): PlaybackMemory {
	const kept = z.safeParse(videoMemorySchema, api.getState());
	let current: VideoMemory = kept.success ? kept.data : { jobId: "", isLooping: true, speed: 1 };
	return {
		get current() {
			return current;
		},
		update: change => {
			current = { ...current, ...change };
			api.setState(current);
		},
	};
}
