import type { AttachmentsView, AttachmentView } from "../../src/shared/attachments.ts";
import type {
	ChatViewState,
	ComposerView,
	MessageView,
	TurnStatus,
	TurnView,
} from "../../src/shared/chat.ts";
import type { ChatSettingsView } from "../../src/shared/slash.ts";
import { emptyQueueView } from "../../src/shared/queue.ts";
import type { ToolCardView } from "../../src/shared/tools.ts";
import type { VideoCard } from "../../src/shared/videoCard.ts";

/** Nothing attached. */
export const noAttachments: AttachmentsView = {
	items: [],
	budget: null,
	offeredModel: null,
	isSending: false,
};

/** An attachment that waits for Send, unless `change` says otherwise. */
export function attachmentOf(name: string, change: Partial<AttachmentView> = {}): AttachmentView {
	return {
		id: name,
		name,
		path: `data/${name}`,
		size: 4_980_736,
		kind: "data",
		use: "codeInterpreter",
		canSwitchUse: false,
		state: { type: "ready" },
		note: null,
		folder: null,
		...change,
	};
}

/** The composer of a chat that a model answers. */
export const modelComposer: ComposerView = {
	model: "llm-4-turbo-tools",
	models: [],
	canUseServerTools: true,
	codeInterpreter: true,
	browsing: false,
	suggestions: [
		{ id: "explain", label: "Explain cart.ts:36-42" },
		{ id: "review", label: "Review 3 changed lines" },
		{ id: "clip", label: "Make a clip of this change" },
	],
	choices: [],
};

/** A chat without questions on the local service, which no model answers. */
export const emptyChat: ChatViewState = {
	seq: 0,
	chatId: "chat",
	title: "",
	turns: [],
	connection: { kind: "local", label: "Demo", hasKey: false },
	composer: {
		...modelComposer,
		isDemo: true,
		suggestions: [
			{ id: "clip", label: "Make a clip of cart.ts" },
			{ id: "python", label: "Run Python on orders.csv" },
			{ id: "help", label: "What can you do?" },
		],
	},
	attachments: noAttachments,
	queue: emptyQueueView,
	banner: null,
	toolsOff: null,
};

export const complete: TurnStatus = { state: "complete", actions: [] };
export const streaming: TurnStatus = { state: "streaming", actions: [] };

/** A message of an answer. */
export function messageOf(text: string, change: Partial<MessageView> = {}): MessageView {
	return { index: 0, role: "assistant", text, isFinished: true, toolNames: [], ...change };
}

/** A turn that completed, unless `change` says otherwise. */
export function turnOf(
	prompt: string,
	messages: readonly MessageView[],
	change: Partial<TurnView> = {},
): TurnView {
	return {
		id: "turn",
		prompt,
		attachments: [],
		model: "llm-4-turbo-tools",
		createdAt: 1_750_000_000_000,
		messages: [...messages],
		status: complete,
		videos: [],
		...change,
	};
}

/** The card of a video that is being made, unless `change` says otherwise. */
export function cardOf(change: Partial<VideoCard> = {}): VideoCard {
	return {
		jobId: "job",
		turnId: "turn",
		title: "A paper boat on a quiet river at dawn",
		tone: "working",
		label: "Making",
		sentence: "",
		startedAt: 1_750_000_000_000,
		isUnfinished: true,
		actions: [{ action: "stopWatching", label: "Stop Tracking" }],
		hasClip: false,
		picture: null,
		...change,
	};
}

/** An answer with every kind of Markdown. */
export const richAnswer = `Here is a function that groups an array by a key. It is **typed**, takes any *iterable* and
returns a \`Map\`.

\`\`\`ts
/** Groups items by what \`keyOf\` makes of them. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
	const groups = new Map<Key, Item[]>();
	for (const item of items) {
		const key = keyOf(item);
		groups.set(key, [...(groups.get(key) ?? []), item]); // a new array each time
	}
	return groups;
}
\`\`\`

## How it works

1. It walks over the items **once**.
2. For each of them it asks \`keyOf\`:
   - an existing group grows,
   - a new one begins.
3. It returns the groups in the order of their first item.

> \`Object.groupBy\` does the same for string keys, see [MDN](https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Object/groupBy).

| Way | Keys | Cost |
|:----|:----:|-----:|
| \`groupBy\` above | any | O(n²) |
| \`Map.groupBy\` | any | O(n) |
| \`Object.groupBy\` | strings | O(n) |

Run it with:

\`\`\`bash
npx tsx group.ts --key name | head -n 20
\`\`\`
`;

/** An answer of three messages, as server tools produce them. */
export const threeMessages: TurnView = turnOf(
	"How many rows does sales.csv have, and which month sold most?",
	[
		messageOf("I will look at the file.", { index: 0, toolNames: ["read_file"] }),
		messageOf(
			"```python\nimport pandas as pd\nprint(pd.read_csv('sales.csv').shape)\n```\n\n`(1204, 6)`",
			{
				index: 1,
			},
		),
		messageOf("`sales.csv` has **1,204 rows**. The best month was *November*.", { index: 2 }),
	],
	{ id: "three" },
);

