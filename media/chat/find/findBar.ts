import * as l10n from "@vscode/l10n";
import { html, render } from "lit";
import { icon, iconButton } from "../../shared/icon.ts";
import type { FindQuery } from "./query.ts";

export interface FindBarState {
	readonly query: FindQuery;
	/** The number of the current match, counted from 1; 0 for none. */
	readonly current: number;
	readonly total: number;
	/** Whether the whole conversation was searched. */
	readonly isDone: boolean;
}

export interface FindBarActions {
	search(query: FindQuery): void;
	step(direction: 1 | -1): void;
	close(): void;
}

/** The find bar between the header and the conversation. It is rendered while its element is in the page. */
export class FindBar {
	readonly element = document.createElement("div");
	private readonly actions: FindBarActions;

	constructor(actions: FindBarActions) {
		const { element } = this;
		this.actions = actions;
		element.className = "find-bar";
		element.setAttribute("role", "search");
		element.ariaLabel = l10n.t("Find in chat");
	}

	render(state: FindBarState): void {
		render(renderBar(state, this.actions), this.element);
	}

	/** Focuses the field and selects its text. */
	focus(): void {
		this.element.querySelector("input")?.select();
	}
}

/** Returns “3 of 17”. During the search, indicates that there may be more. */
function describeCount({ query, current, total, isDone }: FindBarState): string {
	if (query.text === "") {
		return "";
	}
	if (total === 0) {
		return isDone ? l10n.t("No results") : l10n.t("Searching…");
	}
	return isDone
		? l10n.t("{0} of {1}", current, total)
		: l10n.t("{0} of {1} so far", current, total);
}

function renderToggle(name: string, label: string, isOn: boolean, onClick: () => void): unknown {
	return html`<button
		type="button"
		class="icon-button find-toggle"
		aria-label=${label}
		title=${label}
		aria-pressed=${isOn}
		@click=${onClick}
	>
		${icon(name)}
	</button>`;
}

function renderBar(state: FindBarState, actions: FindBarActions): unknown {
	const { query, total, isDone } = state;
	const { isCaseSensitive, isWholeWord } = query;
	const isMissing = query.text !== "" && total === 0 && isDone;
	return html`<div class=${isMissing ? "find-field missing" : "find-field"}>
			<input
				type="text"
				maxlength="1000"
				aria-label=${l10n.t("Find in chat")}
				placeholder=${l10n.t("Find")}
				.value=${query.text}
				@input=${(event: Event) =>
					event.target instanceof HTMLInputElement &&
					actions.search({ ...query, text: event.target.value })}
			/>
			${renderToggle("case-sensitive", l10n.t("Match case"), isCaseSensitive, () =>
				actions.search({ ...query, isCaseSensitive: !isCaseSensitive }),
			)}
			${renderToggle("whole-word", l10n.t("Match whole word"), isWholeWord, () =>
				actions.search({ ...query, isWholeWord: !isWholeWord }),
			)}
		</div>
		<span class="find-count" role="status">${describeCount(state)}</span>
		<span class="find-buttons">
			${iconButton("arrow-up", l10n.t("Previous match"), () => actions.step(-1))}
			${iconButton("arrow-down", l10n.t("Next match"), () => actions.step(1))}
			${iconButton("close", l10n.t("Close"), actions.close)}
		</span>`;
}
