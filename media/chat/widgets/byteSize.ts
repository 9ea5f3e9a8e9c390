import * as l10n from "@vscode/l10n";
import { formatDecimal } from "../../../src/shared/locale.ts";

const units = [
	(amount: string) => l10n.t("{0} bytes", amount),
	(amount: string) => l10n.t("{0} KB", amount),
	(amount: string) => l10n.t("{0} MB", amount),
] as const;

const largest = (amount: string): string => l10n.t("{0} GB", amount);

/** Formats a size in multiples of 1024 bytes, with one decimal below 100. */
export function formatBytes(bytes: number): string {
	const power = Math.min(Math.floor(Math.log2(Math.max(1, bytes)) / 10), units.length);
	const value = bytes / 1024 ** power;
	const digits = power === 0 || value >= 100 ? 0 : 1;
	const amount = formatDecimal(value, digits);
	return power === 0 && bytes === 1
		? l10n.t("{0} byte", amount)
		: (units[power] ?? largest)(amount);
}
