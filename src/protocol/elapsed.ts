/** A time span as a clock shows it: «0:07», «12:40», «3:05:00»; from a day on «3 d 15 h». Less than nothing counts as nothing (fault J24). */
export function formatElapsed(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
	if (hours >= 24) {
		return `${Math.floor(hours / 24)} d ${hours % 24} h`;
	}
	const two = (value: number): string => String(value).padStart(2, "0");
	return hours > 0
		? `${hours}:${two(minutes)}:${two(seconds % 60)}`
		: `${minutes}:${two(seconds % 60)}`;
}
