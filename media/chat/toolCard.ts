import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { ref } from "lit/directives/ref.js";
import { formatElapsed } from "../../src/protocol/elapsed.ts";
import { formatDecimal } from "../../src/protocol/locale.ts";
import type { ApprovalView, CardPlace, ToolCardView } from "../../src/protocol/tools.ts";
import type { ChatActions } from "./actions.ts";
import { icon } from "./icon.ts";

/** How long a request stands before it can be allowed, in milliseconds, so that a click meant for elsewhere does not (T14). */
const armMs = 500;

const states: Readonly<
	Record<ToolCardView["state"], readonly [icon: string, words: () => string]>
> = {
	waiting: ["clock", () => l10n.t("Waiting")],
	asking: ["question", () => l10n.t("Your approval is needed")],
	running: ["sync", () => l10n.t("Running")],
	done: ["check", () => l10n.t("Done")],
	denied: ["circle-slash", () => l10n.t("Denied")],
	invalid: ["warning", () => l10n.t("Invalid request, not run")],
	refused: ["shield", () => l10n.t("Not allowed, not run")],
	failed: ["error", () => l10n.t("Failed")],
	cancelled: ["debug-stop", () => l10n.t("Cancelled")],
	notApproved: ["circle-slash", () => l10n.t("Not approved, not run")],
	stopped: ["debug-stop", () => l10n.t("Not run, or its result was lost")],
};

/** One call of a tool. All words outside «Arguments» and «Result» are ours (threat T29). */
export function renderToolCard(
	turnId: string,
	card: ToolCardView,
	actions: ChatActions,
): TemplateResult {
	return html`<section
		class=${`tool-card tool-${card.state}`}
		aria-label=${l10n.t("Tool: {0}", card.title)}
	>
		<div class="tool-head">
			${icon(states[card.state][0])}
			<div class="tool-words">
				<span class="tool-title">${card.title}</span>
				<span class="tool-state">${stateWords(card)}</span>
				${card.name === "" ? nothing : html`<code class="tool-id">${card.name}</code>`}
			</div>
		</div>
		${card.note === undefined ? nothing : html`<p class="tool-note">${card.note}</p>`}
		${card.argumentsText === "" ? nothing : renderText(l10n.t("Arguments"), card.argumentsText)}
		${card.result === undefined ? nothing : renderText(l10n.t("Result"), card.result)}
		${renderOffers({ turnId, cardId: card.id }, card, actions)}
		${card.approval ? keyed(card.approval.requestId, renderApproval(card.approval, actions)) : nothing}
	</section>`;
}

/** How the call stands, and how long it ran. */
function stateWords({ state, change, note, durationMs }: ToolCardView): string {
	// A call of which something is known has its own sentence.
	const words =
		state === "stopped" && note !== undefined ? l10n.t("Result lost") : states[state][1]();
	return [
		change === "undone" ? l10n.t("Undone") : words,
		...(durationMs === undefined ? [] : [durationWords(durationMs)]),
	].join(" · ");
}

function durationWords(ms: number): string {
	const tenths = Math.round(ms / 100);
	return tenths < 1
		? l10n.t("under {0} s", formatDecimal(0.1, 1))
		: ms < 60_000
			? l10n.t("{0} s", formatDecimal(tenths / 10, tenths % 10 === 0 ? 0 : 1))
			: formatElapsed(ms);
}

/** What can be done with a call that runs, or with the change it made. */
function renderOffers(
	place: CardPlace,
	{ state, change }: ToolCardView,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	if (state === "running") {
		return renderOfferRow(renderOffer(l10n.t("Cancel"), () => actions.cancelTool(place)));
	}
	return change === undefined || change === "undone"
		? nothing
		: renderOfferRow(
				change === "applied" ? renderOffer(l10n.t("Undo"), () => actions.undoTool(place)) : nothing,
				renderOffer(l10n.t("Changed files"), () => actions.showChangedFiles()),
			);
}

