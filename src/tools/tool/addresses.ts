/** How far an address is read; what differs only behind that counts as the same. */
const tail = String.raw`[^\s"'<>)\]}]{0,4096}`;

/** A slash, one escaped as in JSON and scripts, or a backslash, which browsers take for a slash. */
const slash = String.raw`(?:\\?\/|\\)`;

/** With a scheme: browsers take `https:/host`, `https:\host` and `https:host.example` for `https://host`. */
const withScheme = String.raw`\b(?:https?|wss?|ftp|git|ssh):(?:${slash}{1,8}[\p{L}\p{N}[%@_]|[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}])${tail}`;

/** `//host` where an address may be. Behind a space it needs a path, or every comment would count as one. */
const withoutScheme = [
	String.raw`(?<=["'\x60(=])(?:${slash}{0,7}\/${slash}{0,7}(?<=[\\/]{2})|\\\\(?=[\p{L}\p{N}.-]+[\\/]))[\p{L}\p{N}[]${tail}`,
	String.raw`(?<=^|[\s,:])(?:\\?\/){2}[\p{L}\p{N}.-]{1,253}(?::\d{1,5})?\\?\/${tail}`,
];

const address = new RegExp([withScheme, ...withoutScheme].join("|"), "gimu");

/** The network addresses in a text, in every spelling a browser or an editor would follow. */
export function addressesIn(text: string): string[] {
	return text.match(address) ?? [];
}
