import * as z from "zod/mini";
import type { VideoModel, VideoPrice } from "../../common/videoEngines.ts";
import {
	idOf,
	maxAddresses,
	readAnswer,
	readFrom,
	readVideo,
	stateOf,
	videoSchema,
	withoutId,
} from "./engineAnswer.ts";
import { acceptedLength, shorterLength } from "./allowedLengths.ts";
import { creationSilentMs, type EngineAnswer, type EngineServer } from "./engineServer.ts";
import type {
	EngineOrder,
	RemoteState,
	RemoteWork,
	AcceptedOrder,
	VideoEngine,
} from "./videoEngine.ts";

const number = z.union([z.number(), z.string()]);
const modelsSchema = z.looseObject({
	data: z.array(
		z.looseObject({
			id: z.string(),
			name: z.optional(z.nullable(z.string())),
			supported_durations: z.optional(z.nullable(z.array(z.number()))),
			pricing_skus: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
		}),
	),
});

export class OpenRouter implements VideoEngine {
	readonly server: EngineServer;

	constructor(server: EngineServer) {
		this.server = server;
	}

	async send(order: EngineOrder, signal: AbortSignal): Promise<AcceptedOrder> {
		let { seconds } = order.work;
		let answer = await this.post(order, seconds, signal);
		const shorter = [400, 422].includes(answer.status)
			? shorterLength(this.server, answer.body, seconds)
			: undefined;
		if (shorter !== undefined) {
			seconds = shorter;
			answer = await this.post(order, seconds, signal);
		}
		const video = readAnswer(this.server, answer, videoSchema);
		const id = idOf(video);
		if (id === undefined) {
			throw withoutId(this.server);
		}
		const { polling_url: pollUrl } = video;
		const isOwn = typeof pollUrl === "string" && this.server.ownAddress(pollUrl) !== undefined;
		return {
			remote: { id, ...(isOwn ? { pollUrl } : {}) },
			...acceptedLength(this.server, order.work.seconds, seconds),
		};
	}

	async fetchStatus({ remote }: RemoteWork, signal: AbortSignal): Promise<RemoteState> {
		const own = `${this.api()}/videos/${encodeURIComponent(remote.id)}`;
		const video = await readVideo(this.server, remote.pollUrl ?? own, signal);
		if (!video) {
			return { type: "gone" };
		}
		const named = [...(video.unsigned_urls ?? []), ...(video.urls ?? [])].slice(0, maxAddresses);
		return stateOf(video, [...named, `${own}/content?index=0`]);
	}

	async list(signal: AbortSignal): Promise<readonly VideoModel[]> {
		const path = `${this.api()}/videos/models`;
		const { data } = await readFrom(this.server, path, modelsSchema, signal);
		return data.map(model => ({
			id: model.id,
			label: model.name ?? model.id,
			durations: (model.supported_durations ?? []).filter(
				seconds => Number.isInteger(seconds) && seconds > 0,
			),
			price: readPrice(model.pricing_skus ?? {}),
		}));
	}

	private post(
		{ work, image }: EngineOrder,
		seconds: number,
		signal: AbortSignal,
	): Promise<EngineAnswer> {
		const frame = image && {
			type: "image_url",
			image_url: { url: image.url },
			frame_type: "first_frame",
		};
		const body = {
			model: work.model,
			prompt: work.prompt,
			duration: seconds,
			...(frame ? { frame_images: [frame] } : {}),
		};
		return this.server.ask(
			{
				method: "POST",
				path: `${this.api()}/videos`,
				contentType: "application/json",
				body: JSON.stringify(body),
				mark: work.mark,
				silentMs: creationSilentMs,
			},
			signal,
		);
	}

	/** Appends the API path if the user entered only OpenRouter's host. */
	private api(): string {
		const { baseUrl } = this.server;
		return /^https?:\/\/[^/]+$/i.test(baseUrl) ? `${baseUrl}/api/v1` : baseUrl;
	}
}

/** Reads the price per second or per video from a model's price list. Returns undefined for other units, such as tokens. */
export function readPrice(skus: Readonly<Record<string, unknown>>): VideoPrice | undefined {
	const prices = Object.entries(skus).flatMap(([name, value]) => {
		const known = z.safeParse(number, value);
		const amount = known.success ? Number(known.data) : Number.NaN;
		const isCents = name.startsWith("cents");
		const per = /token|megapixel/i.test(name)
			? undefined
			: /second/i.test(name)
				? ("second" as const)
				: /video|generation|request/i.test(name)
					? ("video" as const)
					: undefined;
		return per && amount >= 0 ? [{ per, amount: isCents ? amount / 100 : amount }] : [];
	});
	const [first] = prices;
	// A part of the price would be misleading.
	if (
		!first ||
		prices.length < Object.keys(skus).length ||
		prices.some(({ per }) => per !== first.per)
	) {
		return undefined;
	}
	const amounts = prices.map(({ amount }) => amount);
	return { per: first.per, min: Math.min(...amounts), max: Math.max(...amounts) };
}
