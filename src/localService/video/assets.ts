import * as z from "zod/mini";

const file = z.string().check(z.minLength(1));

/** The files needed for drawing, as absolute paths. Files that end in `.br` are compressed with Brotli. */
export const videoAssetsSchema = z.object({
	/** `@resvg/resvg-wasm`: draws SVG. */
	resvg: file,
	/** `@jsquash/webp`: decodes WebP images. */
	webpDecoder: file,
	/** Inter, one file per alphabet: the font of prose and titles. */
	sans: z.array(file),
	/** JetBrains Mono, one file per alphabet: the font of code if the editor's is unavailable. */
	mono: z.array(file),
	/** DejaVu Sans and DejaVu Sans Mono, for characters missing in the fonts above. */
	otherSans: file,
	otherMono: file,
});
export type VideoAssets = z.infer<typeof videoAssetsSchema>;
