import * as z from "zod/mini";
import { attachmentRequests, attachmentsViewSchema, sentAttachmentSchema } from "./attachments.ts";
import { pageMemoryRequests, pulsePushes, pulseRequests } from "./pulse.ts";
import { queueRequests, queueViewSchema, typedAddressesSchema } from "./queue.ts";
import { chatSettingsRequests, slashRequests } from "./slash.ts";
import { command, nothing, type RequestTable } from "./rpc.ts";
import {
	cardPlaceSchema,
	questionAnswerSchema,
	toolAnswerSchema,
	toolCardSchema,
} from "./tools.ts";
import { videoActionSchema, maxCardClipBytes, videoCardSchema } from "./videoCard.ts";

/** A code block of an answer. `info` is its info string, which may contain a path. */
const codeBlock = z.strictObject({
	turnId: z.string().check(z.maxLength(64)),
	text: z.string().check(z.minLength(1), z.maxLength(1_000_000)),
	info: z.string().check(z.maxLength(200)),
});

const maxNamedPaths = 64;

/** The longest path, in characters. */
export const maxNamedPath = 400;

const path = z.string().check(z.minLength(1), z.maxLength(maxNamedPath));
const line = z.optional(z.int().check(z.minimum(1), z.maximum(10_000_000)));

/** Actions on the code blocks of answers, and on files that answers name. */
const codeRequests = {
	/** Finds the workspace files for paths in an answer. Returns a label for each, or null if there is no file. */
	nameFiles: {
		params: z.strictObject({ paths: z.array(path).check(z.maxLength(maxNamedPaths)) }),
		result: z.strictObject({ labels: z.array(z.nullable(z.string())) }),
	},
	/** Opens a workspace file, by its label, at a line. */
	openFile: command({ label: path, line, endLine: line }),
	copyCode: command({ text: z.string() }),
	insertCode: command({ text: z.string().check(z.minLength(1), z.maxLength(1_000_000)) }),
	/** Proposes code from an answer as a change of the file it names, or of the open file, on a card. */
	applyCode: { params: codeBlock, result: nothing },
	/** Shows the findings of a question's answer as comments in the editor. */
	showFindings: command({ turnId: z.string().check(z.maxLength(64)) }),
	/** Asks for a path and proposes a new file with code from an answer. */
	createFileFromCode: { params: codeBlock, result: nothing },
} as const;

/** Actions on the banner. `useHere` takes the chat from another window, `restore` undoes a deletion. */
export const bannerActionSchema = z.enum(["useHere", "restore"]);
export type BannerAction = z.infer<typeof bannerActionSchema>;

/** A notice above the composer, for example that history can't be saved. */
export const bannerSchema = z.strictObject({
	kind: z.enum(["info", "warning"]),
	text: z.string(),
	action: z.optional(bannerActionSchema),
	/** Why the chat is read-only; replaces the composer's placeholder. */
	readOnly: z.optional(z.string()),
});
export type Banner = z.infer<typeof bannerSchema>;

export const bannerRequests = { runBannerAction: command({ action: bannerActionSchema }) } as const;

/**
 * State of a turn, by the name shown to the user (docs/faults.md). `notSent` means that nothing was sent; `chargeUnknown` that the service may have
 * processed the request although no answer arrived.
 */
export const turnStateSchema = z.enum([
	"streaming",
	"complete",
	"stopped",
	"interrupted",
	"endedEarly",
	"partlyUnreadable",
	"empty",
	"refused",
	"notSent",
	"chargeUnknown",
]);
export type TurnState = z.infer<typeof turnStateSchema>;

