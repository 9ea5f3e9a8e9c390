/** What a whole streamed answer means, in a form that does not depend on how it was cut. */
export interface ChatReading {
	readonly messages: readonly MessageReading[];
	/** `ended`, or the kind of failure. */
	readonly ending: string;
}

/** One message, or the part of one that came. */
export interface MessageReading {
	readonly role: string;
	readonly text: string;
	/** Set once the message ended. */
	readonly end?: { readonly isClosed: boolean; readonly unreadableFrames: number } | undefined;
}

/**
 * Reads a whole stream the plain way, all bytes at once: the test's own second opinion, which shares no code with the
 * client. Knows frames of text, not calls. WHATWG HTML §9.2.6, docs/faults.md.
 */
export function readWholeStream(bytes: Uint8Array): ChatReading {
	const { frames, last } = readFrames(new TextDecoder().decode(bytes));
	const isLastWhole = isMarker(last) || isJsonObject(last) || isLineOfFrames(last);
	const wholeLines = last.includes("\n") ? last.slice(0, last.lastIndexOf("\n")) : "";
	return readAnswer([...frames, isLastWhole ? last : wholeLines]);
}

function isMarker(frame: string): boolean {
	return ["[DONE]", "[END]"].includes(frame.trim());
}

/** Whether single line ends separate what would be frames between blank lines. */
function isLineOfFrames(frame: string): boolean {
	const lines = frame.split("\n").filter(line => line.trim() !== "");
	return lines.length > 1 && lines.every(line => isMarker(line) || isJsonObject(line));
}

/** The data of every frame of an event stream, and of a last one that no blank line ends. */
function readFrames(text: string): { frames: string[]; last: string } {
	const frames: string[] = [];
	let data: string[] = [];
	const lines = text.split(/\r\n|\r|\n/);
	const unfinished = lines.pop() ?? "";
	for (const line of lines) {
		if (line === "") {
			if (data.length > 0) {
				frames.push(data.join("\n"));
			}
			data = [];
		} else {
			data.push(...dataOf(line));
		}
	}
	return { frames, last: [...data, ...dataOf(unfinished)].join("\n") };
}

function dataOf(line: string): string[] {
	if (line === "data") {
		return [""];
	}
	return line.startsWith("data:") ? [line.slice(5).replace(/^ /, "")] : [];
}

/** The grammar `(frame* [DONE])* [END]`, read frame by frame. */
export function readAnswer(given: readonly string[]): ChatReading {
	const frames = given.flatMap(frame =>
		!isJsonObject(frame) && isLineOfFrames(frame) ? frame.split("\n") : [frame],
	);
	const messages: {
		role: string;
		text: string;
		bad: number;
		twice: boolean;
		end?: MessageReading["end"];
	}[] = [];
	let badBetween = 0;
	let bad = 0;
	let badInRow = 0;
	const openOne = (): (typeof messages)[number] | undefined => {
		const message = messages.at(-1);
		return message?.end ? undefined : message;
	};
	const close = (isDone: boolean): void => {
		const message = openOne();
		if (message) {
			message.end = { isClosed: isDone && !message.twice, unreadableFrames: message.bad };
		}
	};
	const hasText = (): boolean => messages.some(message => message.text !== "");
	const isTooBad = (): boolean => {
		bad++;
		badInRow++;
		const message = openOne();
		if (message) {
			message.bad++;
		} else {
			badBetween++;
		}
		return bad > 10 || badInRow >= 3;
	};
	const result = (ending: string): ChatReading => ({
		ending,
		messages: messages.map(({ role, text, end }) => ({ role, text, ...(end ? { end } : {}) })),
	});
	for (const frame of frames) {
		if (frame.trim() === "[DONE]") {
			badInRow = 0;
			close(true);
			continue;
		}
		if (frame.trim() === "[END]") {
			if (openOne()) {
				close(false);
				return result("endedEarly");
			}
			if (badBetween > 0) {
				return result(messages.length > 0 ? "endedEarly" : "unreadable");
			}
			return result(hasText() ? "ended" : bad > 0 ? "unreadable" : "empty");
		}
		if (frame.trim() === "") {
			continue;
		}
		const fields = parseFrame(frame);
		const isKnown = fields && ["role", "content", "name"].some(name => Object.hasOwn(fields, name));
		if (fields && isKnown) {
			const role = typeof fields["role"] === "string" ? fields["role"] : "";
			const content = typeof fields["content"] === "string" ? fields["content"] : "";
			if (role !== "" && openOne() && openOne()?.role !== role) {
				close(false);
			}
			let message = openOne();
			if (!message) {
				message = { role: role || "assistant", text: "", bad: badBetween, twice: false };
				badBetween = 0;
				messages.push(message);
			}
			message.twice ||= role !== "" && fields["content"] === "" && message.text !== "";
			message.text += content;
		}
		if (fields && !hasWrongType(fields)) {
			badInRow = 0;
		} else if (isTooBad()) {
			return result(hasText() ? "interrupted" : "unreadable");
		}
	}
	if (!hasText()) {
		return result(bad > 0 ? "unreadable" : "noText");
	}
	return result(openOne() ? "interrupted" : "endedEarly");
}

function hasWrongType(fields: Readonly<Record<string, unknown>>): boolean {
	return [fields["role"], fields["content"]].some(
		value => value !== undefined && value !== null && typeof value !== "string",
	);
}

function parseFrame(frame: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const value: unknown = JSON.parse(frame);
		return typeof value === "object" && value !== null && !Array.isArray(value)
			? { ...value }
			: undefined;
	} catch {
		return undefined;
	}
}

function isJsonObject(text: string): boolean {
	return parseFrame(text) !== undefined;
}
