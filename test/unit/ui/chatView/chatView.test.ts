import { expect, test, vi } from "vitest";
import { Emitter } from "../../../../src/common/disposable.ts";
import { silentLog } from "../../../../src/common/log.ts";
import type { ChatChange, TurnView } from "../../../../src/shared/chat.ts";
import type { ChatController } from "../../../../src/ui/chat/chatController.ts";
import { PageMemory } from "../../../../src/ui/webview/pageMemory.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { turnOf } from "../../../webview/states.ts";

const executeCommand = vi.fn(() => Promise.resolve());
vi.mock("vscode", () => ({
	Uri: { joinPath: (...parts: unknown[]) => parts.join("/") },
	commands: { executeCommand },
	env: { language: "en" },
	l10n: { bundle: undefined },
}));
const { ChatView } = await import("../../../../src/ui/chatView/chatView.ts");

interface Sent {
	readonly type: string;
	readonly event?: string;
	readonly data?: { readonly seq: number; readonly changes: readonly ChatChange[] };
	readonly result?: { readonly seq: number; readonly turns: readonly TurnView[] };
}

const emptyPicture = { chatId: "c", title: "", turns: [] };

/** A controller of which the view uses two events and the picture. */
function createController(picture: object) {
	const changed = new Emitter<readonly ChatChange[]>();
	const askedToEdit = new Emitter<string>();
	const controller = {
		onDidChange: changed.event,
		onDidAskToEdit: askedToEdit.event,
		picture: () => picture,
	};
	return { changed, controller: controller as unknown as ChatController };
}

function createWebviewView() {
	const sent: Sent[] = [];
	let receive: ((message: unknown) => void) | undefined;
	let hide: (() => void) | undefined;
	const view = {
		visible: true,
		webview: {
			options: {},
			html: "",
			cspSource: "csp:",
			asWebviewUri: String,
			postMessage: (message: Sent) => {
				// A word that means nothing is for the frame alone.
				if (Object.keys(message).length > 0) {
					sent.push(message);
				}
				return Promise.resolve(true);
			},
			onDidReceiveMessage: (listener: (message: unknown) => void) => {
				receive = listener;
				return { dispose: () => undefined };
			},
		},
		onDidChangeVisibility: (listener: () => void) => {
			hide = listener;
			return { dispose: () => undefined };
		},
		onDidDispose: () => ({ dispose: () => undefined }),
	};
	return {
		view,
		sent,
		ready: async (id: number, params = {}) => {
			receive?.({ type: "request", id, method: "ready", params });
			await new Promise(resolve => setImmediate(resolve));
		},
		hide: () => {
			view.visible = false;
			hide?.();
		},
		pushes: () => sent.filter(({ event }) => event === "changes"),
	};
}

function setUp(picture: object = emptyPicture) {
	const clock = createFakeClock();
	const { changed, controller } = createController(picture);
	const webview = createWebviewView();
	const uri = "extension:" as never;
	const unused = (): Promise<void> => Promise.resolve();
	const make = (): Promise<boolean> => Promise.resolve(true);
	const clip = (): Promise<null> => Promise.resolve(null);
	const videos = { generate: unused, make, open: unused, run: unused, choose: unused, clip };
	const memory = new PageMemory({ folder: undefined, log: silentLog });
	const shown = (): Promise<ChatController> => Promise.resolve(controller);
	const chatView = new ChatView(uri, shown, clock, silentLog, videos, memory, {
		saveWrittenFile: unused,
		answerPackages: unused,
	});
	chatView.listenTo(controller);
	chatView.resolve(webview.view as never);
	const type = (text: string): void =>
		changed.fire([{ type: "text", turnId: "t", index: 0, text }]);
	return { clock, webview, chatView, type };
}