/** Actions on a turn that didn't simply complete, shown as buttons. */
export const turnActionSchema = z.enum([
	/** Label: Try again. Repeats a request that wasn't sent or charged. */
	"tryAgain",
	/** Label: Continue. Continues an answer that was cut off. */
	"continue",
	/** May be charged. */
	"sendAgain",
	/** Label: Show the error. Repeats the request without streaming; may be charged. docs/interface.md. */
	"showError",
	"setApiKey",
	"chooseModel",
	/** Label: Change Address… */
	"connect",
	"useLocalService",
	/** Label: Edit and resend. Puts the text back into the composer. */
	"edit",
	/** Label: Summarize and Go On. Requests a summary and starts a new chat with it. */
	"summarizeChat",
	"showLog",
]);
export type TurnAction = z.infer<typeof turnActionSchema>;

/** State of a turn. `sentence` explains what happened, what was kept and what to do next. */
export const turnStatusSchema = z.strictObject({
	state: turnStateSchema,
	sentence: z.optional(z.string()),
	/** Message of the service, or of a model server that it names; shown separately as plain text. */
	serviceMessage: z.optional(z.string()),
	isFromModelServer: z.optional(z.boolean()),
	/** Notice while streaming, such as “Still waiting…” or a countdown. */
	notice: z.optional(z.string()),
	/** Id of the question about Python's packages that `notice` asks. */
	packages: z.optional(z.string()),
	/** The number of findings of a finished review. */
	findings: z.exactOptional(z.int()),
	actions: z.array(turnActionSchema),
});
export type TurnStatus = z.infer<typeof turnStatusSchema>;

/** A message of an answer. `text` is unprocessed Markdown. */
export const messageViewSchema = z.strictObject({
	index: z.int(),
	role: z.string(),
	text: z.string(),
	isFinished: z.boolean(),
	/** What its tool calls do, in a few words each. */
	toolNames: z.array(z.string()),
});
export type MessageView = z.infer<typeof messageViewSchema>;

/** Thinking of a model: plain text, collapsed to its label. */
export const thoughtViewSchema = z.strictObject({
	/** The number of messages before it. */
	after: z.int(),
	text: z.string(),
	/** “Thinking…”, or the duration. */
	label: z.string(),
	isOver: z.boolean(),
});
export type ThoughtView = z.infer<typeof thoughtViewSchema>;

/** What a model was asked without, in a line. */
export const noteViewSchema = z.strictObject({
	text: z.string(),
	/** Details that the line expands to, if any. */
	more: z.optional(z.string()),
});
export type NoteView = z.infer<typeof noteViewSchema>;

/** A question and its answer. */
export const turnViewSchema = z.strictObject({
	id: z.string(),
	prompt: z.string(),
	/** The characters of the prompt before a part that is folded. Absent if all of it shows. */
	shownLength: z.exactOptional(z.int()),
	attachments: z.array(sentAttachmentSchema),
	model: z.string(),
	/** Set if the demo answered instead of a model. */
	isDemo: z.optional(z.literal(true)),
	/** Milliseconds since 1970. */
	createdAt: z.number(),
	messages: z.array(messageViewSchema),
	tools: z.optional(z.array(toolCardSchema)),
	thoughts: z.optional(z.array(thoughtViewSchema)),
	/** Reported tokens of the answer, as text, and the instructions sent for it. */
	usage: z.optional(z.string()),
	/** What the model was asked without, unless the chat shows it already. */
	notes: z.optional(z.array(noteViewSchema)),
	status: turnStatusSchema,
	/** Videos of the question, in the order they were started. */
	videos: z.array(videoCardSchema),
	/** Version number of the question, counted from 1. Absent if there is only one. */
	version: z.optional(z.strictObject({ number: z.int(), count: z.int() })),
});
export type TurnView = z.infer<typeof turnViewSchema>;

/** The service in use, as shown. Never contains the key. */
export const connectionViewSchema = z.strictObject({
	kind: z.enum(["local", "remote", "invalid"]),
	/** “Demo”, the host of the endpoint, or that its address is invalid. */
	label: z.string(),
	hasKey: z.boolean(),
});
export type ConnectionView = z.infer<typeof connectionViewSchema>;

