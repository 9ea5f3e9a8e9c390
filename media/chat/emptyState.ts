import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ChatViewState, ComposerView } from "../../src/shared/chat.ts";
import type { ChatActions } from "./base/actions.ts";
import { icon } from "../shared/icon.ts";

type Suggestion = NonNullable<ComposerView["suggestions"]>[number];

const icons: Readonly<Record<Suggestion["id"], string>> = {
	explain: "comment-discussion",
	review: "git-compare",
	tests: "beaker",
	clip: "device-camera-video",
	help: "question",
	sampleEdit: "edit",
	python: "terminal",
};

type Ask = Pick<ChatActions, "ask">;

/** Renders a chat without questions: a box for the model if none is selected, and suggestions. */
export function renderEmptyState(state: ChatViewState, actions: Ask): TemplateResult {
	const { composer, toolsOff } = state;
	const { suggestions = [] } = composer;
	return html`<div class="empty">
		<div class="empty-icon">${icon("comment-discussion-sparkle")}</div>
		<h2>${l10n.t("Ask Cutaway")}</h2>
		${renderModelBox(state, actions)}
		<ul class="suggestions" aria-label=${l10n.t("Suggestions")}>
			${suggestions.map(
				({ id, label }) =>
					html`<li>
						<button
							type="button"
							class="suggestion"
							@click=${() => actions.ask("runSuggestion", { id })}
						>
							${icon(icons[id])}<span>${label}</span>
						</button>
					</li>`,
			)}
		</ul>
		${
			composer.isDemo
				? html`<button
						type="button"
						class="link-button"
						@click=${() => actions.ask("chooseModel", {})}
					>
						${l10n.t("More ways to connect…")}
					</button>`
				: nothing
		}
		${
			toolsOff === null
				? nothing
				: html`<p class="empty-note">
						${icon("shield")} ${l10n.t("The model can't use the editor here.")} ${toolsOff}
					</p>`
		}
	</div>`;
}

/** Renders the found model with a button that selects it, or else the way to get one, unless a model is selected. */
function renderModelBox(
	{ composer, connection }: ChatViewState,
	actions: Ask,
): TemplateResult | typeof nothing {
	const connect = (): void => actions.ask("connect", {});
	if (connection.kind === "invalid") {
		return renderBox(connection.label, "", { label: l10n.t("Change Address…"), onClick: connect });
	}
	if (connection.kind === "remote" && !connection.hasKey) {
		// Services without keys exist, so the next step is to ask.
		return renderBox(l10n.t("Connected to {0}. No API key set.", connection.label), "", {
			label: l10n.t("Set Address and Key…"),
			isQuiet: true,
			onClick: connect,
		});
	}
	return composer.isDemo ? renderSearch(composer.search, actions) : nothing;
}

function renderSearch(search: ComposerView["search"], actions: Ask): TemplateResult {
	const [best] = search?.found ?? [];
	if (best && search) {
		return renderBox(search.heading, best.name, {
			label: l10n.t("Use"),
			name: l10n.t("Use {0}", best.name),
			detail: best.detail,
			onClick: () => actions.ask("chooseModel", { id: best.id }),
		});
	}
	if (search?.isLooking) {
		return renderBox(l10n.t("Looking for models on this machine…"), "", {
			label: l10n.t("Choose Model…"),
			onClick: () => actions.ask("chooseModel", {}),
		});
	}
	const way = search?.way;
	return renderBox(search?.heading || l10n.t("No model is set up"), "", {
		label: way?.label ?? l10n.t("Choose Model…"),
		detail: way?.detail ?? "",
		isQuiet: way?.id === "cancel",
		onClick: () => actions.ask("chooseModel", way ? { id: way.id } : {}),
		...(search?.key ? { other: otherWay(search.key, actions) } : {}),
	});
}

function otherWay(
	{ id, label }: { readonly id: string; readonly label: string },
	actions: Ask,
): TemplateResult {
	return html`<button
		type="button"
		class="button"
		@click=${() => actions.ask("chooseModel", { id })}
	>
		${label}
	</button>`;
}

interface BoxAction {
	readonly label: string;
	/** Accessible name of the button, if its label isn't enough. */
	readonly name?: string;
	readonly detail?: string;
	/** Whether it isn't the next step. */
	readonly isQuiet?: boolean;
	/** A second button. */
	readonly other?: TemplateResult;
	onClick(): void;
}

/** Renders a box of constant height. */
function renderBox(
	heading: string,
	model: string,
	{ label, name, detail = "", isQuiet = false, other, onClick }: BoxAction,
): TemplateResult {
	return html`<section
		class=${other ? "model-box two-ways" : "model-box"}
		aria-label=${l10n.t("Model")}
	>
		<div class="model-box-text">
			<p class="model-box-heading">${heading}</p>
			${model === "" ? nothing : html`<p class="model-box-name" title=${model}>${model}</p>`}
			${detail === "" ? nothing : html`<p class="model-box-detail" title=${detail}>${detail}</p>`}
		</div>
		<div class="model-box-actions">
			<button
				type="button"
				class=${isQuiet ? "button" : "button primary"}
				aria-label=${name ?? nothing}
				@click=${onClick}
			>
				${label}
			</button>
			${other ?? nothing}
		</div>
	</section>`;
}
