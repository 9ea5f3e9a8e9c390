import type { ChatViewState, TurnView } from "../../src/shared/chat.ts";
import { type ToolCardView, toolCardSchema } from "../../src/shared/tools.ts";
import { turnStatus } from "../../src/ui/chat/turnStatus.ts";
import { videoCard } from "../../src/ui/video/views/videoCards.ts";
import { videoJobView } from "../../src/ui/video/views/videoJobView.ts";
import type { FailureFacts } from "../../src/client/contract/serviceError.ts";
import type { VideoJob, VideoJobState } from "../../src/video/job/videoJob.ts";
import { everyFailure } from "../helpers/failureKinds.ts";
import { chatScenes } from "../webview/scenes.ts";
import {
	askingCard,
	emptyChat,
	externalCard,
	messageOf,
	streaming,
	turnOf,
} from "../webview/states.ts";

const host = "api.example.com";

/** An answer that ended with each kind of failure, in the sentences of the host. */
function failedTurns(hasText: boolean): TurnView[] {
	return everyFailure.map(kind =>
		turnOf(kind, hasText ? [messageOf("Once upon a time", { isFinished: false })] : [], {
			id: kind,
			status: turnStatus(
				{
					state: hasText ? "interrupted" : "refused",
					failure: {
						kind,
						host,
						status: 400,
						detail: "the reason",
						serviceMessage: "No such model",
					},
				},
				hasText,
				false,
			),
		}),
	);
}

const toolCards: readonly ToolCardView[] = toolCardSchema.shape.state.options.map(state => ({
	id: state,
	after: 1,
	title: "Read a file",
	line: `Read ${state}.ts`,
	name: "read_file",
	argumentsText: `{"path":"${state}.ts"}`,
	state,
}));

const riskyCard: ToolCardView = {
	...askingCard,
	...(askingCard.approval && {
		approval: {
			...askingCard.approval,
			warnings: ["This file can decide what runs on this machine"],
		},
	}),
};

const failure: FailureFacts = { kind: "serverFailed", charge: "unknown", status: 502, host };

/** A video in every state; leaving one out does not compile. */
const videoStates: { readonly [Name in VideoJobState["name"]]: VideoJobState & { name: Name } } = {
	waiting: { name: "waiting" },
	recording: { name: "recording" },
	gathering: { name: "gathering" },
	notJoined: { name: "notJoined", reason: "differ", detail: "vp8 | vp9" },
	submitting: { name: "submitting" },
	notSubmitted: { name: "notSubmitted", failure },
	submissionUnknown: { name: "submissionUnknown", failure },
	inProgress: { name: "inProgress" },
	unusualStatus: {
		name: "unusualStatus",
		status: "rejected",
		readsLikeFailure: true,
		checksLeft: 3,
		message: "Not today",
	},
	failedByService: { name: "failedByService", status: "failed", message: "Not today" },
	awaitingAddress: { name: "awaitingAddress", checks: 1 },
	completeWithoutAddress: { name: "completeWithoutAddress" },
	downloading: { name: "downloading", received: 1_000_000, total: 4_000_000 },
	addressRefused: { name: "addressRefused", reason: "it is not https", address: "http://x/" },
	linkExpired: { name: "linkExpired", status: 403 },
	notAVideo: { name: "notAVideo", contentType: "text/html", size: 1200 },
	tooLarge: { name: "tooLarge", size: 3_000_000_000, limit: 2_000_000_000 },
	noRoom: { name: "noRoom", needed: 5_000_000, free: 1_000_000 },
	downloadFailed: { name: "downloadFailed", failure },
	cannotSave: { name: "cannotSave", code: "EACCES", folder: "/videos" },
	goneAtService: { name: "goneAtService" },
	needsKey: { name: "needsKey", reason: "missing" },
	watchingStopped: { name: "watchingStopped", by: "time" },
	ready: { name: "ready", file: "/videos/a.webm", size: 1, format: "webm", savedAt: 0 },
};

const cardIn = (state: VideoJobState) => {
	const job: VideoJob = {
		id: state.name,
		request: { kind: "text", prompt: "A paper boat on a quiet river at dawn", duration: 2 },
		endpoint: {
			kind: "remote",
			baseUrl: `https://${host}`,
			origin: `https://${host}`,
			label: host,
		},
		chat: { chatId: "chat", turnId: "turn" },
		createdAt: Date.now(),
		submissions: 1,
		state,
		watch: { watchedMs: 0, round: 0 },
		ignoresSizeLimit: false,
	};
	return videoCard(videoJobView(job), "turn", undefined);
};