/** Options of the next question. */
export const composerViewSchema = z.strictObject({
	model: z.string(),
	models: z.array(z.string()),
	/** Whether the model can use server tools, because its id contains `tools` (docs/interface.md §4.4). */
	canUseServerTools: z.boolean(),
	codeInterpreter: z.boolean(),
	browsing: z.boolean(),
	/** Set if the local service's demo answers, because no model is selected. */
	isDemo: z.optional(z.literal(true)),
	/** Models that could replace the demo. Absent once the user has chosen. */
	search: z.optional(
		z.strictObject({
			isLooking: z.boolean(),
			heading: z.string(),
			/** Best first. `detail` describes a model in one line. */
			found: z.array(z.strictObject({ id: z.string(), name: z.string(), detail: z.string() })),
			/** The simplest way to get a model if none was found, or the end of its download with the id `cancel`. */
			way: z.optional(z.strictObject({ id: z.string(), label: z.string(), detail: z.string() })),
			/** The way to a model for users with a key, beside another way. */
			key: z.optional(z.strictObject({ id: z.string(), label: z.string() })),
		}),
	),
	/** Suggestions in an empty chat, run by one click. Without a model, those that need none, which are also below a demo answer that it can't give. */
	suggestions: z.optional(
		z.array(
			z.strictObject({
				id: z.enum(["explain", "review", "tests", "clip", "help", "sampleEdit", "python"]),
				label: z.string(),
			}),
		),
	),
	/** The project's instructions, sent with every message unless disabled for the chat. Absent if there are none. */
	instructions: z.optional(
		z.strictObject({
			names: z.array(z.string()),
			/** Total size in bytes. */
			size: z.number(),
			isSent: z.boolean(),
			/** Which part isn't sent, and why. */
			note: z.nullable(z.string()),
		}),
	),
	/** Set while tools have changed files in this chat. */
	hasChangedFiles: z.optional(z.literal(true)),
	/** Tools of MCP servers and other extensions: whether any are enabled, and their number as text. Absent if there are none. */
	externalTools: z.optional(z.strictObject({ isAny: z.boolean(), label: z.string() })),
	/** Share of the model's context that the next question uses before its own text. Absent if unknown. */
	context: z.optional(
		z.strictObject({
			percent: z.int().check(z.minimum(0), z.maximum(100)),
			/** The same as a sentence. */
			label: z.string(),
		}),
	),
	/** Short labels of further settings of the next question: a system prompt, and parameters set in the chat. */
	choices: z.array(z.string()),
});
export type ComposerView = z.infer<typeof composerViewSchema>;

/** Everything the view shows; the result of `ready`. `seq` is the number of the last included change. */
export const chatViewStateSchema = z.strictObject({
	seq: z.int(),
	chatId: z.string(),
	title: z.string(),
	turns: z.array(turnViewSchema),
	connection: connectionViewSchema,
	composer: composerViewSchema,
	attachments: attachmentsViewSchema,
	queue: queueViewSchema,
	banner: z.nullable(bannerSchema),
	/** Why the model can't use the tools in this workspace, as a sentence. Null if it can. */
	toolsOff: z.nullable(z.string()),
});
export type ChatViewState = z.infer<typeof chatViewStateSchema>;

