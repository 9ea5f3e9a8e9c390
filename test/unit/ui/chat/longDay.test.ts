// @module-tag thorough
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod/mini";
import { ChatSession } from "../../../../src/chat/chatSession.ts";
import { ChatStore } from "../../../../src/chat/store/chatStore.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { Emitter } from "../../../../src/common/disposable.ts";
import { silentLog } from "../../../../src/common/log.ts";
import type { ChatChange } from "../../../../src/shared/chat.ts";
import { ToolRegistry } from "../../../../src/tools/catalog/toolRegistry.ts";
import type { ChatController } from "../../../../src/ui/chat/chatController.ts";
import { shownTurns } from "../../../../src/ui/chat/chatViewModel.ts";
import { SessionView } from "../../../../src/ui/chat/sessionView.ts";
import { ToolCardStore } from "../../../../src/ui/tools/toolCardStore.ts";
import { plainOptions } from "../../../helpers/chatBench.ts";
import { clientOf } from "../../../helpers/clientHarness.ts";
import { heapCounts } from "../../../helpers/heapCounts.ts";
import { chatToolsOf, createToolBench } from "../../../helpers/toolBench.ts";
import { PageMemory } from "../../../../src/ui/webview/pageMemory.ts";

vi.mock("vscode", () => ({
	Uri: { joinPath: (...parts: unknown[]) => parts.join("/") },
	commands: { executeCommand: () => Promise.resolve() },
	env: { language: "en" },
	l10n: { bundle: undefined },
}));
const { ChatView } = await import("../../../../src/ui/chatView/chatView.ts");

/** How many fragments an answer comes in. */
const fragments = 80;

const bodySchema = z.object({ messages: z.array(z.object({ role: z.string() })) });