/** Everything of the chat view that a contact sheet shows: each state of what it is made of at least once. */
export const sheetScenes: Readonly<Record<string, ChatViewState>> = {
	...chatScenes,
	"every failure, below text": { ...emptyChat, turns: failedTurns(true) },
	"every failure without text": { ...emptyChat, turns: failedTurns(false) },
	"a call in every state": {
		...emptyChat,
		turns: toolCards.map(card =>
			turnOf(card.state, [messageOf("", { toolNames: ["read_file"] })], {
				id: card.state,
				tools: [card],
			}),
		),
	},
	"a change that waits for Allow": {
		...emptyChat,
		turns: [
			turnOf("Rename the order", [messageOf("", { toolNames: ["apply_edit"] })], {
				tools: [riskyCard],
			}),
		],
	},
	"a model that thinks, has thought, and was cut at its limit": {
		...emptyChat,
		turns: [
			turnOf("Is 391 a prime?", [messageOf("No: 391 = 17 × 23.")], {
				id: "thought",
				thoughts: [{ after: 0, text: "17 × 23 = 391.", label: "Thought for 12 s", isOver: true }],
				usage: "1,204 tokens in · 356 tokens out · 41 tokens per second",
				notes: [
					{ text: "Images left out: this model can't see them" },
					{
						text: "9 tools left out: too many for this model",
						more: "get_diagnostics, search_text, apply_edit, create_file, generate_video",
					},
				],
			}),
			turnOf("Tell me of all primes", [messageOf("Once upon a number")], {
				id: "cut",
				status: turnStatus(
					{ state: "endedEarly", failure: { kind: "endedEarly", reason: "cut_at_limit" } },
					true,
					true,
				),
			}),
			turnOf("Is 397 a prime?", [], {
				id: "thinking",
				status: { state: "streaming", actions: [] },
				thoughts: [
					{
						after: 0,
						text: [
							...[2, 3, 5, 7, 11, 13, 17].map(by => `397 is not divisible by ${by}.`),
							"",
							"So all that is left is 19, whose square is 361, which is below 397, and 19 × 21 is",
						].join("\n"),
						label: "Thinking…",
						isOver: false,
					},
				],
			}),
		],
	},
	"an empty chat with models that were found": {
		...emptyChat,
		composer: {
			...emptyChat.composer,
			search: {
				isLooking: false,
				heading: "Found on this machine",
				found: [
					{ id: "ollama/qwen3:8b", name: "qwen3:8b", detail: "Ollama · 5.2 GB, loaded" },
					{ id: "lm/thinker", name: "thinker", detail: "lm · 4k context" },
				],
			},
		},
	},
	"instructions, choices, a context that fills and a model without tools": {
		...emptyChat,
		turns: [turnOf("Go", [messageOf("Done.")])],
		composer: {
			...emptyChat.composer,
			model: "llm-4-turbo",
			canUseServerTools: false,
			choices: ["System prompt: Reviewer", "Temperature 0.2"],
			context: {
				percent: 91,
				label: "Context: about 91% of 8,192 tokens used",
			},
			instructions: {
				names: ["AGENTS.md", "web/AGENTS.md"],
				size: 4e4,
				isSent: true,
				note: "Only the first 32,000 characters will be sent.",
			},
		},
	},
	"instructions that are left out, and half a context": {
		...emptyChat,
		composer: {
			...emptyChat.composer,
			context: { percent: 52, label: "Context: 52% of 8,192 tokens used" },
			instructions: { names: ["AGENTS.md"], size: 2100, isSent: false, note: null },
		},
	},
	"a call of another's tool that waits": {
		...emptyChat,
		composer: {
			...emptyChat.composer,
			externalTools: { isAny: true, label: "Tools of servers and extensions: 2 of 5 chosen" },
		},
		turns: [turnOf("Go", [messageOf("")], { status: streaming, tools: [externalCard] })],
	},
	"a chat in use in another window": {
		...emptyChat,
		turns: [turnOf("Go", [messageOf("Done.")])],
		banner: {
			kind: "info",
			text: "This chat is open in another window, and what was saved is shown here. Using it here stops an answer that runs there.",
			action: "useHere",
			readOnly: "Read-only: in use in another window",
		},
	},
	"a video in every state": {
		...emptyChat,
		turns: [turnOf("Make videos", [], { videos: Object.values(videoStates).map(cardIn) })],
	},
};