export const chatChangeSchema = z.discriminatedUnion("type", [
	/** Replaces the whole state, after switching chats or a change without an own type. */
	z.strictObject({ type: z.literal("reset"), state: chatViewStateSchema }),
	/** The turns before those of `ready` or a reset. */
	z.strictObject({ type: z.literal("earlier-turns"), turns: z.array(turnViewSchema) }),
	z.strictObject({ type: z.literal("turn-added"), turn: turnViewSchema }),
	/** Replaces the turns after this one, or all turns if null. */
	z.strictObject({
		type: z.literal("branch-shown"),
		after: z.nullable(z.string()),
		turns: z.array(turnViewSchema),
	}),
	z.strictObject({
		type: z.literal("message-started"),
		turnId: z.string(),
		message: messageViewSchema,
	}),
	z.strictObject({ type: z.literal("text"), turnId: z.string(), index: z.int(), text: z.string() }),
	z.strictObject({
		type: z.literal("message-finished"),
		turnId: z.string(),
		index: z.int(),
		toolNames: z.array(z.string()),
	}),
	z.strictObject({ type: z.literal("thought"), turnId: z.string(), thought: thoughtViewSchema }),
	z.strictObject({ type: z.literal("tool-card"), turnId: z.string(), card: toolCardSchema }),
	/** Discards the answer so far, for another attempt of the same question. */
	z.strictObject({ type: z.literal("answer-cleared"), turnId: z.string() }),
	z.strictObject({
		type: z.literal("status"),
		turnId: z.string(),
		status: turnStatusSchema,
		usage: z.optional(z.string()),
		/** All notes of the attempt. Absent if unchanged. */
		notes: z.optional(z.array(noteViewSchema)),
		/** The model of the attempt. Absent if unchanged. */
		answerer: z.optional(z.pick(turnViewSchema, { model: true, isDemo: true })),
	}),
	/** Adds or changes a video below a question. Ignored if its question isn't shown. */
	z.strictObject({ type: z.literal("video"), video: videoCardSchema }),
	z.strictObject({ type: z.literal("video-removed"), turnId: z.string(), jobId: z.string() }),
	z.strictObject({ type: z.literal("title"), title: z.string() }),
	z.strictObject({ type: z.literal("connection"), connection: connectionViewSchema }),
	z.strictObject({ type: z.literal("composer"), composer: composerViewSchema }),
	z.strictObject({ type: z.literal("attachments"), attachments: attachmentsViewSchema }),
	z.strictObject({ type: z.literal("queue"), queue: queueViewSchema }),
	z.strictObject({ type: z.literal("banner"), banner: z.nullable(bannerSchema) }),
]);
export type ChatChange = z.infer<typeof chatChangeSchema>;

const id = z.string().check(z.maxLength(64));
const jobId = z.string().check(z.minLength(1), z.maxLength(200));

