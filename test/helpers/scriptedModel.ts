import type { ServerResponse } from "node:http";
import {
	type HeardRequest,
	type ScriptedService,
	startScriptedService,
	writeJson,
} from "../integration/service.ts";

/** A text in one message or several, which may break off, or wait in its middle until a test lets it go on. */
export interface TextAnswer {
	readonly text: string | readonly string[];
	/** Settles when the rest may come. */
	readonly until?: Promise<unknown>;
	readonly rest?: string;
	/** `cut`: the connection breaks inside the message. `early`: the message is whole, the stream's end is missing. */
	readonly ending?: "cut" | "early";
}

/** What a scripted model answers a question with: a text, calls of tools, a call without an id (U4), a failure, or any body. */
export type ModelAnswer =
	| TextAnswer
	| {
			readonly calls: readonly (readonly [name: string, input: unknown])[];
			readonly until?: Promise<unknown>;
	  }
	| { readonly isUnusable: true }
	/** The connection breaks before a byte. */
	| { readonly isReset: true }
	| {
			readonly status: number;
			readonly message?: string;
			readonly headers?: Readonly<Record<string, string>>;
	  }
	| { readonly body: string; readonly type: string };

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const done = "data: [DONE]\n\n";
const end = "data: [END]\n\n";
const opening = frame({ role: "assistant", content: "" }) + frame({ content: "It begins well, " });
const stream = (body: string): ModelAnswer => ({ body, type: "text/event-stream" });

/** The ways in which a service of the interface fails a question on the wire, by name. */
export const wireFailures: Readonly<Record<string, ModelAnswer>> = {
	cut: { text: "It begins well, ", ending: "cut" },
	early: { text: "This message is whole.", ending: "early" },
	noDone: stream(opening + end),
	garbage: stream(`${opening}${"data: <br />\n\n".repeat(4)}`),
	badFrame: stream(`${opening}data: {"content":"lost"\n\n${frame({})}${done}${end}`),
	empty: stream(end),
	webPage: { body: "<!doctype html><title>Sign in</title>", type: "text/html" },
	rejected: { body: '{"success":false,"error":{"message":"No."}}', type: "application/json" },
	redirect: { status: 307, headers: { location: "https://elsewhere.invalid/" } },
	reset: { isReset: true },
	400: { status: 400 },
	401: { status: 401 },
	413: { status: 413 },
	429: { status: 429, headers: { "retry-after": "3600" } },
	500: { status: 500 },
	503: { status: 503, headers: { "retry-after": "20" } },
};

/** A model whose answers a test decides: a service of the interface at `/v1/chat/messages`, and a server as OpenAI's. */
export interface ScriptedModel {
	readonly baseUrl: string;
	/** Requests since the test began. */
	readonly heard: readonly HeardRequest[];
	/** Bodies of the questions since the test began. */
	readonly questions: readonly string[];
	/** The ids of the models that it lists; the first answers. */
	ids: readonly string[];
	/** What questions are answered with from now on, one after the other, and then with “Done.” */
	script(...answers: readonly ModelAnswer[]): void;
	/** Ends every answer, and forgets what was asked and what was to be answered. */
	reset(): void;
	stop(): Promise<void>;
}

/** Settings with which the local service asks the model, and draws clips and runs Python itself. */
export function throughLocalService(
	{ baseUrl }: ScriptedModel,
	model = "lm/scripted",
): Readonly<Record<string, unknown>> {
	return {
		"cutaway.localService.servers": [{ name: model.split("/")[0], baseUrl }],
		"cutaway.chat.model": model,
	};
}

/** Settings with which the model is a service of the interface. */
export function asService({ baseUrl }: ScriptedModel): Readonly<Record<string, unknown>> {
	return { "cutaway.endpoint": baseUrl };
}

