import { once } from "node:events";
import { type FrameWriter, type HttpExchange, sendJson, sendText } from "./exchange.ts";
import type { WireFault } from "../engine.ts";
import { failureBody } from "../base/httpFailure.ts";

/** Whether an answer goes on after a fault. */
export type FaultOutcome = "over" | "goes on";

type FaultPerformer = (exchange: HttpExchange, frames: FrameWriter) => Promise<FaultOutcome>;

/** Does on the wire what the fault's name says; see `WireFault`. Stalls last until the caller leaves. */
export function performFault(
	fault: WireFault,
	exchange: HttpExchange,
	frames: FrameWriter,
): Promise<FaultOutcome> {
	return performers[fault](exchange, frames);
}

const webPage =
	"<!doctype html><html><head><title>Sign in to the guest network</title></head>" +
	"<body><h1>Sign in</h1><p>This page stands in for an answer.</p></body></html>";

const performers: Readonly<Record<WireFault, FaultPerformer>> = {
	cut: async ({ response }) => {
		// Half a frame, and only what reached the network counts as cut inside a message.
		await new Promise<void>(resolve => {
			response.write('data: {"content":"and he', () => resolve());
		});
		response.destroy();
		return "over";
	},
	early: async ({ response }) => {
		response.end();
		return "over";
	},
	noDone: async ({ response }, frames) => {
		await frames.write("[END]");
		response.end();
		return "over";
	},
	stall: waitForLeaving,
	noAnswer: waitForLeaving,
	garbage: async ({ response }, frames) => {
		for (const data of ['{"content":"unfinis', "<br />", "undefined", '{"content":']) {
			await frames.write(data);
		}
		response.end();
		return "over";
	},
	badFrame: async (_exchange, frames) => {
		await frames.write('{"content":"these words are lost"');
		return "goes on";
	},
	html: async ({ response }) => {
		sendText(response, 200, "text/html; charset=utf-8", webPage);
		return "over";
	},
	refused: async ({ response }) => {
		const message = "This request was refused, as /fail refused asks, with status 200.";
		sendJson(response, 200, JSON.parse(failureBody({ message, code: "demonstration" })));
		return "over";
	},
	redirect: async ({ response }) => {
		response.setHeader("Location", "https://elsewhere.invalid/v1/chat/messages");
		sendText(response, 307, "text/plain; charset=utf-8", "Elsewhere");
		return "over";
	},
	reset: async ({ request }) => {
		request.socket.resetAndDestroy();
		return "over";
	},
};

async function waitForLeaving({ response, signal }: HttpExchange): Promise<FaultOutcome> {
	if (!signal.aborted) {
		await once(signal, "abort");
	}
	response.destroy();
	return "over";
}
