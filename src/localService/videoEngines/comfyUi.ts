import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import { type IDisposable, toDisposable } from "../../common/disposable.ts";
import {
	brokenNode,
	type ComfyWorkflow,
	fillWorkflow,
	readWorkflow,
} from "../../common/comfyWorkflow.ts";
import type { WorkflowPlaces } from "../../common/videoEngines.ts";
import { parseJson } from "../../common/json.ts";
import type { EngineWork } from "../video/generationRecord.ts";
import { wordsIn } from "../openai/serverFailure.ts";
import { isSuccess, readAnswer, readFrom, encodeForm, imageFile } from "./engineAnswer.ts";
import { EngineFailure, type EngineServer, lookupSilentMs } from "./engineServer.ts";
import { framesFor } from "./videosApi.ts";
import type {
	EngineOrder,
	RemoteState,
	RemoteVideo,
	RemoteWork,
	AcceptedOrder,
	VideoEngine,
} from "./videoEngine.ts";
import { isProxied } from "../base/network.ts";

const takenSchema = z.looseObject({ prompt_id: z.string().check(z.minLength(1)) });
const uploadedSchema = z.looseObject({ name: z.string(), subfolder: z.optional(z.string()) });
const outputSchema = z.looseObject({
	filename: z.string(),
	subfolder: z.optional(z.string()),
	type: z.optional(z.string()),
});
/** A prompt in the history or queue: number, id, nodes, extra data and outputs. */
const entrySchema = z.array(z.unknown());
const historySchema = z.record(
	z.string(),
	z.looseObject({
		prompt: z.optional(entrySchema),
		outputs: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
		status: z.optional(
			z.nullable(
				z.looseObject({
					status_str: z.optional(z.string()),
					completed: z.optional(z.boolean()),
					messages: z.optional(z.array(z.unknown())),
				}),
			),
		),
	}),
);
const queueSchema = z.looseObject({
	queue_running: z.array(entrySchema),
	queue_pending: z.array(entrySchema),
});
type OutputFile = z.infer<typeof outputSchema>;
type HistoryItem = z.infer<typeof historySchema>[string];

const defaultFramesPerSecond = 16;
const videoEnding = /\.(?:mp4|webm|mov|mkv|gif)$/i;

/** Nodes that save, and those of them that save images alone, which no video is made of here. */
const savers = /save|combine|preview|export|write/i;
const imagesAlone = /^(?:SaveAnimatedWEBP|SaveAnimatedPNG|SaveImage|PreviewImage)$/;
/** Formats of other nodes that aren't a video, such as an animated WebP. */
const imageFormat = /^image\/(?!gif)/;

/** Returns the names of the nodes that save, if all of them save images alone. */
function imageSavers(workflow: ComfyWorkflow): string | undefined {
	const saving = Object.values(workflow).filter(node => savers.test(node.class_type));
	const isAlone = saving.every(
		({ class_type: type, inputs }) =>
			imagesAlone.test(type) || imageFormat.test(String(inputs["format"])),
	);
	return saving.length > 0 && isAlone
		? [...new Set(saving.map(node => node.class_type))].join(", ")
		: undefined;
}

export class ComfyUi implements VideoEngine {
	readonly server: EngineServer;
	private readonly places: WorkflowPlaces | undefined;
	private readonly headers: Readonly<Record<string, string>>;

	constructor(
		server: EngineServer,
		places: WorkflowPlaces | undefined,
		headers: Readonly<Record<string, string>>,
	) {
		this.server = server;
		this.places = places;
		this.headers = headers;
	}

	async send(order: EngineOrder, signal: AbortSignal): Promise<AcceptedOrder> {
		const { work } = order;
		const prompt = await this.filled(order, signal);
		const answer = await this.server.ask(
			{
				method: "POST",
				path: `${this.server.baseUrl}/prompt`,
				contentType: "application/json",
				// Servers that ignore the prompt id still record the client id, which is unique per video.
				body: JSON.stringify({ prompt, client_id: work.mark, prompt_id: work.mark }),
				mark: work.mark,
				silentMs: lookupSilentMs,
			},
			signal,
		);
		if (!isSuccess(answer)) {
			throw this.server.refusal({ ...answer, body: wordsOfRefusal(answer.body) });
		}
		return { remote: { id: readAnswer(this.server, answer, takenSchema).prompt_id } };
	}

	async fetchStatus({ remote }: RemoteWork, signal: AbortSignal): Promise<RemoteState> {
		const path = `/history/${encodeURIComponent(remote.id)}`;
		const history = await this.get(path, historySchema, signal).catch((error: unknown) => {
			// A gateway may answer this way although the prompt is still running.
			if (error instanceof EngineFailure && error.status === 404) {
				return undefined;
			}
			throw error;
		});
		const item = history?.[remote.id];
		if (item) {
			return this.stateOf(item);
		}
		const { queue_running: running, queue_pending: pending } = await this.get(
			"/queue",
			queueSchema,
			signal,
		);
		const isRemote = (entry: readonly unknown[]): boolean => entry[1] === remote.id;
		if (running.some(isRemote)) {
			return { type: "working", isQueued: false };
		}
		return pending.some(isRemote) ? { type: "working", isQueued: true } : { type: "gone" };
	}

