const units = ["bytes", "KB", "MB", "GB"] as const;

/** A size in bytes as a person reads it: three significant digits, multiples of 1024. */
export function formatBytes(bytes: number): string {
	const power = Math.min(Math.floor(Math.log2(Math.max(1, bytes)) / 10), units.length - 1);
	const value = bytes / 1024 ** power;
	const digits = power === 0 || value >= 100 ? 0 : 1;
	const unit = power === 0 && bytes === 1 ? "byte" : units[power];
	return `${value.toFixed(digits)} ${unit}`;
}
