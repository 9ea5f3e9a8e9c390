import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { maxPromptCharacters } from "../../common/videoEngines.ts";
import { oneLine } from "../../common/shortText.ts";
import { defineTool } from "../contract/tool.ts";

export const generateVideo = defineTool({
	name: "generate_video",
	title: () => l10n.t("Make a video"),
	description:
		"Proposes a short video made from a text prompt. It may cost money, so the user is always asked. Returns the id of the job; the editor shows its progress.",
	effect: "paid",
	schema: z.strictObject({
		prompt: z.string().check(
			z.minLength(1),
			z.maxLength(maxPromptCharacters * 2),
			z.refine(prompt => [...prompt].length <= maxPromptCharacters, {
				error: `must have at most ${maxPromptCharacters} characters`,
			}),
			z.describe(`What the video shows, at most ${maxPromptCharacters} characters.`),
		),
		duration: z.optional(
			z.int().check(z.minimum(1), z.maximum(4), z.describe("Length in seconds, 1 to 4.")),
		),
		motion_strength: z.optional(
			z.int().check(z.minimum(1), z.maximum(5), z.describe("Amount of motion, 1 to 5.")),
		),
	}),
	plan: async ({ prompt, duration, motion_strength: motionStrength }, _, { editor: place }) => {
		const cost = await place.videoCost(duration);
		return {
			summary: l10n.t("Make a video: {0}", oneLine(prompt)),
			warnings: cost === undefined ? [] : [cost],
			clip: { prompt, seconds: duration, shape: place.videoShape() },
			run: async ({ editor, signal, askedBelow }) => {
				const request = { prompt, duration, motionStrength, askedBelow };
				const id = await editor.generateVideo(request, signal);
				return `The video is being made; its id is ${id}.`;
			},
		};
	},
});
