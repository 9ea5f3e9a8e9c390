import type { IDisposable } from "../../common/disposable.ts";
import type { VideoModelListing } from "../../common/videoEngines.ts";
import type { EngineWork } from "../video/generationRecord.ts";
import type { EngineServer } from "./engineServer.ts";

/** What an engine is to make. */
export interface EngineOrder {
	readonly work: EngineWork;
	/** The picture to begin with. */
	readonly image?: { readonly url: string; readonly bytes: Uint8Array<ArrayBuffer> } | undefined;
}

/** A video as its server knows it. */
export type RemoteVideo = NonNullable<EngineWork["remote"]>;

/** A request that a server has taken, with the seconds that it was asked for in the end. */
export interface TakenOrder {
	readonly remote: RemoteVideo;
	readonly seconds?: number;
}

/** What a server says of a video. */
export type RemoteState =
	| { readonly type: "working"; readonly isQueued: boolean; readonly share?: number | undefined }
	/** Addresses of the file, the likeliest first. */
	| {
			readonly type: "ready";
			readonly addresses: readonly string[];
			readonly cost?: number | undefined;
	  }
	| { readonly type: "failed"; readonly words: string }
	/** The server knows no such video. */
	| { readonly type: "gone" };

/** A server with a model. All of it throws `EngineFailure`, or `AbortError` when the signal fires. */
export interface VideoEngine {
	readonly server: EngineServer;
	/** Asks for a video. May cost money, so it is the caller who decides whether it is called again. */
	send(order: EngineOrder, signal: AbortSignal): Promise<TakenOrder>;
	/** Asks how a video is doing, which costs nothing. */
	look(
		work: EngineWork & { readonly remote: RemoteVideo },
		signal: AbortSignal,
	): Promise<RemoteState>;
	/** Looks for a video whose request was sent and whose answer never came; undefined where it cannot be found for certain. */
	recover(work: EngineWork, signal: AbortSignal): Promise<RemoteVideo | undefined>;
	/** Tells of progress as it happens, where the server does. */
	follow?(
		work: EngineWork & { readonly remote: RemoteVideo },
		onShare: (share: number) => void,
		onEnd: () => void,
	): IDisposable;
	/** The models there are to choose from. */
	list(signal: AbortSignal): Promise<VideoModelListing["models"]>;
}
