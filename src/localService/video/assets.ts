import * as z from "zod/mini";

const file = z.string().check(z.minLength(1));

/** The files that drawing needs beside its code, as absolute paths; one that ends in `.br` is packed with Brotli. */
export const videoAssetsSchema = z.object({
	/** `@resvg/resvg-wasm`: draws SVG. */
	resvg: file,
	/** `@jsquash/webp`: reads WebP images. */
	webpDecoder: file,
	/** Inter, an alphabet in each: the font of prose and titles. */
	sans: z.array(file),
	/** JetBrains Mono, an alphabet in each: the font of code where the editor's is not known. */
	mono: z.array(file),
	/** DejaVu Sans and DejaVu Sans Mono, for letters that these lack. */
	otherSans: file,
	otherMono: file,
});
export type VideoAssets = z.infer<typeof videoAssetsSchema>;
