/** Replaces long Base64 data in a text by its size, which is all that readers need. */
export function shortenData(text: string): string {
	return text.replaceAll(
		/[A-Za-z0-9+/]{400,}={0,2}/g,
		data => `[data, ${sizeWords(bytesOf(data))}]`,
	);
}

export function bytesOf(base64: string): number {
	return Math.floor((base64.replaceAll(/[\s=]/g, "").length * 3) / 4);
}

/** Formats a size for a model, such as `75 KB`. */
export function sizeWords(bytes: number): string {
	return bytes < 1e6
		? `${Math.max(1, Math.round(bytes / 1e3))} KB`
		: `${(bytes / 1e6).toFixed(1)} MB`;
}
