import { expect, test } from "vitest";
import { ChatLibrary } from "../../../../src/chat/library/chatLibrary.ts";
import { buildChatRequest } from "../../../../src/chat/chatRequest.ts";
import { startTurn } from "../../../../src/chat/contract/turn.ts";
import { makeChatBench, plainOptions } from "../../../helpers/chatBench.ts";

test("a system prompt is the first message of the request, before earlier questions", () => {
	const options = { ...plainOptions, systemPrompt: "Be brief." };
	const turn = startTurn({ id: "t", prompt: "Why?", createdAt: 0, options });
	expect(buildChatRequest([turn]).messages).toEqual([
		{ role: "system", content: "Be brief." },
		{ role: "user", content: "Why?" },
	]);
});

test("the project's instructions go behind the system prompt, each with the name of its file", () => {
	const instructions = [
		{ name: "AGENTS.md", text: "Use tabs." },
		{ name: "web/AGENTS.md", text: "Use lit." },
	];
	const contentWith = (systemPrompt?: string): string | undefined => {
		const options = { ...plainOptions, instructions, ...(systemPrompt ? { systemPrompt } : {}) };
		const turn = startTurn({ id: "t", prompt: "Why?", createdAt: 0, options });
		return buildChatRequest([turn]).messages[0]?.content;
	};
	const both =
		"Instructions of this project (AGENTS.md):\n\nUse tabs.\n\n" +
		"Instructions of this project (web/AGENTS.md):\n\nUse lit.";
	expect(contentWith()).toBe(both);
	expect(contentWith("Be brief.")).toBe(`Be brief.\n\n${both}`);
});

test("the options of a question are on its record as a whole", async () => {
	const bench = await makeChatBench();
	const options = {
		...plainOptions,
		systemPrompt: "Be brief.",
		instructions: [{ name: "AGENTS.md", text: "Use tabs." }],
		isDemo: true,
	} as const;
	await bench.session.send("Why?", options);
	await bench.session.close();
	expect((await bench.reopen()).turns[0]?.options).toEqual(options);
});

test("what was chosen for a chat is there when it is opened again, the last choice in place of earlier ones", async () => {
	const bench = await makeChatBench();
	const { session, folder, clock, store } = bench;
	const systemPrompt = "Be brief.";
	await session.send("Why?", { ...plainOptions, systemPrompt });
	const library = new ChatLibrary({ folder, clock });
	await library.setOptions(session.id, { temperature: 1, systemPrompt });
	await library.setOptions(session.id, { systemPrompt });
	await session.close();
	const opened = await store.open(session.id);
	expect(opened.type === "opened" && opened.chat.options).toEqual({ systemPrompt });
	expect(opened.type === "opened" && opened.chat.turns[0]?.options.systemPrompt).toBe(systemPrompt);
	library.dispose();
});
