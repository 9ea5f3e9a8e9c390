import * as l10n from "@vscode/l10n";
import { formatDecimal, locale } from "../../shared/locale.ts";

/** Formats a duration for screen readers, such as “7 seconds”, “12 minutes” or “3 hours”. */
export function spokenElapsed(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
	if (seconds < 60) {
		return seconds === 1 ? l10n.t("1 second") : l10n.t("{0} seconds", seconds);
	}
	if (seconds < 3600) {
		return minutes === 1 ? l10n.t("1 minute") : l10n.t("{0} minutes", minutes);
	}
	return hours === 1 ? l10n.t("1 hour") : l10n.t("{0} hours", hours);
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
