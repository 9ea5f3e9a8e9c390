import { clipShapes, type FrameShape } from "../../src/common/clipLooks.ts";
import { createScene } from "../../src/localService/video/render/renderClip.ts";
import { ClipRenderer } from "../../src/localService/video/render/clipRenderer.ts";
import { packageAssets, webpOf } from "../unit/localService/video/videoFixtures.ts";
import { clipThemes } from "./clipThemes.ts";
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

/** A dark theme and a light one. */
const themes = ["Dark Modern", "Light Modern"] as const;

/** Height of the pictures of each shape on the page, in pixels. */
const heights: Readonly<Record<FrameShape, number>> = { "16:9": 270, "1:1": 360, "9:16": 480 };

/** Draws the clips of all prompts in every shape and in two themes at five moments each, and resolves to one HTML page with the pictures in it. */
export async function drawClipSheet(
	prompts: readonly ClipPrompt[],
	onClip: (name: string) => void,
): Promise<string> {
	const renderer = await ClipRenderer.open(packageAssets);
	const sections = prompts.map(clip => {
		const { name, duration = 2, motionStrength = 3 } = clip;
		onClip(name);
		const rows = themes.flatMap(theme =>
			clipShapes.map(shape => `<div>${drawRow(clip, shape, theme, renderer).join("")}</div>`),
		);
		const facts = `${duration} s, motion ${motionStrength}`;
		return `<section><h2>${escaped(name)} <small>${facts}</small></h2>${rows.join("\n")}</section>`;
	});
	return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Contact sheet of clips</title>
<style>
body { margin: 16px; background: #333; color: #fff; font: 14px system-ui, sans-serif; }
section { content-visibility: auto; contain-intrinsic-size: auto 2400px; }
div { display: flex; gap: 8px; margin-bottom: 8px; } figure { margin: 0; } img { display: block; }
</style>
<h1>Contact sheet of clips</h1>
${sections.join("\n")}
</html>
`;
}

function drawRow(
	{ name, prompt, duration = 2, motionStrength = 3 }: ClipPrompt,
	shape: FrameShape,
	theme: (typeof themes)[number],
	renderer: ClipRenderer,
): readonly string[] {
	const looks = { shape, tabSize: 4, theme: clipThemes[theme] };
	const scene = createScene({ type: "text", prompt, duration, motionStrength, looks }, renderer);
	return shares.map(share => {
		const seconds = Math.min(share * duration, duration - 1 / 24);
		const frame = renderer.shoot(scene.frameAt(seconds), scene.ground());
		const data = Buffer.from(webpOf(frame)).toString("base64");
		const facts = `${shape}, ${theme}, ${share * 100} %`;
		return `<figure><img height="${heights[shape]}" alt="${escaped(name)}, ${facts}" src="data:image/webp;base64,${data}"><figcaption>${facts}</figcaption></figure>`;
	});
}
