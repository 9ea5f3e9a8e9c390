import { fileURLToPath } from "node:url";
import type { VideoAssets } from "./assets.ts";

/** What of the fonts of clips is in a file of its own; each has letters that the others lack. */
export const fontAlphabets = ["latin", "latin-ext", "cyrillic", "greek", "vietnamese"] as const;

/** The rendering thread and its files as the build lays them beside a bundle of the service. */
export interface BundledVideo {
	readonly workerFile: URL;
	readonly assets: VideoAssets;
}

/** Finds them from the address of the running bundle, `import.meta.url`. */
export function bundledVideo(bundleUrl: string): BundledVideo {
	const path = (name: string): string => fileURLToPath(new URL(`./video/${name}`, bundleUrl));
	return {
		workerFile: new URL("./localVideo.js", bundleUrl),
		assets: {
			resvg: path("resvg.wasm"),
			webpDecoder: path("webpDecoder.wasm"),
			sans: fontAlphabets.map(alphabet => path(`Inter-${alphabet}.ttf.br`)),
			mono: fontAlphabets.map(alphabet => path(`JetBrainsMono-${alphabet}.ttf.br`)),
			otherSans: path("DejaVuSans.ttf.br"),
			otherMono: path("DejaVuSansMono.ttf.br"),
		},
	};
}
