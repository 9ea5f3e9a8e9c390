import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import type { ChatActions } from "../base/actions.ts";
import type { CompletionList, CompletionOffer } from "./completion.ts";
import { icon } from "../../shared/icon.ts";
import { fileIcon, renderFileName } from "../widgets/fileName.ts";

/** Id of the list, for the text field that controls it. */
export const completionListId = "attachment-offers";

const icons: Readonly<Record<CompletionOffer["kind"], string>> = {
	file: "file",
	folder: "folder",
	selection: "list-selection",
	problems: "warning",
	changes: "diff",
	page: "globe",
	chat: "comment-discussion",
	command: "terminal",
	prompt: "note",
	skill: "book",
	value: "check",
};

/** Icons of Cutaway's own commands, by their labels. */
const commandIcons: ReadonlyMap<string, string> = new Map([
	["/explain", "comment-discussion"],
	["/fix", "wrench"],
	["/tests", "beaker"],
	["/doc", "book"],
	["/review", "git-pull-request"],
	["/commit", "git-commit"],
	["/compact", "fold"],
	["/clip", "device-camera-video"],
	["/new", "add"],
	["/export", "save"],
	["/model", "chip"],
	["/system", "settings"],
	["/video", "play"],
	["/help", "question"],
]);

function iconOf({ kind, label }: CompletionOffer): string {
	return kind === "file"
		? fileIcon(label, "file-code")
		: ((kind === "command" ? commandIcons.get(label) : undefined) ?? icons[kind]);
}

/** Returns the id of the active option; undefined if there is none. */
export function activeOptionId(list: CompletionList | undefined): string | undefined {
	return list && list.active >= 0 ? `attachment-offer-${list.active}` : undefined;
}

/** Renders the completions above the text. The focus stays in the text field, which controls the list. */
export function renderCompletion(
	list: CompletionList | undefined,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	if (!list) {
		return nothing;
	}
	return html`<div class="offers">
		${
			list.offers.length === 0
				? html`<p class="offers-empty">${l10n.t("Nothing matches “{0}”", list.mention.query)}</p>`
				: nothing
		}
		<ul
			id=${completionListId}
			role="listbox"
			aria-label=${list.mention.trigger === "/" ? l10n.t("Commands") : l10n.t("Attach")}
		>
			${repeat(
				list.offers,
				offer => offer.id,
				(offer, index) => renderOffer(offer, index, index === list.active, actions),
			)}
		</ul>
		<p class="screen-reader-only" role="status">
			${list.offers.length === 1 ? l10n.t("1 match") : l10n.t("{0} matches", list.offers.length)}
		</p>
	</div>`;
}

function renderOffer(
	offer: CompletionOffer,
	index: number,
	isActive: boolean,
	actions: ChatActions,
): TemplateResult {
	return html`<li
		id=${`attachment-offer-${index}`}
		role="option"
		class="offer"
		data-kind=${offer.kind}
		aria-selected=${isActive ? "true" : "false"}
		aria-label=${offer.detail === "" ? offer.label : `${offer.label}, ${offer.detail}`}
		@mousedown=${(event: MouseEvent) => event.preventDefault()}
		@click=${() => actions.acceptCompletion(index)}
		${isActive ? ref(element => element?.scrollIntoView({ block: "nearest" })) : nothing}
	>
		${icon(iconOf(offer))}<span class="offer-label">${renderLabel(offer)}</span>
		<span class="offer-detail">${offer.detail}</span>
	</li>`;
}

/** Renders the label with the matched letters highlighted. Names of files are truncated as in their attachments. */
function renderLabel({ kind, label, matches }: CompletionOffer): unknown {
	const show = (part: string, from: number): unknown =>
		markMatches(part, new Set(matches.map(position => position - from)));
	return kind === "file" || kind === "selection" ? renderFileName(label, show) : show(label, 0);
}

function markMatches(
	label: string,
	marked: ReadonlySet<number>,
): readonly (TemplateResult | string)[] {
	const parts: { text: string; isMatch: boolean }[] = [];
	for (let index = 0; index < label.length; index++) {
		const isMatch = marked.has(index);
		const last = parts.at(-1);
		if (last?.isMatch === isMatch) {
			last.text += label[index];
		} else {
			parts.push({ text: label[index] ?? "", isMatch });
		}
	}
	return parts.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : text));
}
