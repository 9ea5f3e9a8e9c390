import * as l10n from "@vscode/l10n";
import { formatDecimal, locale } from "../../shared/locale.ts";

/** Formats a duration for screen readers, such as “7 seconds”, “12 minutes” or “3 hours”. */
export function spokenElapsed(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
	return seconds < 60
		? spokenAmount(seconds, "second")
		: seconds < 3600
			? spokenAmount(minutes, "minute")
			: spokenAmount(hours, "hour");
}

/** Formats an amount of a unit in words, such as “1 second”. */
export function spokenAmount(amount: number, unit: "second" | "minute" | "hour"): string {
	return new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "long" }).format(
		amount,
	);
}

/** Formats an amount of US dollars, such as “$0.40”. Small amounts keep their significant digits. */
export function formatDollars(amount: number): string {
	return amount.toLocaleString(locale(), {
		style: "currency",
		currency: "USD",
		maximumFractionDigits: amount < 0.1 ? 4 : 2,
	});
}

/** Formats a size in bytes, such as “812 KB” or “1.2 MB”. */
export function formatSize(bytes: number): string {
	if (bytes < 1000) {
		return l10n.t("{0} bytes", bytes);
	}
	const amount = (unit: number): string => formatDecimal(bytes / unit, bytes / unit < 10 ? 1 : 0);
	if (bytes < 1e6) {
		return l10n.t("{0} KB", amount(1e3));
	}
	return bytes < 1e9 ? l10n.t("{0} MB", amount(1e6)) : l10n.t("{0} GB", amount(1e9));
}
