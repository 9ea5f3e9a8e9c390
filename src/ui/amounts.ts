/** A time span as a screen reader says it: «7 seconds», «12 minutes», «3 hours». */
export function spokenElapsed(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	const [count, unit] =
		seconds < 60
			? [seconds, "second"]
			: seconds < 3600
				? [Math.floor(seconds / 60), "minute"]
				: [Math.floor(seconds / 3600), "hour"];
	return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** A size in bytes as a person reads it: «812 KB», «1.2 MB». */
export function formatSize(bytes: number): string {
	const units = ["KB", "MB", "GB"];
	let value = bytes / 1000;
	let unit = 0;
	while (value >= 1000 && unit < units.length - 1) {
		value /= 1000;
		unit += 1;
	}
	return bytes < 1000
		? `${bytes} bytes`
		: `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