function renderOfferRow(...offers: readonly (TemplateResult | typeof nothing)[]): TemplateResult {
	return html`<div class="tool-buttons">${offers}</div>`;
}

function renderOffer(words: string, onClick: () => void): TemplateResult {
	return html`<button type="button" class="tool-offer" @click=${onClick}>${words}</button>`;
}

function renderText(title: string, text: string): TemplateResult {
	return html`<details class="tool-text">
		<summary>${title}</summary>
		<pre tabindex="0">${text}</pre>
	</details>`;
}

type Answer = (decision: "allow" | "deny", scope: "once" | "chat") => (event: Event) => void;

function renderApproval(approval: ApprovalView, actions: ChatActions): TemplateResult {
	const { requestId, files, warnings, hunks, canRemember } = approval;
	const answer: Answer = (decision, scope) => event => {
		const { currentTarget } = event;
		const box = currentTarget instanceof Element ? currentTarget.closest(".tool-approval") : null;
		actions.answerTool({ requestId, decision, scope, ...choicesIn(box) });
	};
	return html`<div class="tool-approval">
		${files.length > 0 ? html`<p class="tool-files">${files.join(", ")}</p>` : nothing}
		${warnings.map(
			warning => html`<p class="tool-warning">${icon("warning")}<span>${warning}</span></p>`,
		)}
		${hunks.map(renderHunk)}
		<input
			type="text"
			class="tool-reason"
			maxlength="2000"
			aria-label=${l10n.t("Why not")}
			placeholder=${l10n.t("No, because…")}
		/>
		${renderButtons(answer, canRemember)}
	</div>`;
}

function renderHunk({
	number,
	title,
	before,
	after,
	firstLines,
}: ApprovalView["hunks"][number]): TemplateResult {
	return html`<div class="tool-hunk">
		<label><input type="checkbox" class="tool-choice" value=${number} checked />${title}</label>
		${renderLines("tool-before", before, firstLines?.before)}
		${renderLines("tool-after", after, firstLines?.after)}
	</div>`;
}

/** Lines with their numbers, which are no part of the text that is copied; nothing where there are none. */
function renderLines(
	className: string,
	text: string,
	first: number | undefined,
): TemplateResult | typeof nothing {
	return text === ""
		? nothing
		: html`<pre class=${className} tabindex="0">
${text
					.split("\n")
					.map(
						(line, index) =>
							html`<span class="tool-line" data-line=${first === undefined ? "" : first + index}
								>${line}${"\n"}</span
							>`,
					)}</pre>`;
}

/** «Deny» comes first, drawn like the others, so that none reads as recommended; those cannot be pressed for the first half second. */
function renderButtons(answer: Answer, canRemember: boolean): TemplateResult {
	const allow = (words: string, scope: "once" | "chat"): TemplateResult =>
		html`<button
			type="button"
			class="tool-allow"
			disabled
			${ref(armLater)}
			@click=${answer("allow", scope)}
		>
			${words}
		</button>`;
	return html`<div class="tool-buttons">
		<button type="button" class="tool-deny" @click=${answer("deny", "once")}>
			${l10n.t("Deny")}
		</button>
		${allow(l10n.t("Allow"), "once")}
		${canRemember ? allow(l10n.t("Allow in this chat"), "chat") : nothing}
	</div>`;
}

/** Lets a button be pressed once its request has stood long enough to be read. */
function armLater(element: Element | undefined): void {
	if (element instanceof HTMLButtonElement) {
		setTimeout(() => {
			element.disabled = false;
		}, armMs);
	}
}

function choicesIn(box: Element | null): { reason: string; hunks: number[] } {
	const chosen = [...(box?.querySelectorAll<HTMLInputElement>(".tool-choice:checked") ?? [])];
	const reason = box?.querySelector<HTMLInputElement>(".tool-reason")?.value ?? "";
	return { reason, hunks: chosen.map(({ value }) => Number(value)) };
}
