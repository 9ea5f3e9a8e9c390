import { render } from "lit";
import type { TurnView } from "../../../src/shared/chat.ts";
import type { ChatActions } from "../base/actions.ts";
import { asShown } from "../markdown/elements/normalize.ts";
import { createElement } from "../markdown/elements/elements.ts";
import type { MarkdownEngine } from "../markdown/final/engine.ts";
import { renderBlocks } from "../markdown/final/renderBlocks.ts";
import { renderTurn } from "../messages/messageList.ts";
import { readShownText } from "./shownText.ts";

/** Nothing is collapsed off the page. */
const allOpen = { is: () => false, of: () => "", toggle: () => undefined };

export interface TurnTextDependencies {
	readonly engine: MarkdownEngine;
	readonly actions: ChatActions;
}

/** Returns the text that a turn would show, rendered off the page with the same templates and parser. Yields from time to time for slicing. */
export function* textOfTurn(
	turn: TurnView,
	{ engine, actions }: TurnTextDependencies,
): Generator<undefined, string> {
	const elements = new Map<number, HTMLElement>();
	for (const { index, text } of turn.messages) {
		const element = createElement("div", "markdown");
		element.append(...(yield* renderBlocks(engine, asShown(text), {})));
		elements.set(index, element);
		yield;
	}
	const aside = document.createElement("div");
	const answers = {
		elementOf: (_: string, { index }: { readonly index: number }) =>
			elements.get(index) ?? createElement("div"),
		thoughts: { elementOf: () => createElement("div") },
	};
	const context = { answers, actions, edits: { of: () => undefined }, collapsed: allOpen };
	render(renderTurn(turn, false, { position: 1, total: 1, hasChanges: false }, context), aside);
	return readShownText(aside).text;
}
