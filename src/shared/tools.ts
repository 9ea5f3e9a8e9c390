import * as z from "zod/mini";

/** A line of a proposed change as a card shows it, or a gap between two places of one file. */
const changedLineSchema = z.strictObject({
	kind: z.enum(["same", "removed", "added", "gap"]),
	/** Counted from 1: in the file as it is for a line that goes, else in the file as it would be. */
	number: z.int(),
	text: z.string(),
});
export type ChangedLine = z.infer<typeof changedLineSchema>;

/** One replacement of a proposed edit, as a user chooses it, or a file that comes or goes as a whole. */
const hunkViewSchema = z.strictObject({
	/** Counted through all files of the call, from 0; left out of what can't be left out of the change. */
	number: z.exactOptional(z.int()),
	/** File and line. */
	title: z.string(),
	/** The file alone, as it is among the files of the request. */
	file: z.string(),
	/** The number of its first line in the file as it is. */
	firstLine: z.int(),
	/** The lines that change, with little around them; the first of them where there are many. */
	lines: z.array(changedLineSchema),
	/** How many more lines change than `lines` holds. */
	left: z.int(),
});

/** Question to the user before a call runs. Every text in it has its hidden characters made visible (T30). */
export const approvalViewSchema = z.strictObject({
	/** Made by the host; an answer with any other is of no use. */
	requestId: z.string(),
	/** The files concerned, where they really are. */
	files: z.array(z.string()),
	/** The whole address that is asked, in parts, of which `host` says who gets it; left out where none is. */
	address: z.exactOptional(
		z.strictObject({ before: z.string(), host: z.string(), after: z.string() }),
	),
	warnings: z.array(z.string()),
	/** Whether «in this chat» is offered; never for a sensitive file. */
	canRemember: z.boolean(),
	hunks: z.array(hunkViewSchema),
	/** How many lines come and go in all; left out of requests that change no file. */
	counts: z.exactOptional(z.strictObject({ added: z.int(), removed: z.int() })),
	/** The tool of somebody else that would be called, and all it would be called with. */
	external: z.exactOptional(
		z.strictObject({ server: z.string(), tool: z.string(), argumentsText: z.string() }),
	),
	/** What a video would show, and its length and shape in words. */
	clip: z.exactOptional(z.strictObject({ prompt: z.string(), facts: z.string() })),
});
export type ApprovalView = z.infer<typeof approvalViewSchema>;

/** Question of the model on the card of its call. Every text in it has its hidden characters made visible (T30). */
const questionViewSchema = z.strictObject({
	/** Made by the host; an answer with any other is of no use. */
	requestId: z.string(),
	text: z.string(),
	options: z.array(z.string()),
});
export type QuestionView = z.infer<typeof questionViewSchema>;

/** One call of a tool, as its card shows it. */
export const toolCardSchema = z.strictObject({
	/** Of this card alone within its turn. */
	id: z.string(),
	/** The card is behind this many messages of its turn. */
	after: z.int(),
	/** Description, in our words. */
	title: z.string(),
	/** Action and file, where the title alone does not say it. */
	line: z.optional(z.string()),
	/** The lines of a file that it read or shows, counted from 1; a click opens them. The path is as the model gave it. */
	lines: z.exactOptional(
		z.strictObject({
			path: z.string().check(z.minLength(1), z.maxLength(400)),
			first: z.int().check(z.minimum(1)),
			last: z.exactOptional(z.int().check(z.minimum(1))),
		}),
	),
	/** The tool's name as the model gave it, made visible and short. */
	name: z.string(),
	argumentsText: z.string(),
	state: z.enum([
		"waiting",
		"asking",
		"running",
		"done",
		"denied",
		"invalid",
		"refused",
		"missing",
		"failed",
		"cancelled",
		"notApproved",
		"stopped",
	]),
	result: z.optional(z.string()),
	/** Why it failed or was denied, in one line. */
	reason: z.optional(z.string()),
	/** Sentence of the host about a call whose result was lost. */
	note: z.optional(z.string()),
	/** How long it ran, in milliseconds; waiting for an approval does not count. */
	durationMs: z.optional(z.int().check(z.minimum(0))),
	/** State of the change it made to files; left out of calls that made none. */
	change: z.optional(z.enum(["applied", "appliedForGood", "undone"])),
	approval: z.optional(approvalViewSchema),
	question: z.optional(questionViewSchema),
});
export type ToolCardView = z.infer<typeof toolCardSchema>;

/** A card, by the turn it is in. */
export const cardPlaceSchema = z.strictObject({
	turnId: z.string().check(z.maxLength(64)),
	cardId: z.string(),
});
export type CardLocation = z.infer<typeof cardPlaceSchema>;

/** A user's answer to a question of the model: one of its options, counted from 0, words of their own, both, or none. */
export const questionAnswerSchema = z.strictObject({
	requestId: z.string().check(z.maxLength(64)),
	option: z.optional(z.int().check(z.minimum(0))),
	text: z.optional(z.string().check(z.minLength(1), z.maxLength(10_000))),
});
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;

/** A request by the id that the host gave it. */
export type RequestLocation = Pick<ToolAnswer, "requestId">;

/** A user's answer to a request; the host knows the rest. */
export const toolAnswerSchema = z.strictObject({
	requestId: z.string().check(z.maxLength(64)),
	decision: z.enum(["allow", "deny"]),
	scope: z.enum(["once", "chat"]),
	/** «No, because…» */
	reason: z.string().check(z.maxLength(2000)),
	/** The hunks taken, of a request that has any. */
	hunks: z.array(z.int().check(z.minimum(0))).check(z.maxLength(10_000)),
});
export type ToolAnswer = z.infer<typeof toolAnswerSchema>;
