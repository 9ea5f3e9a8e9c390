import * as z from "zod/mini";

/** A line of a proposed change, or a gap between two parts of a file. */
const changedLineSchema = z.strictObject({
	kind: z.enum(["same", "removed", "added", "gap"]),
	/** Counted from 1: in the current file for removed lines, otherwise in the changed file. */
	number: z.int(),
	text: z.string(),
});
export type ChangedLine = z.infer<typeof changedLineSchema>;

/** A replacement that the user can select, or a file that is created or deleted. */
const hunkViewSchema = z.strictObject({
	/** Index among all hunks of the call, from 0. Absent if it can't be deselected. */
	number: z.exactOptional(z.int()),
	title: z.string(),
	/** The file, as in the request's `files`. */
	file: z.string(),
	firstLine: z.int(),
	/** The changed lines with little context; only the first ones if there are many. */
	lines: z.array(changedLineSchema),
	/** The number of changed lines that `lines` omits. */
	left: z.int(),
});

const countsSchema = z.strictObject({ added: z.int(), removed: z.int() });

/** An approval request for a call. Invisible characters in its texts have been made visible. */
export const approvalViewSchema = z.strictObject({
	/** Issued by the host. Answers with another id are ignored. */
	requestId: z.string(),
	/** The real paths of the files concerned, without links. */
	files: z.array(z.string()),
	/** The requested URL, split around its host. Absent if there is none. */
	address: z.exactOptional(
		z.strictObject({ before: z.string(), host: z.string(), after: z.string() }),
	),
	warnings: z.array(z.string()),
	/** Whether “in this chat” is offered; never for sensitive files. */
	canRemember: z.boolean(),
	hunks: z.array(hunkViewSchema),
	/** Absent if no file changes. */
	counts: z.exactOptional(countsSchema),
	/** Arguments of an external tool, which the card's title names. */
	external: z.exactOptional(
		z.strictObject({
			argumentsText: z.string(),
			/** The tool's name in the editor, where the title is a guess from it. */
			wholeName: z.exactOptional(z.string()),
		}),
	),
	/** The video's prompt, and its length and aspect ratio as text. */
	clip: z.exactOptional(z.strictObject({ prompt: z.string(), facts: z.string() })),
});
export type ApprovalView = z.infer<typeof approvalViewSchema>;

/** A question of the model on the card of its call. Invisible characters in its texts have been made visible. */
const questionViewSchema = z.strictObject({
	/** Issued by the host. Answers with another id are ignored. */
	requestId: z.string(),
	text: z.string(),
	options: z.array(z.string()),
});
export type QuestionView = z.infer<typeof questionViewSchema>;

/** A tool call, as its card shows it. */
export const toolCardSchema = z.strictObject({
	/** Unique within its turn. */
	id: z.string(),
	/** The number of messages of its turn before the card. */
	after: z.int(),
	title: z.string(),
	/** Action and file, if the title alone isn't enough. */
	line: z.optional(z.string()),
	/** The lines of a file that it read or shows, counted from 1; a click opens them. The path is as the model wrote it. */
	lines: z.exactOptional(
		z.strictObject({
			path: z.string().check(z.minLength(1), z.maxLength(400)),
			first: z.int().check(z.minimum(1)),
			last: z.exactOptional(z.int().check(z.minimum(1))),
		}),
	),
	/** The tool's name as the model wrote it, shortened and with visible control characters. */
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
	/** The host's note about a call whose result was lost. */
	note: z.optional(z.string()),
	/** Run time in milliseconds, without waiting for approval. */
	durationMs: z.optional(z.int().check(z.minimum(0))),
	/** State of its change to files. Absent if it made none. */
	change: z.optional(z.enum(["applied", "appliedForGood", "undone"])),
	/** Absent if it made no change. */
	counts: z.exactOptional(countsSchema),
	approval: z.optional(approvalViewSchema),
	question: z.optional(questionViewSchema),
});
export type ToolCardView = z.infer<typeof toolCardSchema>;

/** Identifies a card by its turn. */
export const cardPlaceSchema = z.strictObject({
	turnId: z.string().check(z.maxLength(64)),
	cardId: z.string(),
});
export type CardLocation = z.infer<typeof cardPlaceSchema>;

/** A user's answer to a question of the model: an option, counted from 0, own text, both, or neither. */
export const questionAnswerSchema = z.strictObject({
	requestId: z.string().check(z.maxLength(64)),
	option: z.optional(z.int().check(z.minimum(0))),
	text: z.optional(z.string().check(z.minLength(1), z.maxLength(10_000))),
});
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;

/** Identifies a request by the id that the host issued. */
export type RequestLocation = Pick<ToolAnswer, "requestId">;

/** A user's answer to an approval request. */
export const toolAnswerSchema = z.strictObject({
	requestId: z.string().check(z.maxLength(64)),
	decision: z.enum(["allow", "deny"]),
	scope: z.enum(["once", "chat"]),
	/** “No, because…” */
	reason: z.string().check(z.maxLength(2000)),
	hunks: z.array(z.int().check(z.minimum(0))).check(z.maxLength(10_000)),
});
export type ToolAnswer = z.infer<typeof toolAnswerSchema>;
