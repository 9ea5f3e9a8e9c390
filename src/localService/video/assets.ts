import * as z from "zod/mini";

const file = z.string().check(z.minLength(1));

/** The files that drawing needs beside its code, as absolute paths; one that ends in `.br` is packed with Brotli. */
export const videoAssetsSchema = z.object({
	/** `@resvg/resvg-wasm`: draws SVG. */
	resvg: file,
	/** `@jsquash/webp`: reads WebP images. */
	webpDecoder: file,
	/** DejaVu Sans. */
	sans: file,
	/** DejaVu Sans Mono. */
	mono: file,
});
export type VideoAssets = z.infer<typeof videoAssetsSchema>;
