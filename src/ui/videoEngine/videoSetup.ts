import { isHouseHost } from "../../common/publicAddress.ts";
import type { Log } from "../../common/log.ts";
import {
	engineName,
	type RemoteEngineKind,
	remoteEngines,
	type VideoEngineSetup,
	priceOf,
	type VideoPrice,
} from "../../common/videoEngines.ts";
import type { Settings } from "../base/settings.ts";
import { type ApiKeys, keyHeader, readKey } from "../connection/secrets.ts";
import { parseEndpoint } from "../connection/endpoint.ts";
import type { ServiceEndpoint } from "../connection/connection.ts";
import * as z from "zod/mini";
import * as l10n from "@vscode/l10n";
import { formatDollars } from "../base/amounts.ts";

const originsKey = "cutaway.videoEngineOrigins";

/** The number of origins to keep. A video is followed for at most a day. */
const maxOrigins = 10;

/** Returns the address of the configured engine, by default that of its kind. */
export function engineAddress(settings: Pick<Settings, "get">): string {
	const address = settings.get("localService.video.baseUrl");
	const engine = settings.get("localService.video.engine");
	return address === "" && engine !== "local" ? remoteEngines[engine].defaultUrl : address;
}

/** Returns the video engine with the key of its origin, and keys of earlier ones, each for its origin only. */
export async function readVideoSetup(
	settings: Pick<Settings, "get">,
	keys: Pick<ApiKeys, "get" | "plain">,
	memory: EngineMemory,
	log: Log,
): Promise<VideoEngineSetup> {
	const engine = settings.get("localService.video.engine");
	const address = engineAddress(settings);
	const isUsable = engine === "local" || (parseEndpoint(address).ok && keys.plain.allows(address));
	if (!isUsable) {
		log.warn("The video engine has no valid address, or one that is not allowed");
	}
	const baseUrl = isUsable ? address : "";
	const origins = rememberedOrigins(memory, engine === "local" ? "" : baseUrl);
	const headers = await Promise.all(
		origins.map(async (origin, index) => {
			// The settings describe the current server, which is first.
			const sending = index === 0 && engine !== "local" ? keySending(settings) : usualSending;
			return [origin, await headersFor(origin, keys, sending, log)] as const;
		}),
	);
	const workflow = settings.get("localService.video.workflow");
	return {
		engine,
		baseUrl,
		model: settings.get("localService.video.model"),
		durations: durationsInUse(settings, memory),
		motionPhrases: settings.get("localService.video.motionPhrases"),
		...(workflow ? { workflow } : {}),
		headers: Object.fromEntries(headers),
	};
}

/** Returns the stored origins including that of `baseUrl`, which is added. */
function rememberedOrigins(memory: EngineMemory, baseUrl: string): readonly string[] {
	const kept = memory.get(originsKey);
	const known = Array.isArray(kept)
		? kept.filter((origin): origin is string => typeof origin === "string")
		: [];
	const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
	if (origin === undefined || known[0] === origin) {
		return known;
	}
	const origins = [origin, ...known.filter(other => other !== origin)].slice(0, maxOrigins);
	void memory.update(originsKey, origins);
	return origins;
}

/** How a key is sent: the header, and the scheme before the key. */
interface KeySending {
	readonly header: string;
	readonly scheme: string;
}

/** How almost all servers expect their key. */
const usualSending: KeySending = { header: "Authorization", scheme: "Bearer" };

/** How the current server expects its key. */
export function keySending(settings: Pick<Settings, "get">): KeySending {
	return {
		header: settings.get("localService.video.header"),
		scheme: settings.get("localService.video.scheme"),
	};
}

/** Returns the headers for a server: the key of its origin, if there is one. */
export async function headersFor(
	origin: string,
	keys: Pick<ApiKeys, "get">,
	sending: KeySending,
	log: Log,
): Promise<Record<string, string>> {
	return keyHeader(sending, await readKey(keys, origin, log));
}

/** Returns the service of a video submitted now: the local one, with the server that makes its videos if one is configured. */
export function withVideoEngine(
	endpoint: ServiceEndpoint,
	settings: Pick<Settings, "get">,
): ServiceEndpoint & { readonly engine?: string; readonly mayCharge?: boolean } {
	const engine = settings.get("localService.video.engine");
	if (endpoint.kind !== "local" || engine === "local") {
		return endpoint;
	}
	const address = engineAddress(settings);
	const name = engineName(engine, address);
	return { ...endpoint, label: name, engine: name, mayCharge: mayCharge(engine, address) };
}

/** Whether a server may charge for a video. */
export function mayCharge(engine: RemoteEngineKind, address: string): boolean {
	const host = URL.canParse(address) ? new URL(address).hostname : "";
	const isOwn = host.endsWith(".localhost") || isHouseHost(host);
	const { charges } = remoteEngines[engine];
	return charges === "always" || (charges === "unlessOwn" && !isOwn);
}

/** Storage for earlier choices: origins of engines, whose videos may still be in progress, and durations of a model. */
export interface EngineMemory {
	get(key: string): unknown;
	update(key: string, value: unknown): Thenable<void>;
}

const key = "cutaway.videoModelDurations";

const chosenSchema = z.object({ model: z.string(), durations: z.array(z.number()) });

/** Stores which model the durations in the settings belong to. */
export function rememberDurations(
	memory: EngineMemory,
	chosen: z.infer<typeof chosenSchema>,
): Thenable<void> {
	return memory.update(key, chosen);
}

/**
 * Returns the durations in seconds that the configured model supports; empty if unknown. Ignores durations stored for another model if only the
 * model's name was edited afterwards, but not those that the user entered.
 */
export function durationsInUse(
	settings: Pick<Settings, "get">,
	memory: Pick<EngineMemory, "get">,
): readonly number[] {
	const durations = settings.get("localService.video.durations");
	const { success, data } = z.safeParse(chosenSchema, memory.get(key));
	const isOfOther =
		success &&
		data.model !== settings.get("localService.video.model") &&
		data.durations.join(" ") === durations.join(" ");
	return isOfOther ? [] : durations;
}

/** Formats the price of several videos: “about $0.40”, or a range. */
export function priceOfVideos(price: VideoPrice, seconds: readonly number[]): string {
	const prices = seconds.map(length => priceOf(price, length));
	const min = formatDollars(prices.reduce((sum, [least]) => sum + least, 0));
	const max = formatDollars(prices.reduce((sum, [, most]) => sum + most, 0));
	return min === max ? l10n.t("about {0}", min) : l10n.t("{0} to {1}", min, max);
}

/** Formats a model's price, such as “$0.10 per second”. */
export function priceOfModel({ per, min, max }: VideoPrice): string {
	const amount =
		min === max ? formatDollars(min) : l10n.t("{0} to {1}", formatDollars(min), formatDollars(max));
	return per === "second" ? l10n.t("{0} per second", amount) : l10n.t("{0} per video", amount);
}
