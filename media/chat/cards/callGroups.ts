import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MessageView, TurnView, ToolCardView } from "../../../src/shared/index.ts";
import type { ChatActions } from "../base/index.ts";
import { icon } from "../../shared/icon.ts";
import { renderToolCard } from "./toolCard.ts";

/** Calls that follow one another with nothing between them: one, or several that are over and can be folded into a line. */
type CallGroup = readonly ToolCardView[];

/** The calls of a turn in the order they are shown in, by the number of messages they are behind. */
export type CallGroups = ReadonlyMap<number, readonly CallGroup[]>;

/**
 * Puts calls that went well beside those before them, also across messages of which `isShown` says that they are not on the page.
 * What is asked, runs, went wrong or can be undone keeps a line of its own, and its place.
 */
export function groupCalls(
	{ tools = [], messages }: TurnView,
	isShown: (message: MessageView) => boolean,
): CallGroups {
	const groups = new Map<number, ToolCardView[][]>();
	let open: ToolCardView[] | undefined;
	for (let after = 0; after <= messages.length; after++) {
		const message = messages[after - 1];
		if (message && isShown(message)) {
			open = undefined;
		}
		for (const card of tools.filter(tool => tool.after === after)) {
			const isFoldable = card.state === "done" && card.change === undefined;
			if (isFoldable && open) {
				open.push(card);
			} else {
				const group = [card];
				groups.set(after, [...(groups.get(after) ?? []), group]);
				open = isFoldable ? group : undefined;
			}
		}
	}
	return groups;
}

/** The file a call reads, as its JSON names it; the whole text of its arguments where it names none. */
function pathIn(argumentsText: string): string {
	return /"path":\s*"((?:[^"\\]|\\.)*)"/.exec(argumentsText)?.[1] ?? argumentsText;
}

/** The calls behind a message, several that went well as one line that opens to theirs. */
export function renderCallGroups(
	turnId: string,
	groups: readonly CallGroup[] | undefined,
	actions: ChatActions,
): unknown {
	return repeat(
		groups ?? [],
		([first, second]) => `${second ? "group" : "call"} ${first?.id}`,
		group => {
			const cards = repeat(
				group,
				card => card.id,
				card => renderToolCard(turnId, card, actions),
			);
			return group.length === 1 ? cards : renderGroup(group, cards);
		},
	);
}

function renderGroup(group: CallGroup, cards: unknown): TemplateResult {
	const files = new Set(group.map(({ argumentsText }) => pathIn(argumentsText)));
	const words =
		files.size > 1 && group.every(({ name }) => name === "read_file")
			? l10n.t("Read {0} files", files.size)
			: l10n.t("{0} tool calls", group.length);
	return html`<details class="tool-fold call-group">
		<summary class="call-line">
			${icon("check")}<span class="tool-words"><span class="tool-title">${words}</span></span
			>${icon("chevron-right")}
		</summary>
		<div class="tool-inside">${cards}</div>
	</details>`;
}
