import * as z from "zod/mini";
import { attachmentRequests, attachmentsViewSchema, sentAttachmentSchema } from "./attachments.ts";
import { pageMemoryRequests } from "./pageMemory.ts";
import { pulsePushes, pulseRequests } from "./pulse.ts";
import { codeRequests } from "./code.ts";
import { queueRequests, queueViewSchema, typedAddressesSchema } from "./queue.ts";
import { chatSettingsRequests } from "./chatSettings.ts";
import { slashRequests } from "./slash.ts";
import type { RequestTable } from "./rpc.ts";
import {
	cardPlaceSchema,
	questionAnswerSchema,
	toolAnswerSchema,
	toolCardSchema,
} from "./tools.ts";
import { videoActionSchema, maxCardClipBytes, videoCardSchema } from "./video.ts";

/**
 * Actions on the banner of the whole view; `takeOverNow` stops an answer that runs in another window, `restore` takes
 * a deletion back.
 */
export const bannerActionSchema = z.enum(["takeOver", "takeOverNow", "restore"]);
export type BannerAction = z.infer<typeof bannerActionSchema>;

/** Something the whole view should say above the composer, such as that history cannot be saved (fault L6). */
export const bannerSchema = z.strictObject({
	kind: z.enum(["info", "warning"]),
	text: z.string(),
	/** Action offered for it: a button beside the text. */
	action: z.optional(bannerActionSchema),
	/** Why nothing can be written in the chat: what the message box says in place of words. Left out while it can. */
	readOnly: z.optional(z.string()),
});
export type Banner = z.infer<typeof bannerSchema>;

/** Actions on the banner. */
export const bannerRequests = {
	/** Does what the banner offers. */
	runBannerAction: {
		params: z.strictObject({ action: bannerActionSchema }),
		result: z.strictObject({}),
	},
} as const;

/**
 * A turn's state, by the name the user sees (docs/faults.md). `notSent` means provably nothing left the machine;
 * `chargeUnknown` that the service may have processed the request although no answer came.
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

/** Actions on a turn that did not simply complete; each is a button under it. */
export const turnActionSchema = z.enum([
	/** Label: Try again. The same request, free of doubt because nothing was charged or sent. */
	"tryAgain",
	/** Label: Continue. Goes on with an answer that was cut off, where it ends. */
	"continue",
	/** Label: Send again (may be charged) */
	"sendAgain",
	/** Label: Show the error. The same request without streaming; may be charged. docs/interface.md. */
	"showError",
	/** Label: Set API Key… */
	"setApiKey",
	/** Label: Choose Model… */
	"chooseModel",
	/** Label: Change Address… */
	"connect",
	/** Label: Use the Local Service */
	"useLocalService",
	/** Label: Edit and resend. Puts the words back into the composer. */
	"edit",
	/** Label: Summarize and Go On. Asks for a summary, which a new chat begins with. */
	"summarizeChat",
	/** Label: Show Log */
	"showLog",
]);
export type TurnAction = z.infer<typeof turnActionSchema>;

/** A turn's state, in words. `sentence` says what happened, what was kept and what to do next. */
export const turnStatusSchema = z.strictObject({
	state: turnStateSchema,
	sentence: z.optional(z.string()),
	/** Message of the service, or of a server of models that it asked and that the message names; shown apart and as plain text. */
	serviceMessage: z.optional(z.string()),
	isFromModelServer: z.optional(z.boolean()),
	/** Notice while streaming: «Still waiting…», a countdown. */
	notice: z.optional(z.string()),
	actions: z.array(turnActionSchema),
});
export type TurnStatus = z.infer<typeof turnStatusSchema>;

/** One message of an answer. `text` is Markdown as it came. */
export const messageViewSchema = z.strictObject({
	index: z.int(),
	role: z.string(),
	text: z.string(),
	isFinished: z.boolean(),
	/** Names of custom tools the model asked for in this message. */
	toolNames: z.array(z.string()),
});
export type MessageView = z.infer<typeof messageViewSchema>;

/** Thoughts of the model: plain text that folds into one line, which is its label. */
export const thoughtViewSchema = z.strictObject({
	/** How many messages of the answer are before it. */
	after: z.int(),
	text: z.string(),
	/** «Thinking…», or how long it took. */
	label: z.string(),
	isOver: z.boolean(),
});
export type ThoughtView = z.infer<typeof thoughtViewSchema>;

