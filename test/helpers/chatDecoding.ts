import { AnswerAssembler, type StreamEvent } from "../../src/client/stream/answerAssembler.ts";
import { FrameDecoder } from "../../src/client/stream/chatFrame.ts";
import type { ChatEvent } from "../../src/client/contract/serviceClient.ts";
import type { ChatReading, MessageReading } from "./chatOracle.ts";

/** Everything the client's decoder makes of chunks of bytes that end cleanly, and how it ended. */
export function decodeChunks(chunks: readonly Uint8Array[]): {
	events: ChatEvent[];
	ending: string;
} {
	const assembler = new AnswerAssembler();
	const decoder = new FrameDecoder({
		onFrame: (data, isTerminated) => assembler.accept(data, isTerminated),
		onTooLong: () => assembler.fail("answerTooLarge"),
	});
	const events: ChatEvent[] = [];
	for (const chunk of chunks) {
		decoder.push(chunk);
		events.push(...assembler.take().filter(isAnswerPart));
	}
	decoder.end();
	assembler.close();
	events.push(...assembler.take().filter(isAnswerPart));
	const { ending } = assembler;
	return { events, ending: ending?.type === "failed" ? ending.kind : "ended" };
}

/** The same in the oracle's form, where it does not matter how the text was cut. */
export function readingOf(chunks: readonly Uint8Array[]): ChatReading {
	const { events, ending } = decodeChunks(chunks);
	const messages: { role: string; text: string; end?: MessageReading["end"] }[] = [];
	for (const event of events) {
		if (event.type === "message-start") {
			messages[event.index] = { role: event.role, text: "" };
		}
		const message = "index" in event ? messages[event.index] : undefined;
		if (message && event.type === "text-delta") {
			message.text += event.text;
		} else if (message && event.type === "message-end") {
			const { isClosed, unreadableFrames } = event;
			message.end = { isClosed, unreadableFrames };
		}
	}
	return { messages, ending };
}

/** Events with adjacent texts of one message joined, so that two cuttings of a stream can be compared. */
export function joined(events: readonly ChatEvent[]): ChatEvent[] {
	const result: ChatEvent[] = [];
	for (const event of events) {
		const last = result.at(-1);
		if (event.type === "text-delta" && last?.type === "text-delta" && last.index === event.index) {
			result[result.length - 1] = { ...last, text: last.text + event.text };
		} else {
			result.push(event);
		}
	}
	return result;
}

function isAnswerPart(event: StreamEvent): event is ChatEvent {
	return event.type !== "progress" && event.type !== "retrying" && event.type !== "packages";
}
