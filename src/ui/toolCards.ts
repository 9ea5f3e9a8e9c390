import { createCallCollector, type RequestedCall } from "../chat/requestedCalls.ts";
import type { CallState } from "../chat/toolLoop.ts";
import type { Turn } from "../chat/turn.ts";
import { eventsOfMessages } from "../client/index.ts";
import { revealHidden, revealInLine } from "../common/hiddenText.ts";
import type { ToolCardView } from "../protocol/tools.ts";
import type { ToolRegistry } from "../tools/toolRegistry.ts";

/** How much of arguments and results a card shows, in UTF-16 code units; the whole went to the model. */
const maxShown = 20_000;
const maxName = 60;

/** The card of a call as far as it has come. `after` is how many messages of its turn stand before it. */
export function toolCard(
	registry: ToolRegistry,
	call: RequestedCall,
	after: number,
	state: CallState,
): ToolCardView {
	const content = "content" in state ? state.content : undefined;
	return {
		id: call.id,
		after,
		title: registry.find(call.name)?.title ?? "Unknown tool",
		name: revealInLine(call.name).slice(0, maxName),
		argumentsText: revealHidden(indented(call.arguments)).slice(0, maxShown),
		state: state.state,
		...(content === undefined ? {} : { result: revealHidden(content).slice(0, maxShown) }),
	};
}

/** The cards of a turn as its messages tell of them: what is left of a turn that is over. */
export function recordedCards(registry: ToolRegistry, turn: Turn): ToolCardView[] {
	const cards = new Map<string, ToolCardView>();
	turn.messages.forEach(({ raw }, index) => {
		if (!raw) {
			return;
		}
		const collector = createCallCollector(0);
		for (const event of eventsOfMessages([raw])) {
			collector.take({ ...event, ...("index" in event ? { index } : {}) });
		}
		for (const call of collector.calls()) {
			if (!cards.has(call.id)) {
				const state = recordedState(turn, index, call);
				cards.set(call.id, toolCard(registry, call, index + 1, state));
			}
		}
	});
	return [...cards.values()];
}

/** How a call ended, from the message that answers it. One without an answer was not run, or its result was lost (U17, U18). */
function recordedState(turn: Turn, index: number, call: RequestedCall): CallState {
	const answer = turn.messages
		.slice(index + 1)
		.find(({ raw }) =>
			call.form === "tool"
				? raw?.tool_call_id === call.id
				: raw?.role === "function" && raw.name === call.name,
		);
	if (!answer) {
		return { state: "stopped" };
	}
	const content = answer.text;
	const state = /^"?Cancelled: /.test(content)
		? "cancelled"
		: /^"?Denied: /.test(content)
			? "denied"
			: /^"?Error: /.test(content)
				? "failed"
				: "done";
	return { state, content };
}

function indented(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), undefined, 2);
	} catch {
		// What is not JSON is shown as it came.
		return text;
	}
}