/** One exchange: what the user asked and all that answered it. */
export const turnViewSchema = z.strictObject({
	id: z.string(),
	prompt: z.string(),
	/** Attachments of the question. */
	attachments: z.array(sentAttachmentSchema),
	model: z.string(),
	/** Set where the demo answered, which is no model. */
	isDemo: z.optional(z.literal(true)),
	/** Milliseconds since 1970. */
	createdAt: z.number(),
	messages: z.array(messageViewSchema),
	/** The calls of tools, left out when there are none. */
	tools: z.optional(z.array(toolCardSchema)),
	/** Thoughts of the model, left out when there are none. */
	thoughts: z.optional(z.array(thoughtViewSchema)),
	/** The tokens of the answer in words, where they were reported, and the instructions that were sent for it. */
	usage: z.optional(z.string()),
	status: turnStatusSchema,
	/** The videos that belong to the question, in the order they were started. */
	videos: z.array(videoCardSchema),
	/** Which version of its question it is, counted from 1; left out of a question that has one only. */
	version: z.optional(z.strictObject({ number: z.int(), count: z.int() })),
});
export type TurnView = z.infer<typeof turnViewSchema>;

/** Which service answers, as the view says it. Never holds the key. */
export const connectionViewSchema = z.strictObject({
	kind: z.enum(["local", "remote"]),
	/** «Local service», or the host of the endpoint. */
	label: z.string(),
	hasKey: z.boolean(),
});
export type ConnectionView = z.infer<typeof connectionViewSchema>;

/** Options of the next question. */
export const composerViewSchema = z.strictObject({
	model: z.string(),
	models: z.array(z.string()),
	/** Whether the model may use server tools: its id contains `tools` (interface §4.4). */
	canUseServerTools: z.boolean(),
	codeInterpreter: z.boolean(),
	browsing: z.boolean(),
	/** Set where the local service's demo answers, because no model is chosen. */
	isDemo: z.optional(z.literal(true)),
	/** The models that could answer in place of the demo; left out where somebody chose who answers. */
	search: z.optional(
		z.strictObject({
			isLooking: z.boolean(),
			/** Where the models were found, as a heading. */
			heading: z.string(),
			/** The best first; `detail` is what is known of it in one line. */
			found: z.array(z.strictObject({ id: z.string(), name: z.string(), detail: z.string() })),
			/** The shortest way to a model, where none was found. */
			way: z.optional(z.strictObject({ id: z.string(), label: z.string() })),
		}),
	),
	/** What a chat without questions offers to do, one click each, and what the demo offers below an answer it cannot give. */
	suggestions: z.optional(
		z.array(
			z.strictObject({
				id: z.enum(["explain", "review", "tests", "clip", "help", "sampleEdit", "python"]),
				label: z.string(),
				isOfDemo: z.optional(z.literal(true)),
			}),
		),
	),
	/** The project's instructions, which are sent with every message unless the chat leaves them out; left out where there are none. */
	instructions: z.optional(
		z.strictObject({
			/** Paths of the files in the workspace. */
			names: z.array(z.string()),
			/** Bytes of all of them. */
			size: z.number(),
			isSent: z.boolean(),
			/** What is not sent of them, and why. */
			note: z.nullable(z.string()),
		}),
	),
	/** Tools of MCP servers and other extensions: whether any goes along, and how many, in words; left out where there are none. */
	externalTools: z.optional(z.strictObject({ isAny: z.boolean(), label: z.string() })),
	/** How much of the model's context the next question takes before its own words; left out where that is not known. */
	context: z.optional(
		z.strictObject({
			percent: z.int().check(z.minimum(0), z.maximum(100)),
			/** The same as a sentence. */
			label: z.string(),
		}),
	),
	/** In few words each, what else the next question goes with: a system prompt, and parameters chosen in the chat. */
	choices: z.array(z.string()),
});
export type ComposerView = z.infer<typeof composerViewSchema>;

