import { type ScriptedService, startScriptedService, writeJson } from "../integration/service.ts";

/** What a scripted model answers with: calls of tools, a text, a failure, or a call that cannot be used (U4). */
export type ModelAnswer =
	| { readonly calls: readonly (readonly [name: string, input: unknown])[] }
	| { readonly text: string }
	| { readonly status: number }
	| { readonly isUnusable: true };

/** Starts a model that gives these answers one after the other, and «Done.» from then on. */
export function startModelService(script: readonly ModelAnswer[]): Promise<ScriptedService> {
	let round = 0;
	return startScriptedService(({ path }, response) => {
		if (!path.startsWith("/v1/chat")) {
			writeJson(response, 404, { message: "There is only chat." });
			return;
		}
		const answer = script[round] ?? { text: "Done." };
		round += 1;
		if ("status" in answer) {
			writeJson(response, answer.status, { message: "Out of order for now." });
			return;
		}
		const frames = ['{"role":"assistant","content":""}', frameOf(answer, round), "{}"];
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.end([...frames, "[DONE]", "[END]"].map(data => `data: ${data}\n\n`).join(""));
	});
}

function frameOf(answer: Exclude<ModelAnswer, { status: number }>, round: number): string {
	if ("text" in answer) {
		return JSON.stringify({ content: answer.text });
	}
	const calls = "calls" in answer ? answer.calls : ([["read_file", {}]] as const);
	return JSON.stringify({
		tool_calls: calls.map(([name, input], index) => ({
			...("calls" in answer ? { id: `call-${round}-${index}` } : {}),
			type: "function",
			function: { name, arguments: JSON.stringify(input) },
		})),
	});
}
