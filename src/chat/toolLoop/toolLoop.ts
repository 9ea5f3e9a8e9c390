import { isAbortError } from "../../common/errors.ts";
import { Limiter, type Clock } from "../../common/async.ts";
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
import type { TurnOutcome } from "../contract/turn.ts";

/** Number of rounds, and of consecutive bad calls, after which the user is asked whether to continue. */
export const maxRounds = 25;
export const maxBadCalls = 3;

/** The most calls of an answer to run at once. A search runs in its own thread and may use hundreds of megabytes. */
const maxCallsAtOnce = 4;

export type ToolPauseReason = "rounds" | "badCalls" | "otherService";

export type CallState =
	| ToolProgress
	| { readonly state: "waiting" }
	| { readonly state: "stopped"; readonly content?: string }
	| TimedResult;

export interface ToolLoopDependencies {
	readonly signal: AbortSignal;
	/** Sends the request of a round, counted from 1, passes its events to the collector, and returns the outcome. */
	ask(round: number, collector: CallCollector): Promise<TurnOutcome>;
	/** Whether a call of this name needs an answer: tools were offered, and it isn't a server tool. */
	awaitsAnswer(name: string): boolean;
	isReader(name: string): boolean;
	/** Checks and runs a call. Rejects only with `AbortError`, if stopped. */
	run(
		call: RequestedCall,
		round: number,
		onProgress: (progress: ToolProgress) => void,
	): Promise<TimedResult>;
	/** Adds the answer to a call. Called in the order of the calls. */
	answer(message: ChatMessage): void;
	onCall(call: RequestedCall, state: CallState): void;
	service(): string;
	/** Asks whether to send the next round, which may be charged. */
	mayContinue(reason: ToolPauseReason): Promise<boolean>;
}

/**
 * Sends requests and runs the calls of each answer until an answer has none. Runs only calls of properly closed messages, each once. Returns the
 * outcome of the last request, or `stopped`. With `from`, continues after a failed request without repeating answered calls. docs/faults.md, Tools.
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

/** Returns the calls that need an answer. Others are those of server tools, which are only shown. */
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

/** If only the end of the stream is missing, its messages are complete and their calls can run. Otherwise they can't. */
function canRunCalls(outcome: TurnOutcome, collector: CallCollector): boolean {
	const isOver =
		outcome.type === "completed" ||
		(outcome.type === "failed" && outcome.error.kind === "endedEarly");
	return isOver && collector.isWhole();
}

class LoopMemory {
	readonly contents = new Map<string, string>();
	readonly ownIds = new OwnIds();
	private badInRow = 0;
	private roundsAllowed: number;
	private service: string;

	constructor(service: string, from: Pick<Continuation, "round" | "answered"> | undefined) {
		this.service = service;
		// A continued answer may use as many rounds as a new one.
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

	/** Returns why to ask the user before the next round. Resets the count. */
	pauseReason(round: number, service: string): ToolPauseReason | undefined {
		if (this.service !== service) {
			// Another service gets the chat, and may charge for it, only with the user's consent.
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
			// A repeated call gets the answer of the original, which may be in this group.
			const content = results[index] ?? memory.contents.get(own.id) ?? notRun;
			dependencies.answer(answerMessage(call, content));
		});
	}
}

const notRun = "Error: the call was not run.";

/** Groups adjacent reading calls to run together. All other calls run alone, in order. */
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

/** Result of a call, with its run time. */
export interface TimedResult extends ToolResult {
	/** In milliseconds. Absent if the call never ran. */
	readonly durationMs?: number;
}

/** Measures the run time of a call, without earlier steps such as waiting for approval. */
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