/** Every ending that is not a success. */
export const endings: readonly TurnView[] = [
	turnOf("Stopped?", [messageOf("Once upon a time there was a", { isFinished: false })], {
		id: "stopped",
		status: { state: "stopped", sentence: "Stopped. The text so far is kept.", actions: [] },
	}),
	turnOf("Refused?", [], {
		id: "refused",
		status: {
			state: "refused",
			sentence: "The key wasn't accepted. Set the right one, then try again.",
			serviceMessage: "invalid api key (request 7f3a)",
			actions: ["setApiKey", "showLog"],
		},
	}),
	turnOf("Charge unknown?", [], {
		id: "unknown",
		status: {
			state: "chargeUnknown",
			sentence: "The connection broke before an answer. You may have been charged.",
			actions: ["sendAgain", "showError", "showLog"],
		},
	}),
	turnOf("Not sent?", [], {
		id: "notSent",
		status: {
			state: "notSent",
			sentence:
				"Can't reach api.example.com. Check the address, and whether the service is running. Nothing was sent.",
			actions: ["tryAgain", "connect", "useLocalService"],
		},
	}),
];

/** Attachments in every state there is. */
export const manyAttachments: AttachmentsView = {
	...noAttachments,
	items: [
		attachmentOf("orders.csv", { canSwitchUse: true, kind: "text" }),
		attachmentOf("pricing.ts:12-48", {
			size: 1204,
			kind: "selection",
			use: "read",
			canSwitchUse: false,
		}),
		attachmentOf("a very long name of a spreadsheet that goes on and on.xlsx", {
			state: { type: "uploading", sentBytes: 2_100_000, isDelayed: false },
		}),
		attachmentOf("beans.png", {
			kind: "image",
			size: 18_204,
			note: "The model can't see images. Code interpreter can open this one.",
		}),
		attachmentOf("archive.zip", {
			state: {
				type: "failed",
				sentence: "The service takes no file this large (4.8 MB). Nothing was sent.",
				serviceMessage: "file too large",
				canRetry: true,
				mayBeCharged: false,
			},
		}),
		attachmentOf(".env", {
			size: 120,
			kind: "text",
			use: "read",
			canSwitchUse: true,
			state: { type: "unconfirmed", sentence: "Not attached yet. It may contain secrets (.env*)." },
		}),
		...["a.csv", "b.csv", "c.csv"].map(name => attachmentOf(name, { folder: "data", size: 2000 })),
	],
	budget: { characters: 141_204, limit: 200_000 },
	offeredModel: "llm-4-turbo-tools",
};

/** A question with attachments, and the work of Python in its answer. */
export const toolRun = turnOf(
	"Summarize this",
	[
		messageOf("```python\nimport csv\nprint(1)\n```", { index: 0 }),
		messageOf("```text\n1\n```", { index: 1 }),
		messageOf("It has **one** row.", { index: 2 }),
	],
	{
		attachments: [
			{
				name: "orders.csv",
				path: "data/orders.csv",
				size: 4_980_736,
				kind: "data",
				use: "codeInterpreter",
				isLost: false,
				canOpen: true,
			},
			{
				name: "pricing.ts:12-48",
				path: "src/pricing.ts",
				size: 1204,
				kind: "selection",
				use: "read",
				isLost: false,
				canOpen: true,
			},
		],
	},
);

/** Fields of the chat settings in which nothing is chosen. */
const nothingChosen = {
	systemPrompt: "",
	model: "llm-4-turbo-tools",
	temperature: "",
	topP: "",
	maxTokens: "",
	extraParameters: "",
};

/** The settings of a chat with a temperature of its own, and a library of one prompt. */
export const chatSettings: ChatSettingsView = {
	chatId: "chat",
	values: { ...nothingChosen, temperature: "0.2" },
	defaults: nothingChosen,
	models: emptyChat.composer.models,
	library: [{ name: "Reviewer", text: "Answer as a strict reviewer." }],
	maxSystemPrompt: 32_000,
};

/** A change that waits for the user's answer. */
export const askingCard: ToolCardView = {
	id: "asking",
	after: 1,
	title: "Edit files",
	line: "Edit orders.ts",
	name: "apply_edit",
	argumentsText: "",
	state: "asking",
	approval: {
		requestId: "request",
		files: ["src/orders.ts"],
		warnings: [],
		canRemember: true,
		hunks: [
			hunkOf("src/orders.ts", 9, {
				same: "",
				removed: "export interface Order {",
				added: "export interface OrderLine {\n\tline: number;",
			}),
		],
		counts: { added: 2, removed: 1 },
	},
};

/** A call of another's tool that waits for the user's answer. */
export const externalCard: ToolCardView = {
	id: "external",
	after: 1,
	title: "github: create_issue",
	name: "mcp_github_create_issue",
	argumentsText: `{ "owner": "octo" }`,
	state: "asking",
	approval: {
		requestId: "request",
		files: [],
		warnings: [
			"This tool is not Cutaway's. What it does with these arguments can't be seen, limited or undone here.",
		],
		canRemember: false,
		hunks: [],
		external: {
			argumentsText: `{\n  "owner": "octo",\n  "title": "Prices are wrong␣U+202E",\n  "body": "${"The discount is taken twice. ".repeat(12)}"\n}`,
		},
	},
};

type HunkView = NonNullable<ToolCardView["approval"]>["hunks"][number];
type LineKind = HunkView["lines"][number]["kind"];

/** A change whose lines come in the order of `parts`; those that go and come are numbered from `firstLine`, the ones above end there. */
export function hunkOf(
	file: string,
	firstLine: number,
	parts: Partial<Record<LineKind, string>>,
	number = 0,
): HunkView {
	const lines = Object.entries(parts).flatMap(([kind, text]) =>
		text.split("\n").map((line, index) => ({
			kind: kind as LineKind,
			number: firstLine + (kind === "same" ? -1 : index),
			text: line,
		})),
	);
	return { number, title: `${file}, line ${firstLine}`, file, firstLine, lines, left: 0 };
}
