import * as l10n from "@vscode/l10n";
import { type Clock, delay } from "../../common/async.ts";
import {
	defaultMotionPhrases,
	engineName,
	motionPhrase,
	remoteEngines,
	secondsToAsk,
	usualSeconds,
	type VideoEngineOffer,
	type VideoEngineSetup,
	type VideoModelListing,
	type VideoPrice,
} from "../../common/videoEngines.ts";
import type { Settings } from "../base/settings.ts";
import {
	engineAddress,
	mayCharge,
	priceOfVideos,
	durationsInUse,
	type EngineMemory,
} from "./videoSetup.ts";

export interface EngineOffersDependencies {
	readonly settings: Settings;
	readonly setup: () => Promise<VideoEngineSetup>;
	readonly listVideoModels: (setup: VideoEngineSetup) => Promise<VideoModelListing>;
	/** Stores which model the durations in the settings belong to. */
	readonly memory: Pick<EngineMemory, "get">;
	readonly clock: Clock;
}

/** How long a price is valid, in milliseconds. */
const priceLifetimeMs = 10 * 60_000;
const priceWaitMs = 5_000;

/** Creates the offers of the configured engine, and caches its prices. */
export class EngineOffers {
	private readonly dependencies: EngineOffersDependencies;
	private listed:
		| { readonly key: string; readonly at: number; readonly price: VideoPrice | undefined }
		| undefined;

	constructor(dependencies: EngineOffersDependencies) {
		this.dependencies = dependencies;
	}

	/** Returns the offer of the current engine; undefined for the local renderer. */
	current(): VideoEngineOffer | undefined {
		const { settings, memory } = this.dependencies;
		const engine = settings.get("localService.video.engine");
		if (engine === "local") {
			return undefined;
		}
		const address = engineAddress(settings);
		const model = settings.get("localService.video.model");
		const phrases = (): readonly string[] => settings.get("localService.video.motionPhrases");
		return {
			name: [engineName(engine, address), model].filter(part => part !== "").join(" · "),
			mayCharge: mayCharge(engine, address),
			seconds: duration => secondsToAsk(duration, durationsInUse(settings, memory)),
			phrase: strength => motionPhrase(strength, phrases()),
			setPhrase: async (strength, phrase) => {
				const words = defaultMotionPhrases.map((_, index) => motionPhrase(index + 1, phrases()));
				const changed = words.map((word, index) => (index + 1 === strength ? phrase : word));
				await settings.set("localService.video.motionPhrases", changed);
			},
			price: remoteEngines[engine].listsPrices
				? this.priceWords(`${address} ${model}`, model)
				: nothing,
		};
	}

	private async priceWords(key: string, model: string): VideoEngineOffer["price"] {
		const price = await Promise.race([this.price(key, model), this.tooLong()]);
		return price && ((...seconds) => priceOfVideos(price, seconds));
	}

	private async price(key: string, model: string): Promise<VideoPrice | undefined> {
		const { clock, setup, listVideoModels } = this.dependencies;
		if (this.listed?.key === key && clock.now() - this.listed.at < priceLifetimeMs) {
			return this.listed.price;
		}
		try {
			const { models, failure } = await listVideoModels(await setup());
			const price = models.find(({ id }) => id === model)?.price;
			if (failure === undefined) {
				this.listed = { key, at: clock.now(), price };
			}
			return price;
		} catch {
			// If the local service doesn't run, generating the video reports it.
			return undefined;
		}
	}

	private async tooLong(): Promise<undefined> {
		await delay(priceWaitMs, undefined, this.dependencies.clock);
	}
}

/**
 * Returns what a video costs at a service of this kind, or that it may cost something, as a sentence; undefined if it is free. `seconds` defaults to
 * the usual duration.
 */
export async function costOf(
	kind: "local" | "remote" | "invalid",
	offer: VideoEngineOffer | undefined,
	seconds: number = usualSeconds,
): Promise<string | undefined> {
	if (offer ? !offer.mayCharge : kind === "local") {
		return undefined;
	}
	const price = await offer?.price;
	return offer && price
		? l10n.t("{1} reports a price of {0}.", price(offer.seconds(seconds)), offer.name)
		: l10n.t("This may cost money.");
}

const nothing = Promise.resolve(undefined);
