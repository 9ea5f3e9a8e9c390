import { createParser } from "eventsource-parser";

/** The longest frame that is read, in UTF-16 code units. Row S20. */
export const maxFrameLength = 16 * 1024 * 1024;

/** Room the parser needs beyond a frame's own data for field names and separators. */
const framingAllowance = 1024;

/** Hears what a stream of bytes holds. */
export interface FrameHandlers {
	/** The data of one frame, its lines joined by LF. `isTerminated` is false for one that the end of the stream cut short. */
	readonly onFrame: (data: string, isTerminated: boolean) => void;
	/** A frame is longer than `maxFrameLength`; nothing comes after it. Row S20. */
	readonly onTooLong: () => void;
}

/** Bytes of a server-sent event stream in, the data of its frames out. */
export interface FrameDecoder {
	push(bytes: Uint8Array): void;
	/** The stream is over: hands out a last frame that no blank line ended. */
	end(): void;
}

/**
 * Makes a decoder: the same frames come out however the bytes are cut. Event names, ids, `retry` and comments are read over.
 * WHATWG HTML §9.2.6, rows S16–S18.
 */
export function createFrameDecoder({ onFrame, onTooLong }: FrameHandlers): FrameDecoder {
	// One decoder for the whole stream keeps characters whole.
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	let isBeginning = true;
	let isOver = false;
	let isTooLong = false;
	const tooLong = (): void => {
		if (!isTooLong) {
			isTooLong = true;
			onTooLong();
		}
	};
	const parser = createParser({
		maxBufferSize: maxFrameLength + framingAllowance,
		onEvent: ({ data }) => {
			if (data.length > maxFrameLength) {
				tooLong();
			} else if (!isTooLong) {
				onFrame(data, !isOver);
			}
		},
		onError: error => {
			if (error.type === "max-buffer-size-exceeded") {
				tooLong();
			}
		},
	});
	// The parser's own search for a BOM also takes «ï»¿» for one; an empty line ends it.
	parser.feed("\n");
	const feed = (text: string): void => {
		// Neither can the runtime's decoder be left to drop the BOM: cut in pieces, it drops a second one too.
		const withoutMark = isBeginning && text.startsWith("\uFEFF") ? text.slice(1) : text;
		isBeginning &&= text === "";
		if (!isTooLong) {
			parser.feed(withoutMark);
		}
	};
	return {
		push: bytes => feed(decoder.decode(bytes, { stream: true })),
		end: () => {
			feed(decoder.decode());
			isOver = true;
			feed("\n\n");
		},
	};
}
