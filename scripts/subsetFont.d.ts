declare module "subset-font" {
	/** Subsets a font by HarfBuzz; `text` holds the characters to keep, unless all glyphs are kept. */
	export default function subsetFont(
		font: Buffer,
		text: string | undefined,
		options: {
			readonly targetFormat: "truetype";
			readonly noHinting?: boolean;
			readonly dropTables?: readonly string[];
			readonly keepAllGlyphs?: boolean;
			readonly keepFeatures?: readonly string[];
		},
	): Promise<Buffer>;
}
