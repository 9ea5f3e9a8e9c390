import { expect, test, vi } from "vitest";
import type { ChatSession, SendResult } from "../../../../src/chat/chatSession.ts";
import { endTurn, startTurn, type Turn } from "../../../../src/chat/contract/turn.ts";
import { ServiceError } from "../../../../src/client/contract/serviceError.ts";
import type { ChatAttachments } from "../../../../src/ui/attachments/chatAttachments.ts";
import type { QuestionSettings } from "../../../../src/ui/chat/questionSettings.ts";
import { plainOptions } from "../../../helpers/chatBench.ts";

const executeCommand = vi.fn((_: string) => Promise.resolve());
vi.mock("vscode", () => ({ commands: { executeCommand } }));
const { ChatQuestions } = await import("../../../../src/ui/chat/chatQuestions.ts");

const asked = startTurn({ id: "t", prompt: "Why?", createdAt: 0, options: plainOptions });
const outOfOrder = new ServiceError("conflict", { charge: "refused" });
const failed = endTurn(asked, { type: "failed", error: outOfOrder });

const call = { id: "c1", type: "function", function: { name: "list_files", arguments: "{}" } };

/** A turn whose follow-up failed: the result of a call is there. */
const followUpFailed: Turn = endTurn(
	{
		...asked,
		messages: [
			{
				role: "assistant",
				text: "",
				isFinished: true,
				toolNames: ["list_files"],
				raw: { role: "assistant", content: "", tool_calls: [call] },
			},
			{
				role: "tool",
				text: "a.txt",
				isFinished: true,
				toolNames: [],
				raw: { role: "tool", tool_call_id: "c1", content: "a.txt" },
			},
		],
	},
	{ type: "failed", error: outOfOrder },
);

function setUp(turn: Turn, result: SendResult = { type: "started", turnId: "t" }) {
	const heard: string[] = [];
	const answer = (name: string) => (id: string) => {
		heard.push(`${name} ${id}`);
		return Promise.resolve(result);
	};
	const session: Partial<ChatSession> = {
		id: "chat",
		turns: [turn],
		isBusy: false,
		send: answer("send"),
		retry: answer("retry"),
		resume: answer("resume"),
		showError: answer("showError"),
		askVersion: (id, { prompt, options: { model }, attachments: sent }) => {
			heard.push(`version ${id} ${prompt} ${model} ${sent.length}`);
			return Promise.resolve(result);
		},
		versionsOf: () => ({ ids: ["s", "t"], index: 1 }),
		showVersion: id => {
			heard.push(`show ${id}`);
			return result.type === "busy" ? "busy" : "shown";
		},
	};
	const attachments: Partial<ChatAttachments> = {
		prepare: () => Promise.resolve([]),
		whileSending: async step => {
			heard.push("sending");
			return await step().finally(() => heard.push("no longer sending"));
		},
		renew: sent => Promise.resolve(sent),
		clear: () => void heard.push("clear"),
		addAgain: () => Promise.resolve(void heard.push("addAgain")),
	};
	const options: Partial<QuestionSettings> = {
		settled: (model = plainOptions.model) => Promise.resolve({ ...plainOptions, model }),
	};
	const questions = new ChatQuestions({
		session: () => session as ChatSession,
		isLocal: () => false,
		attachments: attachments as ChatAttachments,
		options: options as QuestionSettings,
		onSent: chatId => heard.push(`sent in ${chatId}`),
		onNotAsked: () => heard.push("not asked"),
		onEdit: text => heard.push(`edit ${text}`),
	});
	return { questions, heard };
}

test("a question counts as being sent until it is recorded, which clears what was attached", async () => {
	const { questions, heard } = setUp(asked);
	expect(await questions.send("Hello")).toBe("t");
	expect(heard).toEqual(["sending", "send Hello", "clear", "sent in chat", "no longer sending"]);
});

test("a question that was not sent leaves what was attached", async () => {
	const { questions, heard } = setUp(asked, { type: "busy" });
	await expect(questions.send("Hello")).rejects.toThrow("An answer is still running");
	expect(heard).toEqual(["sending", "send Hello", "no longer sending", "not asked"]);
});

test("«Try again» asks a question again that no tool has answered for, and goes on where one has", async () => {
	const first = setUp(failed);
	await first.questions.runAction("t", "tryAgain");
	expect(first.heard).toEqual(["retry t"]);
	const second = setUp(followUpFailed);
	await second.questions.runAction("t", "tryAgain");
	expect(second.heard).toEqual(["resume t"]);
});

test("Retry asks again, whatever tools have done, and what was answered stays as another version", async () => {
	const { questions, heard } = setUp(followUpFailed);
	await questions.retry("t");
	await questions.retry("t", "llm-4-turbo");
	expect(heard).toEqual([`version t Why? ${plainOptions.model} 0`, "version t Why? llm-4-turbo 0"]);
});

test("Retry asks in the same place where nothing was answered", async () => {
	const { questions, heard } = setUp(failed);
	await questions.retry("t");
	expect(heard).toEqual(["retry t"]);
});

test("an edited question is another version, without what was taken off it", async () => {
	const file = { kind: "file", name: "a.csv", fileId: "f" };
	const attachments = [file, file, file] as unknown as Turn["attachments"];
	const { questions, heard } = setUp({ ...asked, attachments });
	await questions.edit("t", "Why not?", [0, 2]);
	expect(heard).toEqual([`version t Why not? ${plainOptions.model} 1`]);
});

test("versions are stepped through up to their ends, and not while an answer runs", () => {
	const { questions, heard } = setUp(asked);
	questions.showVersion("t", 1);
	questions.showVersion("t", -1);
	expect(heard).toEqual(["show s"]);
	const busy = setUp(asked, { type: "busy" });
	expect(() => busy.questions.showVersion("t", -1)).toThrow("An answer is still running");
});

test("an action that the status does not offer now is refused", async () => {
	const { questions, heard } = setUp(asked);
	await expect(questions.runAction("t", "tryAgain")).rejects.toThrow("no longer available");
	await expect(questions.runAction("other", "tryAgain")).rejects.toThrow("no longer available");
	expect(heard).toEqual([]);
});

test("«Show the error», the words to edit and commands go where they belong", async () => {
	const error = new ServiceError("badRequest", { charge: "refused" });
	const cut = endTurn(asked, {
		type: "failed",
		error: new ServiceError("interrupted", { charge: "unknown" }),
	});
	const shown = setUp(cut);
	await shown.questions.runAction("t", "showError");
	expect(shown.heard).toEqual(["showError t"]);
	const edited = setUp(endTurn(asked, { type: "failed", error }));
	await edited.questions.runAction("t", "edit");
	expect(edited.heard).toEqual(["edit Why?", "addAgain"]);
	const unauthorized = new ServiceError("unauthorized", { charge: "refused" });
	const { questions } = setUp(endTurn(asked, { type: "failed", error: unauthorized }));
	await questions.runAction("t", "setApiKey");
	expect(executeCommand).toHaveBeenCalledWith("cutaway.setApiKey");
});
