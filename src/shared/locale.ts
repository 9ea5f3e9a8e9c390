import * as l10n from "@vscode/l10n";

/** The language tag of the words a user reads, for numbers and dates beside them; `en` when Cutaway does not speak theirs. */
export function locale(): string {
	return l10n.t({ message: "en", comment: "BCP 47 tag of the language of these strings" });
}

/** A whole number with its thousands apart, as the language writes it. */
export function formatCount(count: number): string {
	return new Intl.NumberFormat(locale()).format(count);
}

/** A number with so many digits behind the point, as the language writes it. */
export function formatDecimal(value: number, digits: number): string {
	return new Intl.NumberFormat(locale(), {
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
		useGrouping: false,
	}).format(value);
}