test("S23: however fast changes come, one message goes out per animation frame, and nothing is lost", async () => {
	const { clock, webview, type } = setUp();
	await webview.ready(0);
	for (let frame = 0; frame < 10; frame++) {
		for (let delta = 0; delta < 1000; delta++) {
			type("x");
		}
		await clock.advance(16);
	}
	expect(webview.pushes()).toHaveLength(10);
	expect(webview.pushes().map(({ data }) => data?.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
	expect(webview.pushes().map(({ data }) => data?.changes)).toEqual(
		Array.from({ length: 10 }, () => [
			{ type: "text", turnId: "t", index: 0, text: "x".repeat(1000) },
		]),
	);
});

test("nothing goes to a view before it asked for everything, and nothing twice after it did", async () => {
	const { clock, webview, type } = setUp();
	type("before");
	await clock.advance(100);
	expect(webview.sent).toEqual([]);
	await webview.ready(0);
	type("waiting");
	await webview.ready(1);
	await clock.advance(100);
	expect(webview.pushes()).toEqual([]);
	const replies = webview.sent.filter(({ type: kind }) => kind === "reply");
	expect(replies.map(({ result }) => result?.seq)).toEqual([0, 0]);
});

test("a page gets the focus after its view, so that no key is pressed while VS Code still moves it", async () => {
	const { clock, webview, chatView, type } = setUp();
	await webview.ready(0);
	const focused = Promise.withResolvers<void>();
	executeCommand.mockReturnValueOnce(focused.promise);
	const opened = chatView.open();
	type("x");
	await clock.advance(16);
	expect(webview.sent.map(({ event }) => event)).toEqual([undefined, "changes"]);
	focused.resolve();
	await opened;
	expect(webview.sent.at(-1)?.event).toBe("focusComposer");
});

test("L3: a hidden view gets nothing until its next document asks for everything", async () => {
	const { clock, webview, type } = setUp();
	await webview.ready(0);
	webview.hide();
	type("unseen");
	await clock.advance(100);
	expect(webview.pushes()).toEqual([]);
});

test("the cursor goes into the composer after the view has everything, not before", async () => {
	const { clock, webview, chatView } = setUp();
	await chatView.open();
	expect(executeCommand).toHaveBeenCalledWith("cutaway.chat.focus");
	await webview.ready(0);
	await clock.advance(16);
	expect(webview.sent.map(({ type, event }) => event ?? type)).toEqual(["reply", "focusComposer"]);
});

const long = {
	...emptyPicture,
	turns: Array.from({ length: 100 }, (_, index) => turnOf("Why?", [], { id: `t${index}` })),
};

test("of a long chat the last turns are there at once, the others a frame later, and the cursor with them", async () => {
	const { clock, webview, chatView, type } = setUp(long);
	await chatView.open();
	await webview.ready(0);
	expect(webview.sent[0]?.result?.turns.map(({ id }) => id)).toEqual(
		long.turns.slice(76).map(({ id }) => id),
	);
	type("x");
	await clock.advance(16);
	expect(webview.sent.map(({ type: kind, event }) => event ?? kind)).toEqual([
		"reply",
		"changes",
		"focusComposer",
	]);
	expect(webview.pushes().map(({ data }) => data)).toEqual([
		{
			seq: 1,
			changes: [
				{ type: "earlier-turns", turns: long.turns.slice(0, 76) },
				{ type: "text", turnId: "t", index: 0, text: "x" },
			],
		},
	]);
});

test("a turn that is to be shown is part of what comes first, and so is the one the reader was at", async () => {
	const { clock, webview, chatView } = setUp(long);
	await webview.ready(0, { at: "t50" });
	expect(webview.sent[0]?.result?.turns[0]?.id).toBe("t26");
	webview.hide();
	await chatView.showTurn("t60");
	await webview.ready(1, { at: "t90" });
	expect(webview.sent.at(-1)?.result?.turns[0]?.id).toBe("t36");
	await clock.advance(16);
	expect(webview.sent.at(-1)).toMatchObject({ event: "showTurn", data: { turnId: "t60" } });
});

test("T16: the document's policy lets nothing in or out but our own files", () => {
	const { webview } = setUp();
	const policy = /content="([^"]*default-src[^"]*)"/.exec(webview.view.webview.html)?.[1] ?? "";
	expect(policy).toMatch(/^default-src 'none'; script-src 'nonce-[\w-]{22}';/);
	for (const part of [
		"connect-src 'none'",
		"frame-src 'none'",
		"form-action 'none'",
		"base-uri 'none'",
	]) {
		expect(policy).toContain(part);
	}
	expect(policy).not.toMatch(/unsafe|https:|\*/);
	expect(webview.view.webview.options).toMatchObject({
		enableScripts: true,
		enableForms: false,
		enableCommandUris: false,
	});
});
