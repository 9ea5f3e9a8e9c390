import * as z from "zod/mini";
import type { ClipLooks, FigureColors } from "../../common/clipLooks.ts";
import type {
	ModelPlaces,
	ModelSetup,
	PullFailure,
	PullProgress,
	PullRequest,
	ServerListing,
} from "../../common/modelSetup.ts";
import type { VideoEngineSetup, VideoModelListing } from "../../common/videoEngines.ts";
import type { NetworkSetup } from "../../client/transport/transport.ts";
import type { EditorQuestion, EditorReply } from "../editorModels/editorLink.ts";

/** Messages between the extension host and the service's thread. Both ends are of one build, so only the data of the start has a schema. */

const folder = z.string().check(z.minLength(1));

/** Data for starting a thread. The only place through which the token passes (docs/security.md). */
const workerDataSchema = z.object({
	token: z.string().check(z.minLength(32)),
	/** Folder for uploaded files, which the service creates and removes. */
	filesFolder: folder,
	/** Folder for videos, kept for a day. May be shared with other windows. */
	videosFolder: folder,
	/** Folder for data that models require with tool calls, kept for a week. May be shared with other windows. */
	callsFolder: folder,
	/** Folder for models that run on this machine. Shared with other windows. */
	modelsFolder: folder,
	/** Folder for packages of Python. Shared with other windows. */
	packagesFolder: folder,
});
export type WorkerData = Readonly<z.infer<typeof workerDataSchema>>;

/** Checks the data of a thread. Throws if the token is too short or a folder is missing: a service must not start then. */
export function readWorkerData(value: unknown): WorkerData {
	const { data } = workerDataSchema.safeParse(value);
	if (!data) {
		throw new Error("The local service starts only with a token and its folders.");
	}
	return data;
}

/** The model servers, the video engine and the network settings. */
export interface ThreadSettings {
	readonly models: ModelSetup;
	readonly video: VideoEngineSetup;
	readonly network: NetworkSetup;
	/** Address that Python's packages are downloaded from. */
	readonly packageMirror: string;
	/** Colors of Python's figures. Matplotlib's own if absent. */
	readonly figureColors: FigureColors | undefined;
}

/** The requests that the thread replies to with the same id, and the values of their replies. */
export interface ThreadReplies {
	/** Confirms that the thread is alive. */
	readonly ping: undefined;
	readonly "list-video-models": VideoModelListing;
	readonly "list-models": readonly ServerListing[];
	/** The reply is preceded by any number of `pull-progress`. */
	readonly "pull-model": PullFailure | undefined;
}
export type ThreadReply = ThreadReplies[keyof ThreadReplies];

/** From the extension host to the thread. */
export type ToWorker =
	| { readonly type: "ping"; readonly id: number }
	| ({ readonly type: "settings" } & ThreadSettings)
	| { readonly type: "list-video-models"; readonly id: number; readonly setup: VideoEngineSetup }
	| { readonly type: "list-models"; readonly id: number; readonly places: ModelPlaces }
	| ({ readonly type: "pull-model"; readonly id: number } & PullRequest)
	| { readonly type: "cancel-pull"; readonly id: number }
	/** The user's decision about a package question of an answer. */
	| { readonly type: "answer-packages"; readonly id: string; readonly isAccepted: boolean }
	| EditorReply
	/** The reply to `ask-looks`. */
	| { readonly type: "looks"; readonly id: number; readonly looks: ClipLooks }
	/** Ends every answer and the thread. */
	| { readonly type: "stop" };

/** From the thread to the extension host. */
export type FromWorker =
	| { readonly type: "listening"; readonly port: number }
	| { readonly type: "reply"; readonly id: number; readonly value: ThreadReply }
	| { readonly type: "pull-progress"; readonly id: number; readonly progress: PullProgress }
	/** The replies to `ask-editor` are `editor-parts` and finally `editor-end`, with the same id. */
	| EditorQuestion
	/** Asks for the appearance of a clip of this prompt; undefined for an image. */
	| { readonly type: "ask-looks"; readonly id: number; readonly prompt: string | undefined }
	| {
			readonly type: "log";
			readonly level: "debug" | "info" | "warn" | "error";
			readonly line: string;
	  };
