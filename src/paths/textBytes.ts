/** The number of characters that VS Code examines to detect UTF-16 without a byte order mark. */
const lookedAt = 256;

/** Whether bytes start as ASCII text in UTF-16 without a byte order mark, the only such text that VS Code detects. */
export function isUnmarkedUtf16(bytes: Uint8Array): boolean {
	const head = Buffer.from(bytes.subarray(0, lookedAt * 2));
	const even = head.subarray(0, head.length & ~1);
	const isText = (text: string): boolean => /^[\t\n\r\x20-\x7E]+$/.test(text);
	return isText(even.toString("utf16le")) || isText(Buffer.from(even).swap16().toString("utf16le"));
}