	async recover({ mark }: EngineWork, signal: AbortSignal): Promise<RemoteVideo | undefined> {
		const queue = await this.get("/queue", queueSchema, signal);
		const history = await this.get("/history?max_items=200", historySchema, signal);
		const done = Object.values(history).flatMap(({ prompt }) => (prompt ? [prompt] : []));
		const entries = [...queue.queue_running, ...queue.queue_pending, ...done];
		const id = entries.find(entry => entry[1] === mark || clientOf(entry) === mark)?.[1];
		return typeof id === "string" ? { id } : undefined;
	}

	follow(work: RemoteWork, onShare: (share: number) => void, onEnd: () => void): IDisposable {
		const { baseUrl } = this.server;
		const listener = { baseUrl, headers: this.headers, clientId: work.mark };
		return followComfy(listener, work.remote.id, { onShare, onEnd });
	}

	/** Only checks that the server responds. Workflows name their own models. */
	async list(signal: AbortSignal): Promise<readonly []> {
		await this.get("/queue", queueSchema, signal);
		return [];
	}

	private get<Schema extends z.ZodMiniType>(
		path: string,
		schema: Schema,
		signal: AbortSignal,
	): Promise<z.output<Schema>> {
		return readFrom(this.server, `${this.server.baseUrl}${path}`, schema, signal);
	}

	private async filled({ work, image }: EngineOrder, signal: AbortSignal): Promise<ComfyWorkflow> {
		const { places } = this;
		// A missing file is treated like an invalid one; the user then selects it again.
		const text = places && (await readFile(places.file, "utf8").catch(() => ""));
		const workflow = readWorkflow(text ?? "");
		if (!places || !workflow) {
			const broken = brokenNode(text ?? "");
			throw notSent(
				broken === undefined
					? "The workflow file isn't in ComfyUI's API format. Choose another with “Cutaway: Choose Video Engine…”."
					: `The workflow file isn't in ComfyUI's API format: its node ${broken.slice(0, 100)} has no class_type or no inputs. Export it again.`,
			);
		}
		const images = imageSavers(workflow);
		if (images !== undefined) {
			throw notSent(
				`The workflow saves images alone (${images}), no video. Add a node such as SaveVideo or SaveWEBM and export it again.`,
			);
		}
		if (image && places.image === undefined) {
			throw notSent("The workflow has no place for an image, so it makes videos from text alone.");
		}
		const filled = fillWorkflow(workflow, places, {
			prompt: work.prompt,
			seed: work.seed,
			frames: framesFor(work.seconds, places.framesPerSecond ?? defaultFramesPerSecond),
			...(image ? { image: await this.upload(image.bytes, work.mark, signal) } : {}),
		});
		if (!filled) {
			throw notSent(
				"The workflow has changed: a place that was named for it is not there any more. “Cutaway: Choose Video Engine…” names it again.",
			);
		}
		return filled;
	}

	/** Uploads the image. A failure costs nothing, because no video has been requested yet. */
	private async upload(
		bytes: Uint8Array<ArrayBuffer>,
		mark: string,
		signal: AbortSignal,
	): Promise<string> {
		const file = imageFile(bytes, `cutaway-${mark}`);
		const answer = await this.server
			.ask(
				{
					method: "POST",
					path: `${this.server.baseUrl}/upload/image`,
					...encodeForm({ image: file, overwrite: "true" }),
					silentMs: lookupSilentMs,
				},
				signal,
			)
			.catch((error: unknown) => {
				throw error instanceof EngineFailure ? notSent(error.message) : error;
			});
		if (!isSuccess(answer)) {
			throw notSent(this.server.refusal(answer).message);
		}
		const { name, subfolder } = readAnswer(this.server, answer, uploadedSchema);
		return subfolder ? `${subfolder}/${name}` : name;
	}

	private stateOf({ outputs = {}, status }: HistoryItem): RemoteState {
		const files = Object.values(outputs).flatMap(output => Object.values(output).flatMap(filesIn));
		if (status?.status_str === "error") {
			return { type: "failed", words: wordsOfMessages(status.messages ?? []) };
		}
		const videos = files.filter(({ filename }) => videoEnding.test(filename));
		const best = videos.find(({ type }) => type === "output") ?? videos[0];
		if (best) {
			return { type: "ready", addresses: [this.addressOf(best)] };
		}
		if (files.length === 0 && JSON.stringify(status?.messages ?? []).includes("execution_cached")) {
			const words =
				"it had made this video before and ran nothing. Name the workflow's seed with “Cutaway: Choose Video Engine…”, so that each video differs";
			return { type: "failed", words };
		}
		const made = files.map(({ filename }) => filename).join(", ");
		return status?.completed === false
			? { type: "working", isQueued: false }
			: {
					type: "failed",
					words: `the workflow saved no video${made === "" ? "" : `, only ${made.slice(0, 200)}`}`,
				};
	}

