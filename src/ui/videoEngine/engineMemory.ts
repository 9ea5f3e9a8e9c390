import * as z from "zod/mini";
import type { Settings } from "../base/settings.ts";
import * as l10n from "@vscode/l10n";
import { priceOf, type VideoPrice } from "../../common/videoEngines.ts";
import { formatDollars } from "../base/amounts.ts";

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
