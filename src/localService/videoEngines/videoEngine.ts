import type { IDisposable } from "../../common/disposable.ts";
import type { VideoModelListing } from "../../common/videoEngines.ts";
import type { EngineWork } from "../video/generationRecord.ts";
import type { EngineServer } from "./engineServer.ts";

export interface EngineOrder {
	readonly work: EngineWork;
	/** The first frame. */
	readonly image?: { readonly url: string; readonly bytes: Uint8Array<ArrayBuffer> } | undefined;
}

/** A video's id at its server. */
export type RemoteVideo = NonNullable<EngineWork["remote"]>;

/** The work on a video that its server has accepted. */
export type RemoteWork = EngineWork & { readonly remote: RemoteVideo };

/** An accepted request, with the duration finally requested. */
export interface AcceptedOrder {
	readonly remote: RemoteVideo;
	readonly seconds?: number;
	/** Information about the video for the user. */
	readonly note?: string;
}

export type RemoteState =
	| { readonly type: "working"; readonly isQueued: boolean; readonly share?: number | undefined }
	/** URLs of the file, the likeliest first. */
	| {
			readonly type: "ready";
			readonly addresses: readonly string[];
			readonly cost?: number | undefined;
	  }
	| { readonly type: "failed"; readonly words: string }
	| { readonly type: "gone" };

/** A server with a video model. All methods throw `EngineFailure`, or `AbortError` if aborted. */
export interface VideoEngine {
	readonly server: EngineServer;
	/** Requests a video. May cost money, so the caller decides about retries. */
	send(order: EngineOrder, signal: AbortSignal): Promise<AcceptedOrder>;
	/** Requests the status, which is free. */
	fetchStatus(work: RemoteWork, signal: AbortSignal): Promise<RemoteState>;
	/** Finds a video whose response was lost. Returns undefined unless it is certain. Absent if the server doesn't list earlier requests. */
	recover?(work: EngineWork, signal: AbortSignal): Promise<RemoteVideo | undefined>;
	/** Reports progress, if the server supports it. */
	follow?(work: RemoteWork, onShare: (share: number) => void, onEnd: () => void): IDisposable;
	list(signal: AbortSignal): Promise<VideoModelListing["models"]>;
}
