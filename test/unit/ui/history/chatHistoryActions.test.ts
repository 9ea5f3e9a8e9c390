import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ChatLibrary } from "../../../../src/chat/library/chatLibrary.ts";
import { ChatSession } from "../../../../src/chat/chatSession.ts";
import { ChatStore } from "../../../../src/chat/store/chatStore.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { openForTest, plainOptions, waitUntil } from "../../../helpers/chatBench.ts";
import { clientOf } from "../../../helpers/clientHarness.ts";
import { chunk, content, start, streamHead } from "../../../helpers/httpScripts.ts";
import { stall, startScriptedServer } from "../../../helpers/scriptedServer.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const dialogs = vi.hoisted(() => ({ answer: undefined as string | undefined }));
vi.mock("vscode", () => ({
	window: {
		showWarningMessage: () => Promise.resolve(dialogs.answer),
		showInformationMessage: () => Promise.resolve(undefined),
	},
}));
const { deleteChat } = await import("../../../../src/ui/history/chatHistoryActions.ts");

beforeEach(() => {
	dialogs.answer = undefined;
});

/** A window that shows a chat whose answer is stopped in the middle of a sentence. */
async function openAnsweringChat() {
	const server = await startScriptedServer([
		{
			steps: [
				streamHead(),
				chunk(`data: ${start}\n\n`),
				chunk(`data: ${content("Half a sentence")}\n\n`),
				stall,
			],
		},
	]);
	onTestFinished(() => server.close());
	const place = { folder: join(await makeTempFolder(), "chats"), clock: systemClock };
	const store = new ChatStore(place);
	const library = new ChatLibrary(place);
	const session = new ChatSession({
		client: clientOf(server.url),
		store,
		clock: systemClock,
		log: silentLog,
	});
	onTestFinished(() => session.close());
	onTestFinished(() => library.dispose());
	await session.send("A question", plainOptions);
	await waitUntil(() => session.turns[0]?.messages[0]?.text === "Half a sentence");
	const window = {
		library,
		shown: () => ({ id: session.id, isAnswering: session.isBusy, turnCount: 1 }),
		open: () => Promise.resolve(),
		stop: () => session.stop(),
		leave: () => session.close(),
	};
	return { window, store, library, session };
}

test("a chat that is deleted while it answers keeps the text, and is stopped rather than interrupted after an undo", async () => {
	const { window, store, library, session } = await openAnsweringChat();
	dialogs.answer = "Stop and Delete";
	expect(await deleteChat(window, session.id)).toBe(true);
	expect((await library.get(session.id))?.deletedAt).toBeGreaterThan(0);

	await library.restore(session.id);
	const { turns } = await openForTest(store, session.id);
	expect(turns[0]?.progress).toEqual({ state: "stopped" });
	expect(turns[0]?.messages[0]?.text).toBe("Half a sentence");
});

test("a chat that answers is neither stopped nor deleted without a user's word", async () => {
	const { window, library, session } = await openAnsweringChat();
	expect(await deleteChat(window, session.id)).toBe(false);
	expect(session.isBusy).toBe(true);
	expect((await library.get(session.id))?.deletedAt).toBeUndefined();
});