	private addressOf({ filename, subfolder = "", type = "output" }: OutputFile): string {
		const query = new URLSearchParams({ filename, subfolder, type });
		return `${this.server.baseUrl}/view?${query.toString()}`;
	}
}

function notSent(message: string): EngineFailure {
	return new EngineFailure(message, { charge: "notSent" });
}

function filesIn(value: unknown): readonly OutputFile[] {
	const items = z.safeParse(z.array(z.unknown()), value).data ?? [];
	return items.flatMap(item => z.safeParse(outputSchema, item).data ?? []);
}

const clientSchema = z.looseObject({ client_id: z.string() });

function clientOf(entry: readonly unknown[]): string | undefined {
	return z.safeParse(clientSchema, entry[3]).data?.client_id;
}

const errorSchema = z.looseObject({
	exception_message: z.string(),
	node_type: z.optional(z.string()),
});

function wordsOfMessages(messages: readonly unknown[]): string {
	for (const message of messages) {
		const error = Array.isArray(message) ? z.safeParse(errorSchema, message[1]) : undefined;
		if (error?.success) {
			const { node_type: node, exception_message: words } = error.data;
			return `${node === undefined ? "" : `${node}: `}${words.trim()}`.slice(0, 500);
		}
	}
	return "the workflow failed";
}

const refusalSchema = z.looseObject({
	error: z.optional(z.unknown()),
	node_errors: z.optional(
		z.record(
			z.string(),
			z.looseObject({
				class_type: z.optional(z.string()),
				errors: z.optional(
					z.array(
						z.looseObject({ message: z.optional(z.string()), details: z.optional(z.string()) }),
					),
				),
			}),
		),
	),
});

/** Returns the error message of a rejected workflow, with the node concerned. */
function wordsOfRefusal(body: string): string {
	const refusal = z.safeParse(refusalSchema, parseJson(body)).data;
	const nodes = Object.values(refusal?.node_errors ?? {}).flatMap(({ class_type, errors }) =>
		(errors ?? []).map(({ message, details }) =>
			[class_type, message, details].filter(part => part).join(": "),
		),
	);
	const words = [wordsIn(refusal?.error), ...nodes].filter(part => part !== undefined);
	return words.length === 0 ? body : JSON.stringify(words.join(". "));
}

interface ComfyListener {
	readonly baseUrl: string;
	readonly headers: Readonly<Record<string, string>>;
	/** The client id of the prompt. Only it receives the progress. */
	readonly clientId: string;
}

const count = z.number().check(z.minimum(0));
const messageSchema = z.discriminatedUnion("type", [
	z.looseObject({
		type: z.literal("progress"),
		data: z.looseObject({ value: count, max: count, prompt_id: z.optional(z.string()) }),
	}),
	z.looseObject({
		type: z.literal("executing"),
		data: z.looseObject({ node: z.nullish(z.string()), prompt_id: z.optional(z.string()) }),
	}),
	z.looseObject({
		type: z.enum(["execution_success", "execution_error", "execution_interrupted"]),
		data: z.looseObject({ prompt_id: z.optional(z.string()) }),
	}),
]);

const maxMessageCharacters = 1024 * 1024;

/**
 * Follows a prompt's progress by ComfyUI's WebSocket until disposed. The progress is that of the longest step, the sampling. Completion is determined
 * by the history alone, so without a socket only the progress is missing. Doesn't connect through a proxy.
 */
export function followComfy(
	{ baseUrl, headers, clientId }: ComfyListener,
	promptId: string,
	{ onShare, onEnd }: { readonly onShare: (share: number) => void; readonly onEnd: () => void },
): IDisposable {
	if (isProxied(new URL(baseUrl))) {
		return toDisposable(() => {});
	}
	const url = new URL(`${baseUrl.replace(/^http/, "ws")}/ws`);
	url.searchParams.set("clientId", clientId);
	const socket = open(url, headers);
	socket.addEventListener("message", ({ data }: { readonly data: unknown }) => {
		// Preview images arrive as bytes.
		if (typeof data !== "string" || data.length > maxMessageCharacters) {
			return;
		}
		const message = z.safeParse(messageSchema, parseJson(data)).data;
		// Older servers don't name the prompt; this client id has only one.
		if (!message || (message.data.prompt_id ?? promptId) !== promptId) {
			return;
		}
		if (message.type === "progress") {
			onShare(message.data.max > 0 ? Math.min(1, message.data.value / message.data.max) : 0);
		} else if (message.type !== "executing" || !message.data.node) {
			onEnd();
		}
	});
	// Without a listener, the error would be thrown.
	socket.addEventListener("error", () => {});
	return toDisposable(() => socket.close());
}

/** Node's WebSocket supports headers, unlike a browser's, whose types some builds have. */
function open(url: URL, headers: Readonly<Record<string, string>>): WebSocket {
	const socket: unknown = Reflect.construct(WebSocket, [url, { headers: { ...headers } }]);
	if (socket instanceof WebSocket) {
		return socket;
	}
	throw new TypeError("No WebSocket");
}
