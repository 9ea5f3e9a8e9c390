import type { ChatEvent } from "../../client/contract/events.ts";
import type { ChatMessage, ToolCall } from "../../client/contract/schemas.ts";

/** One call of a custom tool, from a message that closed properly. */
export interface RequestedCall {
	/** Which form it came in, and so which form its answer has. Interface §2.2. */
	readonly form: "tool" | "function";
	/** The model's id for it; of the deprecated form, which has none, one made of its place. */
	readonly id: string;
	readonly name: string;
	/** JSON, unread. */
	readonly arguments: string;
}

/** Gathers the calls of one answer as its events come. Calls that have no id are told apart by the index of their message. */
export class CallCollector {
	private readonly waiting = new Map<number, RequestedCall[]>();
	private readonly openMessages = new Set<number>();
	private readonly usable: RequestedCall[] = [];
	private readonly answers = new Map<RequestedCall, string>();
	private hasUnclosed = false;

	take(event: ChatEvent): void {
		switch (event.type) {
			case "message-start":
				this.openMessages.add(event.index);
				return;
			case "tool-call":
				this.waiting.set(event.index, [
					...(this.waiting.get(event.index) ?? []),
					requestedCall(event.call),
				]);
				return;
			case "message-end":
				this.finish(event);
				return;
			default:
		}
	}

	/** The calls of every message that closed properly and could be read whole, in order. Fault matrix class T. */
	calls(): readonly RequestedCall[] {
		return this.usable;
	}

	/**
	 * Those of them that a message of the same answer answers, with its text: traces of tools that ran on the server, which ask
	 * nothing of the client. Interface §4.4.
	 */
	answered(): ReadonlyMap<RequestedCall, string> {
		return this.answers;
	}

	/** Whether every message that began has closed (rows S2, S4, S6). */
	isWhole(): boolean {
		return this.openMessages.size === 0 && !this.hasUnclosed;
	}

	private finish(event: Extract<ChatEvent, { type: "message-end" }>): void {
		this.openMessages.delete(event.index);
		this.hasUnclosed ||= !event.isClosed;
		const ofAnswer = this.usable.find(
			call => !this.answers.has(call) && isAnswerTo(event.message, call),
		);
		if (ofAnswer) {
			this.answers.set(ofAnswer, event.message.content);
		}
		if (!event.isClosed || event.unreadableFrames > 0) {
			return;
		}
		this.usable.push(...(this.waiting.get(event.index) ?? []));
		const called = event.message.function_call;
		if (called) {
			const id = `function-${event.index}`;
			this.usable.push({ form: "function", id, name: called.name, arguments: called.arguments });
		}
	}
}

/** How many calls of one answer are run; each may read thousands of files. */
export const maxCallsPerAnswer = 50;

function requestedCall({ id, function: called }: ToolCall): RequestedCall {
	return { form: "tool", id, name: called.name, arguments: called.arguments };
}

/** Whether a message holds the result of a call: by its id, else by its name, else by coming next. Interface §2.2. */
function isAnswerTo({ role, tool_call_id, name }: ChatMessage, call: RequestedCall): boolean {
	if (role !== "tool" && role !== "function") {
		return false;
	}
	return tool_call_id ? tool_call_id === call.id : !name || name === call.name;
}

/** Plan for a call, given what was called before in the same turn. */
export interface PlannedCall {
	/**
	 * `repeat`: the answer of another call with this id and these arguments answers it too (U1, U3). `conflict`: another call of
	 * the round has this id and asks for something else; neither can be told from the other (U2). `excess`: the answer asks for
	 * more calls than are run of one answer.
	 */
	readonly type: "run" | "repeat" | "conflict" | "excess";
	readonly call: RequestedCall;
	/** The same call under an id that is its own within the turn. */
	readonly own: RequestedCall;
}

/** Gives calls ids that are their own within a turn: a model may begin its numbering again with every round. */
export class OwnIds {
	private readonly latest = new Map<
		string,
		{ readonly own: RequestedCall; readonly count: number }
	>();

	/** The call under its own id. A call that equals the one before under its id gets the same. */
	of(call: RequestedCall): RequestedCall {
		const before = this.latest.get(call.id);
		if (before && isSame(before.own, call)) {
			return before.own;
		}
		const count = (before?.count ?? 0) + 1;
		const own = count === 1 ? call : { ...call, id: `${call.id}${ownIdMark}${count}` };
		this.latest.set(call.id, { own, count });
		return own;
	}
}

const ownIdMark = "#";

/** Whether an id of a turn's own may have been made of this id of the model. */
export function isOwnIdOf(ownId: string, id: string): boolean {
	return ownId === id || ownId.startsWith(`${id}${ownIdMark}`);
}

function isSame(a: RequestedCall, b: RequestedCall): boolean {
	return a.form === b.form && a.name === b.name && a.arguments === b.arguments;
}

/** Says what to do with each call of a round; `answered` holds the calls of earlier rounds by their own ids. Rows U1–U3. */
export function planCalls(
	calls: readonly RequestedCall[],
	answered: ReadonlyMap<string, unknown>,
	ownIds: OwnIds,
): PlannedCall[] {
	let runs = 0;
	return calls.map((call, index) => {
		const isConflict = calls.some(other => other.id === call.id && !isSame(call, other));
		if (isConflict) {
			return { type: "conflict", call, own: call };
		}
		const own = ownIds.of(call);
		const isFirst = calls.findIndex(other => other.id === call.id) === index;
		if (answered.has(own.id) || !isFirst) {
			return { type: "repeat", call, own };
		}
		runs += 1;
		return { type: runs > maxCallsPerAnswer ? "excess" : "run", call, own };
	});
}
