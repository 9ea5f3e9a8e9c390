/** How files of the kinds that are shown begin, as base64: the bytes decide what an image is, not what it says of itself. */
const beginnings: Readonly<Record<string, RegExp>> = {
	// 89 50 4E 47 0D 0A 1A 0A
	png: /^iVBORw0KGgo/,
	// FF D8 FF
	jpeg: /^\/9j\//,
	// GIF87a and GIF89a
	gif: /^R0lGOD(?:dh|lh)/,
	// RIFF, four bytes of size, WEBP
	webp: /^UklGR.{6}XRUJQ/,
};

/** The longest image that is shown, in characters of its base64 form: about 1 MB. */
const maxCharacters = 1_400_000;

/**
 * Whether an address is an image that holds itself: PNG, JPEG, GIF or WebP in base64. It is the one kind of image that is ever
 * shown, because it fetches nothing and so tells nobody anything (threat T16); SVG is a document and stays out.
 */
export function isDataImage(address: string): boolean {
	const match = /^data:image\/(png|jpeg|gif|webp);base64,/.exec(address);
	if (!match?.[1] || address.length > maxCharacters) {
		return false;
	}
	const bytes = address.slice(match[0].length);
	return (beginnings[match[1]]?.test(bytes) ?? false) && /^[A-Za-z0-9+/]+={0,2}$/.test(bytes);
}
