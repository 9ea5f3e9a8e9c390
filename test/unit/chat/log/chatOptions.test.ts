import { expect, test } from "vitest";
import { createChatLibrary } from "../../../../src/chat/library/chatLibrary.ts";
import { buildChatRequest } from "../../../../src/chat/prompt.ts";
import { startTurn } from "../../../../src/chat/turn/turn.ts";
import { makeChatBench, plainOptions } from "../../../helpers/chatBench.ts";

test("a system prompt is the first message of the request, before earlier questions", () => {
	const options = { ...plainOptions, systemPrompt: "Be brief." };
	const turn = startTurn({ id: "t", prompt: "Why?", createdAt: 0, options });
	expect(buildChatRequest([turn]).messages).toEqual([
		{ role: "system", content: "Be brief." },
		{ role: "user", content: "Why?" },
	]);
});

test("what was chosen for a chat is there when it is opened again, the last choice in place of earlier ones", async () => {
	const bench = await makeChatBench();
	const { session, folder, clock, store } = bench;
	const systemPrompt = "Be brief.";
	await session.send("Why?", { ...plainOptions, systemPrompt });
	const library = createChatLibrary({ folder, clock });
	await library.setOptions(session.id, { temperature: 1, systemPrompt });
	await library.setOptions(session.id, { systemPrompt });
	await session.close();
	const opened = await store.open(session.id);
	expect(opened.type === "opened" && opened.chat.options).toEqual({ systemPrompt });
	expect(opened.type === "opened" && opened.chat.turns[0]?.options.systemPrompt).toBe(systemPrompt);
	library.dispose();
});
