import { isAbortError } from "../../common/errors.ts";
import { Limiter } from "../../common/limiter.ts";
import type { ChatMessage } from "../../client/contract/schemas.ts";
import type { ToolResult } from "../../tools/gate/acceptCall.ts";
import type { ToolProgress } from "../../tools/gate/toolGate.ts";
import type { Continuation } from "./continuation.ts";
import {
	CallCollector,
	maxCallsPerAnswer,
	OwnIds,
	planCalls,
	type PlannedCall,
	type RequestedCall,
} from "./requestedCalls.ts";
import { answerMessage } from "./toolMessages.ts";
import type { TurnOutcome } from "../turn/turn.ts";
import type { Clock } from "../../common/async.ts";

/** After this many rounds, and after this many bad calls in a row, the user is asked whether to go on (row U9). */
export const maxRounds = 25;
export const maxBadCalls = 3;

/** How many calls of one answer run at once; a search has a thread of its own and may take hundreds of megabytes. */
const maxCallsAtOnce = 4;

/** Why the loop pauses. */
export type ToolPauseReason = "rounds" | "badCalls" | "otherService";

/** A call's state, for whoever shows it. */
export type CallState =
	| ToolProgress
	| { readonly state: "waiting" }
	| { readonly state: "stopped"; readonly content?: string }
	| TimedResult;

/** Dependencies of the loop: the requests, tools and listeners that it drives. */
export interface ToolLoopDependencies {
	readonly signal: AbortSignal;
	/** Makes the one request of a round, counted from 1, handing its events to the collector, and says how it ended. */
	ask(round: number, collector: CallCollector): Promise<TurnOutcome>;
	/** Whether a call of this name waits for an answer: tools were offered, and it is none of those that run on the server. */
	awaitsAnswer(name: string): boolean;
	/** Whether a tool only looks. */
	isReader(name: string): boolean;
	/** Judges and runs a call. Rejects with `AbortError` when stopped, and never otherwise. */
	run(
		call: RequestedCall,
		round: number,
		onProgress: (progress: ToolProgress) => void,
	): Promise<TimedResult>;
	/** Takes the answer to a call, in the order of the calls. */
	answer(message: ChatMessage): void;
	/** Hears each call's state. */
	onCall(call: RequestedCall, state: CallState): void;
	/** The service that the next request goes to. */
	service(): string;
	/** Whether the user wants the next round, which may cost money. */
	mayContinue(reason: ToolPauseReason): Promise<boolean>;
}

/**
 * Asks, runs what the answer calls for, and asks again with the results, until an answer calls for nothing. Only calls of
 * messages that closed properly run, each once. Returns how the last request ended; stopped at any point it returns
 * `stopped`. With `from` it goes on where an earlier request failed, and what was answered before is not run again.
 * docs/faults.md, Tools.
 */
export async function runToolLoop(
	dependencies: ToolLoopDependencies,
	from?: Pick<Continuation, "round" | "answered">,
): Promise<TurnOutcome> {
	const memory = new LoopMemory(dependencies.service(), from);
	for (let round = from?.round ?? 1; ; round += 1) {
		const collector = new CallCollector();
		const outcome = await dependencies.ask(round, collector);
		const calls = canRunCalls(outcome, collector) ? openCalls(dependencies, collector) : [];
		if (calls.length === 0) {
			return outcome;
		}
		try {
			await answerCalls(dependencies, memory, calls, round);
			const reason = memory.pauseReason(round, dependencies.service());
			if (dependencies.signal.aborted || (reason && !(await dependencies.mayContinue(reason)))) {
				return { type: "stopped" };
			}
		} catch (error) {
			if (isAbortError(error)) {
				return { type: "stopped" };
			}
			throw error;
		}
	}
}

/** The calls that wait for an answer. The others are traces of tools that ran on the server: they are shown and cost no request. */
function openCalls(
	dependencies: ToolLoopDependencies,
	collector: CallCollector,
): readonly RequestedCall[] {
	const answered = collector.answered();
	return collector.calls().filter(call => {
		const content = answered.get(call);
		const isOpen = content === undefined && dependencies.awaitsAnswer(call.name);
		if (!isOpen) {
			dependencies.onCall(
				call,
				content === undefined ? { state: "stopped" } : { state: "done", content },
			);
		}
		return isOpen;
	});
}

/** A stream that lost only its own end leaves its messages whole, and their calls count (S4, S5); any other does not (S2, S6). */
function canRunCalls(outcome: TurnOutcome, collector: CallCollector): boolean {
	const isOver =
		outcome.type === "completed" ||
		(outcome.type === "failed" && outcome.error.kind === "endedEarly");
	return isOver && collector.isWhole();
}

/** Calls that a turn remembers. */
class LoopMemory {
	/** Answers to calls, by their own ids. */
	readonly contents = new Map<string, string>();
	readonly ownIds = new OwnIds();
	private badInRow = 0;
	private roundsAllowed: number;
	private service: string;

