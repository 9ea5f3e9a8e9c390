import type { ChatSession } from "../../chat/index.ts";
import type { Turn } from "../../chat/turn/index.ts";
import type { TurnView, VideoCard } from "../../shared/index.ts";
import { turnView } from "./chatViewModel.ts";
import type { ToolDesk } from "../tools/index.ts";

/** What turns are shown with. */
export interface ShownTurnsContext {
	readonly session: Pick<ChatSession, "turns" | "versionsOf">;
	readonly isLocal: boolean;
	readonly desk: Pick<ToolDesk, "cardsOf">;
	/** The videos of the chat. */
	readonly videos: readonly VideoCard[];
}

/** The turns of a chat as the view shows them, or those behind one of them. */
export function shownTurns(context: ShownTurnsContext, after?: string): TurnView[] {
	const { turns } = context.session;
	const first = after === undefined ? 0 : turns.findLastIndex(({ id }) => id === after) + 1;
	return turns.slice(first).map(turn => shownTurn(context, turn));
}

function shownTurn({ session, isLocal, desk, videos }: ShownTurnsContext, turn: Turn): TurnView {
	const { ids, index } = session.versionsOf(turn.id);
	return {
		...turnView(turn, isLocal, desk.cardsOf(turn)),
		...(ids.length > 1 ? { version: { number: index + 1, count: ids.length } } : {}),
		videos: videos.filter(({ turnId }) => turnId === turn.id),
	};
}
