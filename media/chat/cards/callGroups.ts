import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { locale } from "../../../src/shared/locale.ts";
import type { MessageView, TurnView } from "../../../src/shared/chat.ts";
import type { ToolCardView } from "../../../src/shared/tools.ts";
import type { ChatActions } from "../base/actions.ts";
import { icon } from "../../shared/icon.ts";
import { renderToolCard } from "./toolCard.ts";
import { shorten } from "../../../src/common/shortText.ts";

/** Consecutive calls: a single one, or several finished ones that can be collapsed into a line. */
type CallGroup = readonly ToolCardView[];

/** A turn's calls in display order, by the number of messages before them. */
export type CallGroups = ReadonlyMap<number, readonly CallGroup[]>;

/**
 * Groups successful calls, and those that found nothing, with those before them, also across messages that aren't shown according to `isShown`.
 * Requests, running and failed calls, and those that can be undone have their own line and position.
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
			const isOver = card.state === "done" || card.state === "missing";
			const isFoldable = isOver && card.change === undefined;
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

/** Returns a text argument of a call from its JSON; undefined if there is none. */
function argumentOf({ argumentsText }: ToolCardView, name: string): string | undefined {
	return new RegExp(`"${name}":\\s*"((?:[^"\\\\]|\\\\.)*)"`).exec(argumentsText)?.[1];
}

/** The most characters of a search in a line, in UTF-16 code units. */
const maxQuery = 40;

/** The most other calls to describe by their lines. */
const maxLines = 2;

/** Describes calls: searches and files by name, others by number, or by their lines if they are the only ones and few. */
export function describeCalls(group: CallGroup): string {
	const missing = group.filter(({ state }) => state === "missing").length;
	const done = group.filter(({ state }) => state !== "missing");
	const searches = done.filter(({ name }) => name === "search_text");
	const reads = done.filter(({ name }) => name === "read_file");
	const queries = new Set(searches.map(card => argumentOf(card, "query")));
	const files = new Set(reads.map(card => argumentOf(card, "path")));
	const others = done.length - searches.length - reads.length;
	const parts = [
		...(searches.length > 0 ? [searched([...queries], searches.length)] : []),
		...(reads.length > 0 ? [readWords([...files])] : []),
		...(missing > 0 ? [l10n.t("{0} not found", missing)] : []),
	];
	if (parts.length === 0) {
		return group.length <= maxLines
			? group.map(({ line, title }) => line ?? title).join(" · ")
			: l10n.t("{0} tool calls", group.length);
	}
	const other = others === 1 ? l10n.t("1 other call") : l10n.t("{0} other calls", others);
	const words = [...parts, ...(others > 0 ? [other] : [])].join(", ");
	return words.charAt(0).toLocaleUpperCase(locale()) + words.slice(1);
}

function searched([query, ...more]: readonly (string | undefined)[], count: number): string {
	if (query === undefined || more.length > 0) {
		return l10n.t("searched {0} times", count);
	}
	return l10n.t("searched “{0}”", shorten(query, maxQuery));
}

function readWords([path, ...more]: readonly (string | undefined)[]): string {
	const name = path?.split(/[/\\]/).at(-1) ?? "";
	return more.length > 0 || name === ""
		? l10n.t("read {0} files", more.length + 1)
		: l10n.t("read {0}", name);
}

/** Renders the calls after a message. Several successful ones are a line that expands. */
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
	return html`<details class="tool-fold call-group">
		<summary class="call-line">
			${icon("check")}<span class="tool-words"
				><span class="tool-title">${describeCalls(group)}</span></span
			>${icon("chevron-right")}
		</summary>
		<div class="tool-inside">${cards}</div>
	</details>`;
}
