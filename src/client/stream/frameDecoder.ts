import { createParser } from "eventsource-parser";

/** The longest frame, in UTF-16 code units. */
export const maxFrameLength = 16 * 1024 * 1024;

/** The parser's allowance for field names and separators besides a frame's data. */
const framingAllowance = 1024;

export interface FrameHandlers {
	/** Receives a frame's data with its lines joined by LF. `isTerminated` is false if the end of the stream cut it off. */
	readonly onFrame: (data: string, isTerminated: boolean) => void;
	/** Called if a frame is longer than `maxFrameLength`. No calls follow. */
	readonly onTooLong: () => void;
}

/** Decodes a byte stream of server-sent events into frames. */
export class FrameDecoder {
	private readonly onTooLong: FrameHandlers["onTooLong"];
	private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	private isBeginning = true;
	private isOver = false;
	private isTooLong = false;
	private readonly parser: ReturnType<typeof createParser>;

	/** The frames don't depend on how the bytes are split into chunks. Ignores event names, ids, `retry` fields and comments. WHATWG HTML §9.2.6. */
	constructor({ onFrame, onTooLong }: FrameHandlers) {
		this.onTooLong = onTooLong;
		this.parser = createParser({
			maxBufferSize: maxFrameLength + framingAllowance,
			onEvent: ({ data }) => {
				if (data.length > maxFrameLength) {
					this.tooLong();
				} else if (!this.isTooLong) {
					onFrame(data, !this.isOver);
				}
			},
			onError: error => {
				if (error.type === "max-buffer-size-exceeded") {
					this.tooLong();
				}
			},
		});
		this.parser.feed("\n");
	}

	push(bytes: Uint8Array): void {
		this.feed(this.decoder.decode(bytes, { stream: true }));
	}

	/** Ends the stream. Emits a last frame that no blank line terminates. */
	end(): void {
		this.feed(this.decoder.decode());
		this.isOver = true;
		this.feed("\n\n");
	}

	private tooLong(): void {
		if (!this.isTooLong) {
			this.isTooLong = true;
			this.onTooLong();
		}
	}

	private feed(text: string): void {
		// The runtime's decoder can't be used to drop the BOM: with chunked input it drops a second one, too.
		const withoutMark = this.isBeginning && text.startsWith("\uFEFF") ? text.slice(1) : text;
		this.isBeginning &&= text === "";
		if (!this.isTooLong) {
			this.parser.feed(withoutMark);
		}
	}
}
