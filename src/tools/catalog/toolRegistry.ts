import { codeTools } from "./codeTools.ts";
import { editTools } from "./editTools.ts";
import { lookTools } from "./lookTools.ts";
import { webTools } from "./webTools.ts";
import { type Tool, defineTool } from "../tool/tool.ts";
import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { maxPromptCharacters } from "../../common/videoEngines.ts";
import { oneLine } from "./resultText.ts";

const askUser = defineTool({
	name: "ask_user",
	get title() {
		return l10n.t("Ask a question");
	},
	description:
		"Asks the user a question in the chat and returns the answer. Give options to choose from, or none for free text. Use it when only the user can know.",
	effect: "question",
	schema: z.strictObject({
		question: z.string().check(z.minLength(1), z.maxLength(1000)),
		options: z.optional(
			z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(10)),
		),
	}),
	plan: ({ question, options }) => ({
		summary: l10n.t("Ask: {0}", oneLine(question)),
		run: async ({ editor, callId, signal }) => {
			const answer = await editor.ask({ callId, text: question, options: options ?? [] }, signal);
			return answer === undefined ? "The user did not answer." : `The user answered: ${answer}`;
		},
	}),
});

const generateVideo = defineTool({
	name: "generate_video",
	get title() {
		return l10n.t("Generate a video");
	},
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
			summary: l10n.t("Generate a video: {0}", oneLine(prompt)),
			warnings: cost === undefined ? [] : [cost],
			clip: { prompt, seconds: duration },
			run: async ({ editor, signal, askedBelow }) => {
				const request = { prompt, duration, motionStrength, askedBelow };
				const id = await editor.generateVideo(request, signal);
				return `The video is being made; its id is ${id}.`;
			},
		};
	},
});

/** The tools that involve the user. */
const userTools: readonly Tool[] = [askUser, generateVideo];

/** Tools that are most useful for a model with a small context, which gets only the first ones. Others follow. */
const mostNeeded = [
	// Offered only if the user enabled it.
	"browsing",
	...["get_selection", "read_file", "search_text", "apply_edit", "list_files"],
	...["get_active_file", "replace_selection", "get_problems", "create_file", "insert_at_cursor"],
];

function byNeed(tools: readonly Tool[]): readonly Tool[] {
	const place = ({ name }: Tool): number => (mostNeeded.indexOf(name) + 1 || Infinity) - 1;
	return tools.toSorted((one, other) =>
		place(one) < place(other) ? -1 : Number(place(one) > place(other)),
	);
}

/** All tools by exact name. None of Cutaway's runs a terminal or an editor command. */
export class ToolRegistry {
	/** Cutaway's own tools. */
	readonly tools: readonly Tool[];
	private readonly external: () => readonly Tool[];
	private readonly byName: ReadonlyMap<string, Tool>;

	/** Throws `RangeError` if two tools share a name. `external` lists external tools; those with the name of an own tool are ignored. */
	constructor(
		tools: readonly Tool[] = byNeed([
			...lookTools,
			...codeTools,
			...editTools,
			...userTools,
			...webTools,
		]),
		external: () => readonly Tool[] = () => [],
	) {
		this.tools = tools;
		this.external = external;
		this.byName = new Map(tools.map(tool => [tool.name, tool]));
		if (this.byName.size < tools.length) {
			throw new RangeError("Two tools have the same name");
		}
	}

	/** Returns Cutaway's tools, then the current external ones. */
	all(): readonly Tool[] {
		return [...this.tools, ...this.external().filter(({ name }) => !this.isOwn(name))];
	}

	isOwn(name: string): boolean {
		return this.byName.has(name);
	}

	/** Returns the tool with exactly this name. */
	find(name: string): Tool | undefined {
		return this.byName.get(name) ?? this.external().find(tool => tool.name === name);
	}
}