/** The chat view's requests to the host. They contain no paths and no commands, only ids that the host issued. */
export const chatRequests = {
	/**
	 * Requests the state, after the view loaded, became visible or missed a change. `at` is the turn at the scroll position. The first turns of a long
	 * chat follow as `earlier-turns`.
	 */
	ready: { params: z.strictObject({ at: z.optional(id) }), result: chatViewStateSchema },
	/** Asks a question. `text` has at least one character other than white space. */
	sendPrompt: {
		params: z.strictObject({
			text: z.string().check(z.minLength(1), z.maxLength(1_000_000)),
			typed: typedAddressesSchema,
		}),
		result: z.strictObject({ turnId: z.string() }),
	},
	/** Stops the running answer and keeps its text. Does nothing if none is running. */
	stop: { params: nothing, result: nothing },
	/** Copies the chat up to and including a turn, and shows the copy. */
	duplicateChat: command({ turnId: id }),
	/** Asks a question again, optionally with another model. A previous answer is kept as another version. May be charged, so it requires a click. */
	retryTurn: command({
		turnId: id,
		model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
	}),
	/** Asks an edited question, as another version. `without` contains the indices of removed attachments. */
	editQuestion: command({
		turnId: id,
		text: z.string().check(z.minLength(1), z.maxLength(1_000_000)),
		without: z.array(z.int().check(z.minimum(0))).check(z.maxLength(1000)),
	}),
	showVersion: command({ turnId: id, step: z.union([z.literal(-1), z.literal(1)]) }),
	runAction: command({ turnId: id, action: turnActionSchema }),
	showProposal: command({ requestId: id }),
	answerTool: { params: toolAnswerSchema, result: nothing },
	answerQuestion: { params: questionAnswerSchema, result: nothing },
	/** Cancels a running call; the answer continues. */
	cancelTool: { params: cardPlaceSchema, result: nothing },
	/** Undoes exactly the change a call made to files. */
	undoTool: { params: cardPlaceSchema, result: nothing },
	/** Proposes on a card to undo the changes that tools made for a question, and for later ones if `isOnwards`. Returns whether they were undone. */
	undoAnswer: {
		params: z.strictObject({ turnId: id, isOnwards: z.boolean() }),
		result: z.strictObject({ isDone: z.boolean() }),
	},
	/** Copies a message's Markdown, or the question (`index` -1), to the clipboard. */
	copyMessage: command({ turnId: id, index: z.int() }),
	/** Starts a video from a message or a code block. Nothing is sent until the user confirms the last step. */
	generateVideo: command({
		turnId: id,
		text: z.string().check(z.minLength(1), z.maxLength(500_000)),
	}),
	openVideo: command({ jobId }),
	/** Returns the bytes of a video's clip for its card. Null if there is none or it is too large for a card. */
	videoClip: {
		params: z.strictObject({ jobId }),
		result: z.strictObject({
			base64: z.nullable(z.string().check(z.maxLength(Math.ceil(maxCardClipBytes / 3) * 4))),
		}),
	},
	runVideoAction: command({ jobId, action: videoActionSchema }),
	/** The videos whose cards are visible now; replaces the previous list. */
	videosInSight: command({ jobIds: z.array(jobId) }),
	chooseVideoAction: command({ jobId }),
	setModel: command({ model: z.string().check(z.minLength(1), z.maxLength(200)) }),
	setServerTool: command({ tool: z.enum(["code_interpreter", "browsing"]), isOn: z.boolean() }),
	/** Opens an https link from an answer after the host's own checks (docs/security.md). */
	openLink: command({ url: z.string().check(z.maxLength(4096)) }),
	/** Answers a question about Python's packages. */
	answerPackages: command({
		id: z.string().check(z.regex(/^[\w-]{1,64}$/)),
		isAccepted: z.boolean(),
	}),
	/** Saves a copy of a file that Python has written, where the user chooses. */
	saveWrittenFile: command({
		id: z.string().check(z.regex(/^file-[\w-]{22}$/)),
		name: z.string().check(z.maxLength(200)),
	}),
	/** Selects an offered model, or shows all models to choose from. */
	chooseModel: command({ id: z.optional(z.string()) }),
	setInstructions: command({ isOn: z.boolean() }),
	openInstructions: { params: nothing, result: nothing },
	/** Shows what uses the model's context, and how to free it. */
	showContext: { params: nothing, result: nothing },
	chooseTools: { params: nothing, result: nothing },
	showChangedFiles: { params: nothing, result: nothing },
	runSuggestion: command({ id }),
	connect: { params: nothing, result: nothing },
	...codeRequests,
	...queueRequests,
	...attachmentRequests,
	...pageMemoryRequests,
	...pulseRequests,
	...bannerRequests,
	...chatSettingsRequests,
	...slashRequests,
} as const satisfies RequestTable;
export type ChatRequests = typeof chatRequests;

/** The host's events for the chat view, by name. */
export const chatPushes = {
	/** Changes in order, at most one push per animation frame. `seq` numbers the pushes consecutively. */
	changes: z.strictObject({ seq: z.int(), changes: z.array(chatChangeSchema) }),
	focusComposer: nothing,
	moveToCodeBlock: z.strictObject({ step: z.enum(["next", "previous"]) }),
	/** Inserts text at the start of the composer, without sending it. */
	fillComposer: z.strictObject({ text: z.string() }),
	announce: z.strictObject({ text: z.string() }),
	/** Scrolls to a turn and highlights it, or its open request if `isAsking`. */
	showTurn: z.strictObject({ turnId: z.string(), isAsking: z.exactOptional(z.boolean()) }),
	...pulsePushes,
} as const;
export type ChatPushes = typeof chatPushes;
