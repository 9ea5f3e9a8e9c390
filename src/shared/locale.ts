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
