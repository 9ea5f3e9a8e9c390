import { createScene } from "../../src/localService/video/render/renderClip.ts";
import { ClipRenderer } from "../../src/localService/video/render/clipRenderer.ts";
import { packageAssets, webpOf } from "../unit/localService/video/videoFixtures.ts";
import { escaped } from "./escaped.ts";

/** A clip to look at. */
export interface ClipPrompt {
	readonly name: string;
	readonly prompt: string;
	/** Seconds; 2 by default. */
	readonly duration?: number;
	/** 3 by default. */
	readonly motionStrength?: number;
}

/** Shares of a clip's length at which it is looked at. */
const shares = [0, 0.25, 0.5, 0.75, 1] as const;

/** Draws the clips of all prompts at five moments each, and resolves to one HTML page with the pictures in it. */
export async function drawClipSheet(
	prompts: readonly ClipPrompt[],
	onClip: (name: string) => void,
): Promise<string> {
	const renderer = await ClipRenderer.open(packageAssets);
	const sections = prompts.map(({ name, prompt, duration = 2, motionStrength = 3 }) => {
		onClip(name);
		const scene = createScene({ type: "text", prompt, duration, motionStrength }, renderer);
		const figures = shares.map(share => {
			const frame = renderer.shoot(scene.frameAt(Math.min(share * duration, duration - 1 / 24)));
			const data = Buffer.from(webpOf(frame)).toString("base64");
			const moment = `${share * 100} %`;
			return `<figure><img width="640" alt="${escaped(name)}, ${moment}" src="data:image/webp;base64,${data}"><figcaption>${moment}</figcaption></figure>`;
		});
		const facts = `${duration} s, motion ${motionStrength}`;
		return `<section><h2>${escaped(name)} <small>${facts}</small></h2><div>${figures.join("")}</div></section>`;
	});
	return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Contact sheet of clips</title>
<style>
body { margin: 16px; background: #333; color: #fff; font: 14px system-ui, sans-serif; }
div { display: flex; gap: 8px; } figure { margin: 0; } img { display: block; }
</style>
<h1>Contact sheet of clips</h1>
${sections.join("\n")}
</html>
`;
}
