import { expect, test } from "vitest";
import type { CallOrigin } from "../../../../src/tools/tool/editorActions.ts";
import { allow, createToolBench } from "../../../helpers/toolBench.ts";

test.each([
	["the question it was asked below", { turnId: "turn" }, { chatId: "chat", turnId: "turn" }],
	["no place when no question is there", {}, undefined],
])("a video that a model asks for is given %s", async (_, origin, place) => {
	const bench = await createToolBench();
	const places: (CallOrigin | undefined)[] = [];
	bench.decide = allow;
	bench.editor.generateVideo = ({ askedBelow }) => {
		places.push(askedBelow);
		return Promise.resolve("job");
	};
	const call = { callId: "c", chatId: "chat", name: "generate_video", ...origin };
	const input = JSON.stringify({ prompt: "A boat" });
	const { signal } = new AbortController();
	const result = await bench.gate.run({ ...call, arguments: input }, bench.ledger, signal);
	expect(result.state).toBe("done");
	expect(places).toEqual([place]);
});

test.each([
	["what it costs", "This costs about $0.40.", ["This costs about $0.40."]],
	["nothing of money where it is free", undefined, []],
])("the approval of a video says %s, for its length", async (_, cost, warnings) => {
	const bench = await createToolBench();
	const asked: (number | undefined)[] = [];
	bench.editor.videoCost = seconds => {
		asked.push(seconds);
		return Promise.resolve(cost);
	};
	await bench.run("generate_video", { prompt: "A boat", duration: 4 });
	expect(bench.asked.map(request => request.warnings)).toEqual([warnings]);
	expect(asked).toContain(4);
});
