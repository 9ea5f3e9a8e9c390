import { expect, type Page } from "@playwright/test";
import type { ChatViewState } from "../../src/shared/chat.ts";
import type { VideoViewState } from "../../src/shared/video.ts";
import {
	cardOf,
	emptyChat,
	endings,
	manyAttachments,
	messageOf,
	richAnswer,
	streaming,
	threeMessages,
	toolRun,
	turnOf,
} from "./states.ts";

/** A picture of one pixel. */
const picture = "data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";

/** What an answer can hold beside prose, short code and a table. */
const mixedAnswer = `The area is $\\pi r^2$.

$$\\int_0^1 x^2\\,dx = \\frac13$$

- [x] done
- [ ] to do

1. אחת
2. שתיים

\`\`\`ts
${"const line = 1;\n".repeat(60)}\`\`\`
`;

/** What the chat view can show, by what it is called. */
export const chatScenes: Readonly<Record<string, ChatViewState>> = {
	"an empty chat": emptyChat,
	"attachments in every state": {
		...emptyChat,
		turns: [toolRun],
		attachments: manyAttachments,
	},
	"an answer with everything": {
		...emptyChat,
		title: "Group an array",
		turns: [turnOf("Write a **function**.", [messageOf(richAnswer)])],
	},
	"videos below a question": {
		...emptyChat,
		turns: [
			turnOf("Make a video", [messageOf("Here is the text.")], {
				videos: [
					cardOf(),
					cardOf({ jobId: "ready", tone: "ready", label: "Ready", isUnfinished: false, picture }),
					cardOf({
						jobId: "failed",
						tone: "failed",
						label: "Link expired",
						sentence: "The new link from the service has expired, too.",
						isUnfinished: false,
					}),
				],
			}),
		],
	},
	"a running answer": {
		...emptyChat,
		turns: [
			threeMessages,
			turnOf("And now?", [messageOf("Let me see, the **first", { isFinished: false })], {
				id: "running",
				status: { ...streaming, notice: "Still waiting…" },
			}),
		],
	},
	"a question about Python's packages": {
		...emptyChat,
		turns: [
			turnOf(
				"Which month sold most?",
				[messageOf("```python\nimport pandas as pd\npd.read_csv('sales.csv').plot()\n```")],
				{
					id: "packages",
					status: {
						...streaming,
						notice:
							"This code uses pandas, matplotlib. Get 12 packages from packages.mirror.example.com?",
						packages: "question-1",
					},
				},
			),
		],
	},
	"a question with versions, formulas, tasks, a long block of code and text from right to left": {
		...emptyChat,
		title: "שלום",
		turns: [turnOf("מה השעה?", [messageOf(mixedAnswer)], { version: { number: 2, count: 3 } })],
	},
	"messages that wait, paused, one on its way and one taken out": {
		...emptyChat,
		turns: [turnOf("And now?", [], { id: "running", status: streaming })],
		queue: {
			items: ["first", "second"].map(id => ({
				id,
				text: `The ${id} message`,
				model: "llm-4-turbo",
				files: ["a.csv"],
				isSending: id === "first",
			})),
			paused: "Paused: the answer was stopped.",
			held: null,
			removed: "Never mind.",
		},
	},
	"a chat that another window writes": {
		...emptyChat,
		banner: {
			kind: "info",
			text: "This chat is open in another window, and what was saved is shown here. Using it here stops an answer that runs there.",
			action: "useHere",
			readOnly: "Read-only: in use in another window",
		},
		turns: [toolRun],
	},
	"every ending, a banner and a model without tools": {
		...emptyChat,
		banner: { kind: "warning", text: "History cannot be saved: the disk is full." },
		composer: { ...emptyChat.composer, model: "llm-4-turbo", canUseServerTools: false },
		turns: [...endings],
	},
};

const ready: VideoViewState = {
	jobId: "job-1",
	title: "A paper boat on a quiet river at dawn",
	kind: "text",
	prompt: "A paper boat on a quiet river at dawn.\nGulls follow it.",
	parameters: ["2 s", "Calm"],
	service: "Local service",
	provenance: "Drawn on this machine, no model",
	insertInto: "README.md",
	createdAt: 1_750_000_000_000,
	startedAt: 1_750_000_000_000,
	source: "README.md, line 3",
	tone: "ready",
	label: "Ready",
	sentence: "",
	downloaded: null,
	actions: [
		"saveAs",
		"exportAs",
		"insertImage",
		"copyGif",
		"copyPicture",
		"copyMarkdown",
		"reveal",
		"insertLink",
		"insertTag",
		"openExternally",
		"generateAgain",
		"generateWithChanges",
		"openSource",
		"copyPrompt",
		"copyDetails",
	],
	clip: null,
	look: null,
	hasNewLook: true,
	wantsPicture: false,
	captions: [{ words: "A paper boat on a quiet river at dawn.\nGulls follow it.", seconds: 2 }],
	showsCaptions: false,
};

const unknown: VideoViewState = {
	...ready,
	tone: "attention",
	label: "May be charged",
	sentence:
		"The connection broke before an answer. The service may have accepted and charged the request. It won't be sent again unless you choose to.",
	serviceMessage: "upstream timed out <b>now</b>",
	actions: ["submitAgain", "generateWithChanges", "openSource", "copyPrompt"],
};

const working: VideoViewState = {
	...ready,
	tone: "working",
	label: "Making",
	actions: ["stopWatching", "openSource", "copyPrompt"],
};

/** What a preview can show; what is ready has no clip. */
export const previewScenes = { unknown, working, ready } as const;

/** A clip of this browser's own making, as an address of the page; its color changes unless one is named. */
export async function recordClip(
	page: Page,
	color?: string,
	{ width, height } = { width: 320, height: 180 },
): Promise<string> {
	const look = { fixed: color, width, height };
	return page.evaluate(async ({ fixed, width, height }) => {
		const canvas = document.createElement("canvas");
		[canvas.width, canvas.height] = [width, height];
		const context = canvas.getContext("2d");
		const draw = (frame: number) => {
			if (context) {
				context.fillStyle = fixed ?? `hsl(${frame * 15} 80% 50%)`;
				context.fillRect(0, 0, width, height);
			}
		};
		// A stream starts with what its canvas shows, which is black until it is drawn on.
		draw(0);
		const recorder = new MediaRecorder(canvas.captureStream(24), { mimeType: "video/webm" });
		const parts: Blob[] = [];
		recorder.ondataavailable = ({ data }) => parts.push(data);
		const stopped = new Promise(resolve => {
			recorder.onstop = resolve;
		});
		recorder.start();
		for (let frame = 0; frame < 24; frame++) {
			draw(frame);
			await new Promise(resolve => setTimeout(resolve, 40));
		}
		recorder.stop();
		await stopped;
		return URL.createObjectURL(new Blob(parts, { type: "video/webm" }));
	}, look);
}

/** A picture is a WebP of the first frame that `recordClip` records, which is red. */
export async function expectFirstFrame(page: Page, address: string): Promise<void> {
	expect(address).toMatch(/^data:image\/webp;base64,UklGR/);
	const color = await page.evaluate(async source => {
		const image = new Image();
		image.src = source;
		await image.decode();
		const canvas = document.createElement("canvas");
		const context = canvas.getContext("2d");
		context?.drawImage(image, 0, 0);
		return [...(context?.getImageData(20, 20, 1, 1).data ?? [])];
	}, address);
	const [red = 0, green = 255, blue = 255] = color;
	expect(red).toBeGreaterThan(150);
	expect(Math.max(green, blue)).toBeLessThan(100);
}
