/** A text with every long piece of base64 replaced by its size, which is all that a reader gets from it. */
export function shortenData(text: string): string {
	return text.replaceAll(
		/[A-Za-z0-9+/]{400,}={0,2}/g,
		data => `[data, ${sizeWords(bytesOf(data))}]`,
	);
}

/** How many bytes a text in base64 encodes. */
export function bytesOf(base64: string): number {
	return Math.floor((base64.replaceAll(/[\s=]/g, "").length * 3) / 4);
}

/** A size as a model reads it, such as `75 KB`. */
export function sizeWords(bytes: number): string {
	return bytes < 1e6
		? `${Math.max(1, Math.round(bytes / 1e3))} KB`
		: `${(bytes / 1e6).toFixed(1)} MB`;
}
