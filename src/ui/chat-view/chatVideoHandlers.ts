import type { ChatRequests } from "../../shared/chat.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import type { VideoAction } from "../../shared/video.ts";
import type { JobOrigin } from "../../video/job/videoJob.ts";
import type { ChatController } from "../chat/chatController.ts";

/** Requests of the view to the videos; each throws the sentence when it fails. */
export interface ChatVideos {
	/** Begins a video from text of the chat; the user accepts it in the last step. */
	readonly generate: (text: string, place: JobOrigin) => Promise<void>;
	/** Begins a video from words that belong to no question, and asks for some when there are none; whether it was started. */
	readonly make: (text: string) => Promise<boolean>;
	readonly open: (jobId: string) => Promise<void>;
	/** The bytes of a clip as base64; null where there is none to play in a card. */
	readonly clip: (jobId: string) => Promise<string | null>;
	readonly run: (jobId: string, action: VideoAction) => Promise<void>;
	/** Offers everything that can be done with a video. */
	readonly choose: (jobId: string) => Promise<void>;
}

/** Takes what a user does with videos in the chat. */
export function chatVideoHandlers(
	videos: ChatVideos,
	controller: () => Promise<Pick<ChatController, "placeOf">>,
	onSight: (jobIds: readonly string[]) => void,
) {
	const done = async (step: Promise<void>): Promise<Record<string, never>> => {
		await step;
		return {};
	};
	return {
		generateVideo: async ({ turnId, text }) =>
			done(videos.generate(text.trim(), (await controller()).placeOf(turnId))),
		videoClip: async ({ jobId }) => ({ base64: await videos.clip(jobId) }),
		openVideo: ({ jobId }) => done(videos.open(jobId)),
		runVideoAction: ({ jobId, action }) => done(videos.run(jobId, action)),
		videosInSight: ({ jobIds }) => {
			onSight(jobIds);
			return {};
		},
		chooseVideoAction: ({ jobId }) => done(videos.choose(jobId)),
	} satisfies Partial<RequestHandlers<ChatRequests>>;
}
