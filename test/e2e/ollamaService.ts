import { createServer, type ServerResponse } from "node:http";

/** What a scripted Ollama says to a question: a text, calls, its refusal, or a text that breaks off. */
export type OllamaAnswer =
	| { readonly text: string; readonly isCutOff?: boolean }
	| { readonly call: readonly [name: string, input: object] }
	| { readonly status: number; readonly error: object };

/** An Ollama on its own port that has no model until one is pulled. */
export interface OllamaService {
	/** Bodies of the questions, in order. */
	readonly asked: readonly string[];
	/** Lets the download that is under way come to its end. */
	finishPull(): void;
	/** What the questions are answered with, one after the other; «Done.» from then on. */
	script(...answers: readonly OllamaAnswer[]): void;
	stop(): Promise<void>;
}

const model = "qwen3:0.6b";
const gigabyte = 1e9;

/** Starts one where Cutaway looks for it; undefined when something else listens there. */
export async function startOllama(): Promise<OllamaService | undefined> {
	let hasModel = false;
	let finishPull = (): void => undefined;
	let answers: readonly OllamaAnswer[] = [];
	const heard: string[] = [];
	const pages: Readonly<Record<string, () => unknown>> = {
		"GET /api/version": () => ({ version: "0.12.0" }),
		"GET /v1/models": () => ({ data: hasModel ? [{ id: model }] : null }),
		"GET /api/tags": () => ({
			models: hasModel ? [{ name: model, size: 0.52 * gigabyte, digest: "d" }] : [],
		}),
		"GET /api/ps": () => ({ models: [] }),
		"POST /api/show": () => ({
			capabilities: ["completion", "tools"],
			model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 },
		}),
	};
	const pull = (response: ServerResponse): void => {
		const file = { digest: "sha256:d", total: 0.52 * gigabyte };
		const line = (part: object): unknown => response.write(`${JSON.stringify(part)}\n`);
		line({ status: "pulling manifest" });
		line({ status: "pulling d", ...file, completed: 0.13 * gigabyte });
		finishPull = () => {
			hasModel = true;
			line({ status: "verifying sha256 digest" });
			line({ status: "success" });
			response.end();
		};
	};
	const server = createServer((request, response) => {
		const asked = `${request.method} ${request.url}`;
		let body = "";
		request.setEncoding("utf8").on("data", (text: string) => (body += text));
		request.on("end", () => {
			if (asked === "POST /api/pull") {
				pull(response);
			} else if (asked === "POST /api/chat") {
				const [answer = { text: "Done." }, ...rest] = answers;
				answers = rest;
				heard.push(body);
				say(response, answer);
			} else {
				const page = pages[asked];
				response.writeHead(page ? 200 : 404).end(JSON.stringify(page?.() ?? { error: "none" }));
			}
		});
	});
	const isListening = await new Promise<boolean>(resolve => {
		server.once("error", () => resolve(false));
		server.listen(11_434, "127.0.0.1", () => resolve(true));
	});
	return isListening
		? {
				asked: heard,
				finishPull: () => finishPull(),
				script: (...given) => (answers = given),
				stop: async () => {
					server.closeAllConnections();
					await new Promise(resolve => server.close(resolve));
				},
			}
		: undefined;
}

function say(response: ServerResponse, answer: OllamaAnswer): void {
	if ("status" in answer) {
		response.writeHead(answer.status).end(JSON.stringify(answer.error));
		return;
	}
	response.writeHead(200, { "content-type": "application/x-ndjson" });
	const message =
		"call" in answer
			? { tool_calls: [{ function: { name: answer.call[0], arguments: answer.call[1] } }] }
			: { content: answer.text };
	response.write(`${JSON.stringify({ message: { role: "assistant", ...message } })}\n`);
	if ("text" in answer && answer.isCutOff === true) {
		setTimeout(() => response.destroy(), 200);
		return;
	}
	response.end(
		`${JSON.stringify({ message: { role: "assistant", content: "" }, done: true, done_reason: "stop" })}\n`,
	);
}
