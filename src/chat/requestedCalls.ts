import type { ChatEvent } from "../client/index.ts";

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

/** Gathers the calls of one answer as its events come. */
export interface CallCollector {
	take(event: ChatEvent): void;
	/** The calls of every message that closed properly and could be read whole, in order. Fault matrix class T. */
	calls(): readonly RequestedCall[];
	/** Whether every message that began has closed (rows S2, S4, S6). */
	isWhole(): boolean;
}

/** Makes a collector. Calls that have no id are told apart by the index of their message. */
export function createCallCollector(): CallCollector {
	const waiting = new Map<number, RequestedCall[]>();
	const open = new Set<number>();
	const usable: RequestedCall[] = [];
	let hasUnclosed = false;
	const finish = (event: Extract<ChatEvent, { type: "message-end" }>): void => {
		open.delete(event.index);
		hasUnclosed ||= !event.isClosed;
		if (!event.isClosed || event.unreadableFrames > 0) {
			return;
		}
		usable.push(...(waiting.get(event.index) ?? []));
		const called = event.message.function_call;
		if (called) {
			const id = `function-${event.index}`;
			usable.push({ form: "function", id, name: called.name, arguments: called.arguments });
		}
	};
	return {
		take: event => {
			switch (event.type) {
				case "message-start":
					open.add(event.index);
					return;
				case "tool-call": {
					const { id, function: called } = event.call;
					const call = {
						form: "tool",
						id,
						name: called.name,
						arguments: called.arguments,
					} as const;
					waiting.set(event.index, [...(waiting.get(event.index) ?? []), call]);
					return;
				}
				case "message-end":
					finish(event);
					return;
				default:
			}
		},
		calls: () => usable,
		isWhole: () => open.size === 0 && !hasUnclosed,
	};
}

/** What is to be done with a call, given what was called before in the same turn. */
export type PlannedCall =
	| { readonly type: "run"; readonly call: RequestedCall }
	/** The answer of another call with this id and these arguments answers it too (U1, U3). */
	| { readonly type: "repeat"; readonly call: RequestedCall }
	/** Another call with this id asked for something else; neither can be told from the other (U2). */
	| { readonly type: "conflict"; readonly call: RequestedCall }
	/** The answer asks for more than is run of one answer. */
	| { readonly type: "excess"; readonly call: RequestedCall };

/** How many calls of one answer are run; each may read thousands of files. */
export const maxCallsPerAnswer = 50;

/** Says what to do with each call; `answered` holds the calls of earlier rounds by their id. Rows U1–U3. */
export function planCalls(
	calls: readonly RequestedCall[],
	answered: ReadonlyMap<string, RequestedCall>,
): PlannedCall[] {
	const isSame = (a: RequestedCall, b: RequestedCall): boolean =>
		a.form === b.form && a.name === b.name && a.arguments === b.arguments;
	let runs = 0;
	return calls.map((call, index) => {
		const before = answered.get(call.id);
		const namesakes = calls.filter(other => other.id === call.id);
		const isConflict = [...namesakes, ...(before ? [before] : [])].some(
			other => !isSame(call, other),
		);
		if (isConflict) {
			return { type: "conflict", call };
		}
		const isFirst = calls.findIndex(other => other.id === call.id) === index;
		if (before || !isFirst) {
			return { type: "repeat", call };
		}
		runs += 1;
		return { type: runs > maxCallsPerAnswer ? "excess" : "run", call };
	});
}
