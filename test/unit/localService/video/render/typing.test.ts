import { beforeAll, expect, test } from "vitest";
import { ClipRenderer } from "../../../../../src/localService/video/render/clipRenderer.ts";
import { createScene } from "../../../../../src/localService/video/render/renderClip.ts";
import { packageAssets } from "../videoFixtures.ts";

let studio: ClipRenderer;

beforeAll(async () => {
	studio = await ClipRenderer.open(packageAssets);
});

/** Pixels of rows that are to be seen, side by side: how much is typed. */
const typed = (prompt: string, motionStrength: number, seconds: number): number =>
	createScene({ type: "text", prompt, duration: 2, motionStrength }, studio)
		.frameAt(seconds)
		.sprites.filter(({ region, opacity }) => (region?.x ?? 1) === 0 && opacity > 0)
		.reduce((sum, { region }) => sum + (region?.width ?? 0), 0);

const code = `\`\`\`js\n${"const total = items.length;\n".repeat(6)}\`\`\``;
const session = `\`\`\`console\n$ git status --short\n M a.txt\n$ git commit --all\n\`\`\``;

test("code is typed letter by letter over most of the clip with the most motion, and at once with less", () => {
	const end = typed(code, 4, 1.95);
	const lastBar = typed(code, 5, 1.95);
	expect(lastBar).toBe(end);
	expect(typed(code, 5, 1)).toBeLessThan(typed(code, 4, 1) * 0.85);
	expect(typed(code, 5, 1)).toBeLessThan(typed(code, 5, 1.1));
});

test("a session is typed and printed over the clip", () => {
	const amounts = [0.1, 0.6, 1.2, 1.95].map(seconds => typed(session, 3, seconds));
	expect(amounts).toEqual(amounts.toSorted((left, right) => left - right));
	expect(new Set(amounts).size).toBe(4);
});
