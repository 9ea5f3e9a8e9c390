import * as l10n from "@vscode/l10n";

/** Returns the language tag of the user interface, for formatting numbers and dates; `en` if Cutaway isn't translated to the user's language. */
export function locale(): string {
	return l10n.t({ message: "en", comment: "BCP 47 tag of the language of these strings" });
}

/** Formats an integer with thousands separators of the language. */
export function formatCount(count: number): string {
	return new Intl.NumberFormat(locale()).format(count);
}

/** Formats a number with a fixed number of decimals. */
export function formatDecimal(value: number, digits: number): string {
	return new Intl.NumberFormat(locale(), {
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
		useGrouping: false,
	}).format(value);
}

/** Formats a duration like “0:07”, “12:40” or “3:05:00”; from one day on like “3 d 15 h”. Treats negative durations as 0. */
export function formatElapsed(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
	if (hours >= 24) {
		return l10n.t("{0} d {1} h", Math.floor(hours / 24), hours % 24);
	}
	const two = (value: number): string => String(value).padStart(2, "0");
	return hours > 0
		? `${hours}:${two(minutes)}:${two(seconds % 60)}`
		: `${minutes}:${two(seconds % 60)}`;
}