/** Starts one on 127.0.0.1. */
export async function startScriptedModel(): Promise<ScriptedModel> {
	let answers: readonly ModelAnswer[] = [];
	let round = 0;
	let first = 0;
	const running = new Set<ServerResponse>();
	const service: ScriptedService = await startScriptedService((request, response) => {
		if (request.method === "GET" && request.path === "/v1/models") {
			writeJson(response, 200, { data: model.ids.map(id => ({ id })) });
		} else if (!isQuestion(request)) {
			writeJson(response, 404, { error: { message: "There is only chat." } });
		} else {
			running.add(response);
			response.on("close", () => running.delete(response));
			const answer = answers[round] ?? { text: "Done." };
			round += 1;
			void write(response, answer, request, round);
		}
	});
	const heard = (): readonly HeardRequest[] => service.heard.slice(first);
	const model: ScriptedModel = {
		baseUrl: service.baseUrl,
		ids: ["scripted", "another"],
		get heard() {
			return heard();
		},
		get questions() {
			return heard()
				.filter(isQuestion)
				.map(({ body }) => body);
		},
		script: (...given) => {
			answers = given;
			round = 0;
		},
		reset: () => {
			answers = [];
			round = 0;
			first = service.heard.length;
			running.forEach(response => response.destroy());
		},
		stop: () => service.stop(),
	};
	return model;
}

function isQuestion({ method, path }: HeardRequest): boolean {
	return method === "POST" && path.startsWith("/v1/chat/");
}

/** How one of the two interfaces puts things on the wire. */
interface Wire {
	/** Frames of whole messages but for the last, which stays open. */
	open(texts: readonly string[]): string;
	more(text: string): string;
	closeMessage(): string;
	calls(calls: readonly object[]): string;
	readonly end: string;
}

const serviceWire: Wire = {
	open: texts =>
		texts
			.map(text => frame({ role: "assistant", content: "" }) + frame({ content: text }))
			.join(frame({}) + done),
	more: text => frame({ content: text }),
	closeMessage: () => frame({}) + done,
	calls: tool_calls => frame({ role: "assistant", content: "" }) + frame({ tool_calls }),
	end,
};

const chunk = (delta: object, finish: string | null = null): string =>
	frame({ choices: [{ index: 0, delta, finish_reason: finish }] });

const modelWire: Wire = {
	open: texts => chunk({ content: texts.join("\n\n") }),
	more: text => chunk({ content: text }),
	closeMessage: () => chunk({}, "stop"),
	calls: calls =>
		chunk({ tool_calls: calls.map((call, index) => ({ index, ...call })) }, "tool_calls"),
	end: done,
};

async function write(
	response: ServerResponse,
	answer: ModelAnswer,
	{ path }: HeardRequest,
	round: number,
): Promise<void> {
	const wire = path === "/v1/chat/completions" ? modelWire : serviceWire;
	if ("status" in answer) {
		const message = answer.message ?? "Out of order for now.";
		response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
		response.end(JSON.stringify({ message, error: { message } }));
		return;
	}
	if ("isReset" in answer) {
		response.req.socket.resetAndDestroy();
		return;
	}
	if ("body" in answer) {
		response.writeHead(200, { "content-type": answer.type }).end(answer.body);
		return;
	}
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.flushHeaders();
	if (!("text" in answer)) {
		await ("until" in answer ? answer.until : undefined);
		const end = wire === serviceWire ? wire.closeMessage() + wire.end : wire.end;
		response.end(wire.calls(callsOf(answer, round)) + end);
		return;
	}
	response.write(wire.open([answer.text].flat()));
	await answer.until;
	if (response.destroyed) {
		return;
	}
	response.write(wire.more(answer.rest ?? ""));
	if (answer.ending === "cut") {
		// What was sent has time to arrive.
		setTimeout(() => response.destroy(), 50);
	} else {
		response.end(wire.closeMessage() + (answer.ending === "early" ? "" : wire.end));
	}
}

function callsOf(
	answer: Extract<ModelAnswer, { isUnusable: true } | { calls: unknown }>,
	round: number,
): readonly object[] {
	const calls = "calls" in answer ? answer.calls : ([["read_file", {}]] as const);
	return calls.map(([name, input], index) => ({
		...("calls" in answer ? { id: `call-${round}-${index}` } : {}),
		type: "function",
		function: { name, arguments: JSON.stringify(input) },
	}));
}
