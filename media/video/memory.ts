import * as z from "zod/mini";
import { type VideoMemory, videoMemorySchema } from "../../src/shared/video.ts";
import type { VsCodeApi } from "../shared/host.ts";

/** Memory of the page over a reload: which job it shows, and how its clip is played. */
export class PlaybackMemory {
	private readonly api: Pick<VsCodeApi, "getState" | "setState">;
	private state: VideoMemory;

	/** Reads what was kept; anything unreadable counts as nothing. */
	constructor(api: Pick<VsCodeApi, "getState" | "setState">) {
		const kept = z.safeParse(videoMemorySchema, api.getState());
		this.api = api;
		this.state = kept.success ? kept.data : { jobId: "", isLooping: true, speed: 1 };
	}

	get current(): VideoMemory {
		return this.state;
	}

	/** Changes some of it; VS Code keeps it from then on. */
	update(change: Partial<VideoMemory>): void {
		this.state = { ...this.state, ...change };
		this.api.setState(this.state);
	}
}