/** A service whose model calls a tool before every fourth answer, and sends each answer fragment by fragment. */
async function startService(): Promise<string> {
	const server = createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on("data", (part: Buffer) => parts.push(part));
		request.on("end", () => {
			const { messages } = bodySchema.parse(JSON.parse(Buffer.concat(parts).toString("utf8")));
			const frames = framesAfter(messages.map(({ role }) => role));
			response.writeHead(200, { "content-type": "text/event-stream" });
			const sendNext = (): void => {
				response.write(`data: ${frames.shift()}\n\n`);
				if (frames.length > 0) {
					setImmediate(sendNext);
				} else {
					response.end();
				}
			};
			sendNext();
		});
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function framesAfter(roles: readonly string[]): string[] {
	const questions = roles.filter(role => role === "user").length;
	const start = '{"role":"assistant","content":""}';
	if (questions % 4 === 0 && roles.at(-1) === "user") {
		const call = {
			id: `call-${questions}`,
			type: "function",
			function: { name: "list_files", arguments: '{"pattern":"*.txt"}' },
		};
		return [start, JSON.stringify({ tool_calls: [call] }), "{}", "[DONE]", "[END]"];
	}
	const texts = Array.from({ length: fragments }, (_, index) =>
		JSON.stringify({ content: `w${questions}-${index} ` }),
	);
	return [start, ...texts, "{}", "[DONE]", "[END]"];
}

/** A webview that hands every message to nobody, and answers for its page. */
function createWebview() {
	let receive: ((message: unknown) => void) | undefined;
	const none = { dispose: () => undefined };
	const answer = (message: unknown): void => receive?.(message);
	let requests = 0;
	const ask = (method: string, params: unknown): void =>
		answer({ type: "request", id: requests++, method, params });
	const view = {
		visible: true,
		webview: {
			options: {},
			html: "",
			cspSource: "csp:",
			asWebviewUri: String,
			postMessage: (message: { event?: string; data?: { beat?: number } }) => {
				// VS Code makes a copy of it for the page.
				JSON.stringify(message);
				if (message.event === "ping") {
					setImmediate(() =>
						ask("pong", { beat: message.data?.beat ?? 0, isShown: true, isWriting: false }),
					);
				}
				return Promise.resolve(true);
			},
			onDidReceiveMessage: (listener: (message: unknown) => void) => {
				receive = listener;
				return none;
			},
		},
		onDidChangeVisibility: () => none,
		onDidDispose: () => none,
	};
	return { view, ask };
}

/** The chat view on a session, as the controller puts them together. */
function show(session: ChatSession, webview: ReturnType<typeof createWebview>): void {
	const changed = new Emitter<readonly ChatChange[]>();
	const cards = new ToolCardStore(new ToolRegistry(), () =>
		Promise.resolve({ dispose: () => undefined }),
	);
	cards.onDidChange(change => changed.fire([{ type: "tool-card", ...change }]));
	const sessionView = new SessionView(
		session,
		systemClock,
		() => false,
		change => {
			if (change.type !== "reset" && change.type !== "banner" && change.type !== "branch-shown") {
				changed.fire([change]);
			}
		},
		cards,
	);
	const controller = {
		onDidChange: changed.event,
		onDidAskToEdit: new Emitter<string>().event,
		picture: () => ({
			chatId: session.id,
			title: session.title,
			turns: shownTurns({ session, isLocal: false, cards, videos: [] }),
		}),
	} as unknown as ChatController;
	const unused = (): Promise<never> => Promise.reject(new Error("Nobody asks for videos"));
	const videos = {
		generate: unused,
		make: unused,
		open: unused,
		run: unused,
		choose: unused,
		clip: unused,
	};
	const chatView = new ChatView(
		"extension:" as never,
		() => Promise.resolve(controller),
		systemClock,
		silentLog,
		videos,
		new PageMemory({ folder: undefined, log: silentLog }),
		{ saveWrittenFile: unused, answerPackages: unused },
	);
	chatView.listenTo(controller);
	chatView.resolve(webview.view as never);
	webview.ask("ready", {});
	onTestFinished(() => {
		sessionView.dispose();
		chatView.dispose();
	});
}

/** A chat with everything around it that is not VS Code's. */
async function startDay() {
	const bench = await createToolBench();
	bench.put("ws/a.txt", "words");
	const client = clientOf(await startService());
	const store = new ChatStore({ folder: `${bench.base}/chats`, clock: systemClock });
	const session = new ChatSession({
		client,
		store,
		clock: systemClock,
		log: silentLog,
		tools: {
			...chatToolsOf(bench.gate),
			service: () => "",
			mayContinue: () => Promise.resolve(false),
		},
	});
	onTestFinished(() => session.close());
	show(session, createWebview());
	return {
		session,
		ask: async (count: number) => {
			for (let asked = 0; asked < count; asked++) {
				const ended = new Promise<void>(resolve => {
					const listening = session.onDidChange(({ type }) => {
						if (type === "turn-progress" && !session.isBusy) {
							listening.dispose();
							resolve();
						}
					});
				});
				await session.send(`Question ${session.turns.length}`, plainOptions);
				await ended;
				expect(session.turns.at(-1)?.progress.state).toBe("complete");
			}
		},
	};
}

/** Kinds of which an answer that is over leaves nothing behind. */
const transient = [
	"closure",
	"concatenated string",
	"Promise",
	"AbortController",
	"AbortSignal",
	"EventTarget",
	"Timeout",
	"Immediate",
	"Generator",
	"AsyncGenerator",
	"Socket",
	"Set",
	"Uint8Array",
	"ArrayBuffer",
	"Buffer",
];

/** What an answer that is over leaves: its turn, a few values each of them. */
const perTurn = { string: 12, Object: 12, Array: 12, Map: 1 };

/** How many answers there are between two looks. */
const answers = 60;

/** How many values may be there for other reasons, as code that ran for the first time: fewer than one of each answer. */
const tolerance = answers * 0.9;

test("a chat that streams all day keeps its turns and nothing of how they came", async () => {
	const { session, ask } = await startDay();
	let pieces = 0;
	session.onDidChange(({ type }) => (pieces += type === "text" ? 1 : 0));
	await ask(20);
	const early = await heapCounts();
	pieces = 0;
	await ask(answers);
	expect(pieces).toBeGreaterThan(answers * 20);
	const bounds = [
		...transient.map(kind => [kind, tolerance] as const),
		...Object.entries(perTurn).map(([kind, count]) => [kind, count * answers] as const),
	];
	let late = early;
	const grown = (kind: string): number => (late.get(kind) ?? 0) - (early.get(kind) ?? 0);
	// The last answer has yet to be written.
	await expect
		.poll(
			async () => {
				late = await heapCounts();
				return bounds.filter(([kind, bound]) => grown(kind) > bound);
			},
			{ timeout: 10_000 },
		)
		.toEqual([]);

	// A closure kept of each piece would not escape this.
	const kept: (() => string)[] = [];
	session.onDidChange(change => kept.push(() => change.type));
	await ask(answers / 10);
	const leaky = await heapCounts();
	expect((leaky.get("closure") ?? 0) - (late.get("closure") ?? 0)).toBeGreaterThan(tolerance);
	expect(kept.length).toBeGreaterThan(tolerance);
}, 60_000);
