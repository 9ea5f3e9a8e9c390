import * as z from "zod/mini";
import type { VideoModel } from "../../common/videoEngines.ts";
import type { EngineWork } from "../video/generationRecord.ts";
import {
	addressesIn,
	hasStatus,
	idOf,
	isSuccess,
	readAnswer,
	readFrom,
	readVideo,
	stateOf,
	withoutId,
	videoSchema,
	encodeForm,
	type FormField,
	imageFile,
} from "./engineAnswer.ts";
import { acceptedLength, shorterLength } from "./allowedLengths.ts";
import {
	creationSilentMs,
	type EngineAnswer,
	type EngineRequest,
	type EngineServer,
	lookupSilentMs,
} from "./engineServer.ts";
import type {
	EngineOrder,
	RemoteState,
	RemoteVideo,
	RemoteWork,
	AcceptedOrder,
	VideoEngine,
} from "./videoEngine.ts";

/** Frames per second for servers that count in frames. */
const framesPerSecond = 16;
/** Models create whole groups of frames plus one; groups have 4 or 8 frames. 8 suits both. */
const frameGroup = 8;

/** Returns the number of frames for at least this many seconds. */
export function framesFor(seconds: number, perSecond: number): number {
	return Math.ceil((seconds * perSecond) / frameGroup) * frameGroup + 1;
}

/** A form of the request. Other forms are for servers that reject the first one before evaluating it. */
interface OrderForm {
	readonly form: "json" | "multipart";
	/** LocalAI has its own path. */
	readonly isShortPath: boolean;
	readonly seconds: number;
}

const listSchema = z.looseObject({ data: z.array(videoSchema) });
const modelsSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });
/** The greatest difference between the clocks of two machines, in seconds. */
const clockSkew = 120;

/** A server with `POST /v1/videos`, as introduced by OpenAI. */
export class VideosApi implements VideoEngine {
	readonly server: EngineServer;

	constructor(server: EngineServer) {
		this.server = server;
	}

	async send(order: EngineOrder, signal: AbortSignal): Promise<AcceptedOrder> {
		let way: OrderForm = {
			form: "json",
			isShortPath: this.server.baseUrl.endsWith("/video"),
			seconds: order.work.seconds,
		};
		let first: EngineAnswer | undefined;
		// Another form is tried only after a rejection, so no video is requested twice.
		for (;;) {
			const answer = await this.server.ask(this.requestFor(way, order), signal);
			if (isSuccess(answer)) {
				return {
					remote: this.remoteOf(answer, order.work),
					...acceptedLength(this.server, order.work.seconds, way.seconds),
				};
			}
			const next = this.nextWay(way, answer, order.work);
			if (!next) {
				// A server without the other form doesn't explain why it rejected the first.
				const isNoWay = first !== undefined && [404, 405, 415, 501].includes(answer.status);
				throw this.server.refusal(isNoWay && first ? first : answer);
			}
			first ??= answer;
			way = next;
		}
	}

	async fetchStatus({ remote }: RemoteWork, signal: AbortSignal): Promise<RemoteState> {
		if (remote.fileUrl !== undefined) {
			return { type: "ready", addresses: [remote.fileUrl] };
		}
		const path = `${this.collection()}/${encodeURIComponent(remote.id)}`;
		const video = await readVideo(this.server, path, signal);
		return video ? stateOf(video, [...addressesIn(video), `${path}/content`]) : { type: "gone" };
	}

	/** Finds the video in the server's list by prompt and time. */
	async recover(work: EngineWork, signal: AbortSignal): Promise<RemoteVideo | undefined> {
		const path = `${this.collection()}?limit=100&order=desc`;
		const answer = await this.server.ask({ method: "GET", path, silentMs: lookupSilentMs }, signal);
		if (!isSuccess(answer)) {
			return undefined;
		}
		const since = (work.sentAt ?? 0) / 1000 - clockSkew;
		const found = readAnswer(this.server, answer, listSchema).data.filter(
			({ prompt, created_at: at }) => prompt === work.prompt && (at ?? 0) >= since,
		);
		const id = found.length === 1 && found[0] ? idOf(found[0]) : undefined;
		return id === undefined ? undefined : { id };
	}

	async list(signal: AbortSignal): Promise<readonly VideoModel[]> {
		const path = `${this.api()}/models`;
		const { data } = await readFrom(this.server, path, modelsSchema, signal);
		return data.map(({ id }) => ({ id, label: id, durations: [] }));
	}

	/** Returns the API's base URL. Without a path, it is `/v1`. */
	private api(): string {
		const base = this.server.baseUrl.replace(/\/videos?$/, "");
		return /^https?:\/\/[^/]+$/i.test(base) ? `${base}/v1` : base;
	}

	private collection(): string {
		return `${this.api()}/videos`;
	}

	private requestFor(way: OrderForm, { work, image }: EngineOrder): EngineRequest {
		const path = way.isShortPath ? `${this.api().replace(/\/v1$/, "")}/video` : this.collection();
		const common = { method: "POST", path, mark: work.mark, silentMs: creationSilentMs } as const;
		const frames = { num_frames: framesFor(way.seconds, framesPerSecond), fps: framesPerSecond };
		const model: { model?: string } = work.model === "" ? {} : { model: work.model };
		if (way.form === "multipart") {
			const fields: Record<string, FormField> = {
				...model,
				prompt: work.prompt,
				seconds: String(way.seconds),
				num_frames: String(frames.num_frames),
				fps: String(frames.fps),
				...(image ? { input_reference: imageFile(image.bytes, "image") } : {}),
			};
			return { ...common, ...encodeForm(fields) };
		}
		const body = {
			...model,
			prompt: work.prompt,
			seconds: String(way.seconds),
			...(way.isShortPath ? frames : {}),
			...(image
				? way.isShortPath
					? { start_image: image.url }
					: { input_reference: { image_url: image.url } }
				: {}),
		};
		return { ...common, contentType: "application/json", body: JSON.stringify(body) };
	}

	private nextWay(
		way: OrderForm,
		answer: EngineAnswer,
		{ seconds }: EngineWork,
	): OrderForm | undefined {
		const { status } = answer;
		if ([400, 415, 422].includes(status)) {
			const shorter =
				way.seconds === seconds ? shorterLength(this.server, answer.body, seconds) : undefined;
			if (shorter !== undefined) {
				return { ...way, seconds: shorter };
			}
			return way.form === "json" && !way.isShortPath ? { ...way, form: "multipart" } : undefined;
		}
		return (status === 404 || status === 405) && !way.isShortPath
			? { ...way, form: "json", isShortPath: true }
			: undefined;
	}

	private remoteOf(answer: EngineAnswer, work: EngineWork): RemoteVideo {
		const video = readAnswer(this.server, answer, videoSchema);
		const [fileUrl] = addressesIn(video);
		const id = idOf(video);
		if (id === undefined && fileUrl === undefined) {
			throw withoutId(this.server);
		}
		// A server that responds only when the video is done returns the file at once.
		const isMade = id === undefined || !hasStatus(video) || stateOf(video, []).type === "ready";
		return { id: id ?? work.mark, ...(fileUrl !== undefined && isMade ? { fileUrl } : {}) };
	}
}