/** Everything the view shows; what `ready` returns. `seq` is the number of the last change it includes. */
export const chatViewStateSchema = z.strictObject({
	seq: z.int(),
	chatId: z.string(),
	title: z.string(),
	turns: z.array(turnViewSchema),
	connection: connectionViewSchema,
	composer: composerViewSchema,
	attachments: attachmentsViewSchema,
	/** The messages that wait until an answer has come. */
	queue: queueViewSchema,
	banner: z.nullable(bannerSchema),
	/** Why the model cannot use the editor where the window is open, as a sentence; null when it can. */
	toolsOff: z.nullable(z.string()),
});
export type ChatViewState = z.infer<typeof chatViewStateSchema>;

/** One step from a state to the next. */
export const chatChangeSchema = z.discriminatedUnion("type", [
	/** Everything is different: another chat, or a change not worth describing. */
	z.strictObject({ type: z.literal("reset"), state: chatViewStateSchema }),
	/** The turns before those that `ready` or a reset brought. */
	z.strictObject({ type: z.literal("earlier-turns"), turns: z.array(turnViewSchema) }),
	z.strictObject({ type: z.literal("turn-added"), turn: turnViewSchema }),
	/** Behind this turn, or from the beginning for null, these turns are shown in place of those before. */
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
	/** More of what the model thinks, under the label it has now. */
	z.strictObject({ type: z.literal("thought"), turnId: z.string(), thought: thoughtViewSchema }),
	/** A tool call that was added or changed. */
	z.strictObject({ type: z.literal("tool-card"), turnId: z.string(), card: toolCardSchema }),
	/** The answer so far is dropped for another attempt of the same question. */
	z.strictObject({ type: z.literal("answer-cleared"), turnId: z.string() }),
	z.strictObject({
		type: z.literal("status"),
		turnId: z.string(),
		status: turnStatusSchema,
		usage: z.optional(z.string()),
		/** Who answers the attempt; left out where that is as before. */
		answerer: z.optional(z.pick(turnViewSchema, { model: true, isDemo: true })),
	}),
	/** A video below a question came or changed; one whose question is not shown is left out. */
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

const nothing = z.strictObject({});
const id = z.string().check(z.maxLength(64));
const jobId = z.string().check(z.minLength(1), z.maxLength(200));

/** Requests of the chat view to the host. They hold no address, no path and no command: only ids the host issued. */
export const chatRequests = {
	/**
	 * The view has loaded, or was shown again, or missed a change, and needs everything it should display; `at` is the turn
	 * its reader was at. The first turns of a long chat follow as `earlier-turns`.
	 */
	ready: { params: z.strictObject({ at: z.optional(id) }), result: chatViewStateSchema },
	/** Asks a question. `text` has at least one character that is not white space. */
	sendPrompt: {
		params: z.strictObject({
			text: z.string().check(z.minLength(1), z.maxLength(1_000_000)),
			typed: typedAddressesSchema,
		}),
		result: z.strictObject({ turnId: z.string() }),
	},
	/** Ends the running answer, keeping its text; nothing happens when none is running. */
	stop: { params: nothing, result: nothing },
	/** Copies the chat up to a question with its answer, and shows the copy. */
	duplicateChat: { params: z.strictObject({ turnId: id }), result: nothing },
	/**
	 * Asks a question again, with another model if one is named; an answer it had stays as another version. May be charged,
	 * hence only on a click.
	 */
	retryTurn: {
		params: z.strictObject({
			turnId: id,
			model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
		}),
		result: nothing,
	},
	/** Asks a question in other words, as another version; `without` numbers the attachments it no longer comes with. */
	editQuestion: {
		params: z.strictObject({
			turnId: id,
			text: z.string().check(z.minLength(1), z.maxLength(1_000_000)),
			without: z.array(z.int().check(z.minimum(0))).check(z.maxLength(1000)),
		}),
		result: nothing,
	},
	/** Shows the version of a question before or behind the one that is shown. */
	showVersion: {
		params: z.strictObject({ turnId: id, step: z.union([z.literal(-1), z.literal(1)]) }),
		result: nothing,
	},
	/** Runs an action the host offered in the turn's status. */
	runAction: { params: z.strictObject({ turnId: id, action: turnActionSchema }), result: nothing },
	/** Answers a request on a tool card. */
	showProposal: { params: z.strictObject({ requestId: id }), result: nothing },
	answerTool: { params: toolAnswerSchema, result: nothing },
	/** Answers a question of the model on a tool card. */
	answerQuestion: { params: questionAnswerSchema, result: nothing },
	/** Ends a running call; the answer goes on. */
	cancelTool: { params: cardPlaceSchema, result: nothing },
	/** Takes back exactly the change a call made to files. */
	undoTool: { params: cardPlaceSchema, result: nothing },
	/**
	 * Proposes, on a card that asks, to undo what tools changed for a question, and for those behind it where `isOnwards`; says whether
	 * it was done.
	 */
	undoAnswer: {
		params: z.strictObject({ turnId: id, isOnwards: z.boolean() }),
		result: z.strictObject({ isDone: z.boolean() }),
	},
	/** Offers the files that tools changed in the chat, each with its differences. */
	showChangedFiles: { params: nothing, result: nothing },
	/** Copies a message's Markdown, or the question (`index` -1), to the clipboard. */
	copyMessage: { params: z.strictObject({ turnId: id, index: z.int() }), result: nothing },
	/** Begins a video from a message or a code block; nothing is sent before the user accepts its last step (threat T9). */
	generateVideo: {
		params: z.strictObject({
			turnId: id,
			text: z.string().check(z.minLength(1), z.maxLength(500_000)),
		}),
		result: nothing,
	},
	/** Opens the preview of a video that has a card. */
	openVideo: { params: z.strictObject({ jobId }), result: nothing },
	/** The bytes of a video's clip, which its card plays; null where there is none, or it is larger than a card plays. */
	videoClip: {
		params: z.strictObject({ jobId }),
		result: z.strictObject({
			base64: z.nullable(z.string().check(z.maxLength(Math.ceil(maxCardClipBytes / 3) * 4))),
		}),
	},
	/** Runs an action that the video offers. */
	runVideoAction: { params: z.strictObject({ jobId, action: videoActionSchema }), result: nothing },
	/** The videos whose cards can be seen now, in place of those named before. */
	videosInSight: { params: z.strictObject({ jobIds: z.array(jobId) }), result: nothing },
	/** Lets the user choose from everything that can be done with a video. */
	chooseVideoAction: { params: z.strictObject({ jobId }), result: nothing },
	setModel: {
		params: z.strictObject({ model: z.string().check(z.minLength(1), z.maxLength(200)) }),
		result: nothing,
	},
	setServerTool: {
		params: z.strictObject({ tool: z.enum(["code_interpreter", "browsing"]), isOn: z.boolean() }),
		result: nothing,
	},
	/** Opens an https link from an answer after the host's own checks (threat T17). */
	openLink: {
		params: z.strictObject({ url: z.string().check(z.maxLength(4096)) }),
		result: nothing,
	},
	/** Makes an offered model the one that answers, or lists all models to choose from. */
	chooseModel: { params: z.strictObject({ id: z.optional(z.string()) }), result: nothing },
	/** Sends the project's instructions with the messages of the chat, or leaves them out. */
	setInstructions: { params: z.strictObject({ isOn: z.boolean() }), result: nothing },
	/** Opens a file of the project's instructions. */
	openInstructions: { params: nothing, result: nothing },
	/** Shows what takes the model's context, and what makes room in it. */
	showContext: { params: nothing, result: nothing },
	/** Lets the user choose tools of MCP servers and other extensions. */
	chooseTools: { params: nothing, result: nothing },
	/** Does what an empty chat, or the demo, suggested. */
	runSuggestion: { params: z.strictObject({ id }), result: nothing },
	/** Connects to a service, or changes its address. */
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

/** Events of the host for the chat view, by name. */
export const chatPushes = {
	/** Changes in order, at most one push per animation frame; `seq` numbers the push, one more than the last. */
	changes: z.strictObject({ seq: z.int(), changes: z.array(chatChangeSchema) }),
	/** Puts the cursor into the composer. */
	focusComposer: nothing,
	/** Gives the focus to the code block after or before the one that has it. */
	moveToCodeBlock: z.strictObject({ step: z.enum(["next", "previous"]) }),
	/** Puts words into the composer, before what is there, without sending them. */
	fillComposer: z.strictObject({ text: z.string() }),
	/** Tells a screen reader what happened to something that the page shows. */
	announce: z.strictObject({ text: z.string() }),
	/** Goes to a turn and points at it, or to what it asks where `isAsking`. */
	showTurn: z.strictObject({ turnId: z.string(), isAsking: z.exactOptional(z.boolean()) }),
	...pulsePushes,
} as const;
export type ChatPushes = typeof chatPushes;
