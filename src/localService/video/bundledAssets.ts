import { fileURLToPath } from "node:url";
import type { VideoAssets } from "./assets.ts";

/** The alphabets into which the bundled fonts are split. Their characters don't overlap. */
export const fontAlphabets = ["latin", "latin-ext", "cyrillic", "greek", "vietnamese"] as const;

/** The rendering thread and its files, beside a bundle of the service. */
export interface BundledVideo {
	readonly workerFile: URL;
	readonly assets: VideoAssets;
}

/** Locates them from the URL of the running bundle, `import.meta.url`. */
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
