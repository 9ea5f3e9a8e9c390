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
export class FrameDecoder {
	private readonly onTooLong: FrameHandlers["onTooLong"];
	private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	private isBeginning = true;
	private isOver = false;
	private isTooLong = false;
	private readonly parser: ReturnType<typeof createParser>;

	/**
	 * Makes a decoder: the same frames come out however the bytes are cut. Event names, ids, `retry` and comments are read over.
	 * WHATWG HTML §9.2.6, rows S16–S18.
	 */
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

	/** The stream is over: hands out a last frame that no blank line ended. */
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
		// Neither can the runtime's decoder be left to drop the BOM: cut in pieces, it drops a second one too.
		const withoutMark = this.isBeginning && text.startsWith("\uFEFF") ? text.slice(1) : text;
		this.isBeginning &&= text === "";
		if (!this.isTooLong) {
			this.parser.feed(withoutMark);
		}
	}
}
