import type { ChatEvent } from "../../client/contract/serviceClient.ts";
import type { ChatMessage, ToolCall } from "../../client/contract/schemas.ts";
import { eventsOfMessages } from "../../client/stream/chatAnswer.ts";

/** A call of a custom tool, from a properly closed message. */
export interface RequestedCall {
	/** The form of the call and of its answer. docs/interface.md §2.2. */
	readonly form: "tool" | "function";
	/** The model's id. The deprecated form has none and gets one from its position. */
	readonly id: string;
	readonly name: string;
	/** Unparsed JSON. */
	readonly arguments: string;
}

/** Collects the calls of an answer from its events. Calls without an id are distinguished by the index of their message. */
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

	/** The calls of all properly closed and readable messages, in order. docs/faults.md, Tools. */
	calls(): readonly RequestedCall[] {
		return this.usable;
	}

	/** Calls of server tools and their results in the same answer, which require no action. docs/interface.md §4.4. */
	answered(): ReadonlyMap<RequestedCall, string> {
		return this.answers;
	}

	/** Whether all started messages have been closed. */
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

/** The most calls of an answer to run; each may read thousands of files. */
export const maxCallsPerAnswer = 50;

function requestedCall({ id, function: called }: ToolCall): RequestedCall {
	return { form: "tool", id, name: called.name, arguments: called.arguments };
}

/** Whether a message is the result of a call: by id, otherwise by name, otherwise by position. docs/interface.md §2.2. */
function isAnswerTo({ role, tool_call_id, name }: ChatMessage, call: RequestedCall): boolean {
	if (role !== "tool" && role !== "function") {
		return false;
	}
	return tool_call_id ? tool_call_id === call.id : !name || name === call.name;
}

/** What to do with a call, given the earlier calls of the turn. */
export interface PlannedCall {
	/**
	 * `repeat`: another call with this id and the same arguments has an answer, which is used again. `conflict`: another call of the round has this id
	 * and different arguments, so they are ambiguous. `excess`: the answer has more calls than are run.
	 */
	readonly type: "run" | "repeat" | "conflict" | "excess";
	readonly call: RequestedCall;
	/** The same call with an id that is unique within the turn. */
	readonly own: RequestedCall;
}

/** Makes call ids unique within a turn, because models may restart numbering in every round. */
export class OwnIds {
	private readonly latest = new Map<
		string,
		{ readonly own: RequestedCall; readonly count: number }
	>();

	/** Returns a call with its unique id. A call that equals the previous one with its id gets the same id. */
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

/** Whether a unique id may come from this id of the model. */
export function isOwnIdOf(ownId: string, id: string): boolean {
	return ownId === id || ownId.startsWith(`${id}${ownIdMark}`);
}

function isSame(a: RequestedCall, b: RequestedCall): boolean {
	return a.form === b.form && a.name === b.name && a.arguments === b.arguments;
}

/** Plans each call of a round. `answered` contains the calls of earlier rounds by unique id. */
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

/** Returns the calls of a recorded message. `index` is its place in the answer. */
export function callsOf(raw: ChatMessage | undefined, index = 0): readonly RequestedCall[] {
	const collector = new CallCollector();
	for (const event of eventsOfMessages(raw ? [raw] : [])) {
		collector.take("index" in event ? { ...event, index } : event);
	}
	return collector.calls();
}
