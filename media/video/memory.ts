import * as z from "zod/mini";
import { type VideoMemory, videoMemorySchema } from "../../src/shared/video.ts";
import type { VsCodeApi } from "../shared/host.ts";

/** The page's state across reloads: the job it shows and the playback options. */
export class PlaybackMemory {
	private readonly api: Pick<VsCodeApi, "getState" | "setState">;
	private state: VideoMemory;

	/** Reads the saved state. Invalid state is ignored. */
	constructor(api: Pick<VsCodeApi, "getState" | "setState">) {
		const kept = z.safeParse(videoMemorySchema, api.getState());
		this.api = api;
		this.state = kept.success ? kept.data : { jobId: "", isLooping: true, speed: 1 };
	}

	get current(): VideoMemory {
		return this.state;
	}

	/** Changes and saves the state. */
	update(change: Partial<VideoMemory>): void {
		this.state = { ...this.state, ...change };
		this.api.setState(this.state);
	}
}
