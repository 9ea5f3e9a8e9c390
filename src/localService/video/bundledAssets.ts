import { fileURLToPath } from "node:url";
import type { VideoAssets } from "./assets.ts";

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
			sans: path("DejaVuSans.ttf.br"),
			mono: path("DejaVuSansMono.ttf.br"),
		},
	};
}
