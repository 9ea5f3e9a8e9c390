import * as l10n from "@vscode/l10n";
import { priceOf, type VideoPrice } from "../../common/videoEngines.ts";
import { formatDollars } from "../base/amounts.ts";

/** The price of videos of so many seconds together: «about $0.40», or from the lowest to the highest. */
export function priceOfVideos(price: VideoPrice, seconds: readonly number[]): string {
	const prices = seconds.map(length => priceOf(price, length));
	const min = formatDollars(prices.reduce((sum, [least]) => sum + least, 0));
	const max = formatDollars(prices.reduce((sum, [, most]) => sum + most, 0));
	return min === max ? l10n.t("about {0}", min) : l10n.t("{0} to {1}", min, max);
}

/** The price of a model: «$0.10 per second». */
export function priceOfModel({ per, min, max }: VideoPrice): string {
	const amount =
		min === max ? formatDollars(min) : l10n.t("{0} to {1}", formatDollars(min), formatDollars(max));
	return per === "second" ? l10n.t("{0} per second", amount) : l10n.t("{0} per video", amount);
}