	constructor(service: string, from: Pick<Continuation, "round" | "answered"> | undefined) {
		this.service = service;
		// The click that goes on allows as many rounds as the one that asked.
		this.roundsAllowed = (from?.round ?? 1) - 1 + maxRounds;
		for (const { call, content } of from?.answered ?? []) {
			this.contents.set(this.ownIds.of(call).id, content);
		}
	}

	take(call: RequestedCall, result: ToolResult): void {
		const isBad = ["invalid", "refused", "missing"].includes(result.state);
		this.badInRow = isBad ? this.badInRow + 1 : 0;
		this.contents.set(call.id, result.content);
	}

	noteBad(): void {
		this.badInRow += 1;
	}

	/** Why the user is to be asked before the next round. Asking once starts the count again. */
	pauseReason(round: number, service: string): ToolPauseReason | undefined {
		if (this.service !== service) {
			// A different service gets the chat, and may charge for it, only after the user agrees.
			this.service = service;
			return "otherService";
		}
		if (this.badInRow >= maxBadCalls) {
			this.badInRow = 0;
			return "badCalls";
		}
		if (round >= this.roundsAllowed) {
			this.roundsAllowed += maxRounds;
			return "rounds";
		}
		return undefined;
	}
}

async function answerCalls(
	dependencies: ToolLoopDependencies,
	memory: LoopMemory,
	calls: readonly RequestedCall[],
	round: number,
): Promise<void> {
	const planned = planCalls(calls, memory.contents, memory.ownIds);
	for (const { type, own } of planned) {
		if (type === "run") {
			dependencies.onCall(own, { state: "waiting" });
		}
	}
	const limit = new Limiter(maxCallsAtOnce);
	for (const group of groupsOf(planned, dependencies)) {
		const results = await Promise.all(
			group.map(plan => resultOf(dependencies, memory, plan, round, limit)),
		);
		group.forEach(({ call, own }, index) => {
			// A repeat is answered by what it repeats, which may be in this very group.
			const content = results[index] ?? memory.contents.get(own.id) ?? notRun;
			dependencies.answer(answerMessage(call, content));
		});
	}
}

const notRun = "Error: the call was not run.";

/** Readers that are side by side run together; everything else runs alone, in order. */
function groupsOf(
	planned: readonly PlannedCall[],
	dependencies: ToolLoopDependencies,
): PlannedCall[][] {
	const groups: PlannedCall[][] = [];
	let isOpen = false;
	for (const plan of planned) {
		const isQuiet = plan.type !== "run" || dependencies.isReader(plan.call.name);
		const last = groups.at(-1);
		if (isQuiet && isOpen && last) {
			last.push(plan);
		} else {
			groups.push([plan]);
		}
		isOpen = isQuiet;
	}
	return groups;
}

async function resultOf(
	dependencies: ToolLoopDependencies,
	memory: LoopMemory,
	{ type, own }: PlannedCall,
	round: number,
	limit: Limiter,
): Promise<string | undefined> {
	if (type === "excess") {
		const content = `Error: not run. Of one answer at most ${maxCallsPerAnswer} tool calls are run; make fewer at a time.`;
		memory.take(own, { state: "refused", content });
		dependencies.onCall(own, { state: "refused", content });
		return content;
	}
	if (type === "conflict") {
		memory.noteBad();
		const content =
			"Error: conflicting tool request. Another call has the same id but asks for something else; neither was run.";
		dependencies.onCall(own, { state: "invalid", content });
		return content;
	}
	if (type === "repeat") {
		memory.noteBad();
		return undefined;
	}
	try {
		const result = await limit.run(
			() => dependencies.run(own, round, progress => dependencies.onCall(own, progress)),
			dependencies.signal,
		);
		memory.take(own, result);
		dependencies.onCall(own, result);
		return result.content;
	} catch (error) {
		if (isAbortError(error)) {
			dependencies.onCall(own, { state: "stopped" });
		}
		throw error;
	}
}

/** Outcome of a call, and how long it ran. */
export interface TimedResult extends ToolResult {
	/** In milliseconds; left out of calls that never ran. */
	readonly durationMs?: number;
}

/** Measures how long a call runs; what comes before, such as the wait for an answer, does not count. */
export async function timedCall(
	clock: Clock,
	onProgress: (progress: ToolProgress) => void,
	run: (onProgress: (progress: ToolProgress) => void) => Promise<ToolResult>,
): Promise<TimedResult> {
	let startedAt: number | undefined;
	const result = await run(progress => {
		if (progress.state === "running") {
			startedAt = clock.monotonic();
		}
		onProgress(progress);
	});
	return startedAt === undefined
		? result
		: { ...result, durationMs: Math.round(clock.monotonic() - startedAt) };
}
