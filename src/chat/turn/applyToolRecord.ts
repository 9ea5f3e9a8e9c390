import { placeOfCall } from "./toolCallId.ts";
import type { Turn } from "./turn.ts";
import type { ToolRecord } from "./toolRecord.ts";

/** The id of the call a record is about. */
export function callIdOf(record: ToolRecord): string {
	switch (record.type) {
		case "tool-started":
			return record.entry.callId;
		case "block-called":
			return record.call.callId;
		case "tool-ended":
			return record.end.callId;
	}
}

/** The turn with what a record says of a call; unchanged by a call of another turn or of an earlier attempt. */
export function applyToolRecord(turn: Turn, record: ToolRecord): Turn {
	const { turnId, attempt } = placeOfCall(callIdOf(record));
	if (turnId !== turn.id || attempt !== turn.attempt) {
		return turn;
	}
	switch (record.type) {
		case "tool-started":
			return { ...turn, startedTools: [...(turn.startedTools ?? []), record.entry] };
		case "block-called":
			return { ...turn, blockCalls: [...(turn.blockCalls ?? []), record.call] };
		case "tool-ended":
			return { ...turn, toolEnds: [...(turn.toolEnds ?? []), record.end] };
	}
}
