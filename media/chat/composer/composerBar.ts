import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import type { ComposerView } from "../../../src/shared/chat.ts";
import { icon } from "../../shared/icon.ts";
import { openPopupMenu } from "../../shared/popupMenu.ts";
import type { ChatActions } from "../base/actions.ts";
import { renderChatSettingsButton } from "../settings/chatSettings.ts";
import type { ChatSettingsPanel } from "../settings/chatSettingsPanel.ts";
import { renderInstructionsIcon } from "./instructions.ts";
import { renderModelPicker } from "./modelPicker.ts";

interface BarState {
	readonly composer: ComposerView;
	readonly settings: ChatSettingsPanel;
	/** Whether a message sent now is queued. */
	readonly isBusy: boolean;
}

/** Renders the row below the text: what is sent along, the model, the tools, and Send or Stop. */
export function renderComposerBar(
	{ composer, settings, isBusy }: BarState,
	canSend: boolean,
	actions: ChatActions,
): TemplateResult {
	return html`<div class="composer-bar" ${keepInOneRow}>
		${renderAttach(actions)} ${renderInstructionsIcon(composer, actions)}
		${renderModelPicker(composer, actions)} ${renderChatSettingsButton(composer, settings)}
		${renderTool("code_interpreter", l10n.t("Code interpreter"), "terminal", composer, actions)}
		${renderTool("browsing", l10n.t("Browsing"), "globe", composer, actions)}
		${renderExternalTools(composer, actions)} ${renderMore()}
		<span class="composer-end"
			>${renderContext(composer, actions)}${
				isBusy
					? html`${renderQueueButton(canSend, actions)}${renderStop(actions)}`
					: renderSend(canSend, actions)
			}</span
		>
	</div>`;
}

/** Renders a ring that shows the share of the model's context, if its length is known. */
function renderContext(
	{ context }: ComposerView,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	return context === undefined
		? nothing
		: html`<button
				type="button"
				class=${`icon-button context-use ${context.percent >= 80 ? "nearly-full" : ""}`}
				.style=${`--used: ${context.percent}%`}
				aria-label=${context.label}
				title=${context.label}
				@click=${() => actions.ask("showContext", {})}
			>
				<span class="context-ring"></span>
			</button>`;
}

function switchTitle(name: string, isOn: boolean): string {
	return isOn ? l10n.t("{0}: on", name) : l10n.t("{0}: off", name);
}

export function noToolsSentence({ model }: ComposerView): string {
	return l10n.t(
		"{0} can't use Code interpreter and Browsing. Choose another model for them.",
		model,
	);
}

function renderSend(canSend: boolean, actions: ChatActions): TemplateResult {
	return html`<button
		type="button"
		class="icon-button send"
		aria-label=${l10n.t("Send")}
		title=${l10n.t("{0} (Enter)", l10n.t("Send"))}
		?disabled=${!canSend}
		@click=${actions.send}
	>
		${icon("send")}
	</button>`;
}

function renderStop(actions: ChatActions): TemplateResult {
	return html`<button
		type="button"
		class="stop"
		aria-label=${l10n.t("Stop")}
		title=${l10n.t("{0} (Escape)", l10n.t("Stop"))}
		@click=${() => actions.ask("stop", {})}
	>
		${icon("debug-stop")}<span>${l10n.t("Stop")}</span>
	</button>`;
}

/** Renders the button that queues the message while an answer runs. */
function renderQueueButton(canSend: boolean, actions: ChatActions): TemplateResult {
	return html`<button
		type="button"
		class="icon-button queue-button"
		aria-label=${l10n.t("Queue message")}
		title=${l10n.t("Queue: sent when the answer is complete (Enter)")}
		?disabled=${!canSend}
		@click=${actions.send}
	>
		${icon("list-ordered")}
	</button>`;
}

function renderTool(
	tool: "code_interpreter" | "browsing",
	name: string,
	iconName: string,
	composer: ComposerView,
	actions: ChatActions,
): TemplateResult {
	const isOn = tool === "browsing" ? composer.browsing : composer.codeInterpreter;
	const canUse = composer.canUseServerTools;
	const onClick = (): void => {
		if (canUse) {
			actions.ask("setServerTool", { tool, isOn: !isOn });
		}
	};
	return html`<button
		type="button"
		role="switch"
		class="tool-switch"
		aria-label=${name}
		aria-checked=${canUse && isOn ? "true" : "false"}
		aria-disabled=${canUse ? "false" : "true"}
		aria-describedby=${canUse ? nothing : "composer-hint"}
		title=${canUse ? switchTitle(name, isOn) : noToolsSentence(composer)}
		@click=${onClick}
	>
		${icon(iconName)}<span class="tool-name">${name}</span>
	</button>`;
}

/** Renders the button for tools of MCP servers and other extensions, if there are any. */
function renderExternalTools(
	{ externalTools }: ComposerView,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	return externalTools === undefined
		? nothing
		: html`<button
				type="button"
				class=${`icon-button external-tools ${externalTools.isAny ? "external-tools-on" : ""}`}
				aria-label=${externalTools.label}
				title=${externalTools.label}
				@click=${() => actions.ask("chooseTools", {})}
			>
				${icon("plug")}
			</button>`;
}

function renderAttach(actions: ChatActions): TemplateResult {
	return html`<button
		type="button"
		class="icon-button attach"
		aria-label=${l10n.t("Attach files")}
		title=${l10n.t("Attach files. To drop them here, hold Shift")}
		@click=${() => actions.ask("attachFiles", {})}
	>
		${icon("attach")}
	</button>`;
}

/** How much the style sheet hides: nothing, names of tools, then their buttons, then all but the model and what sends. */
const steps = ["none", "names", "tools", "most"] as const;

const followed = new WeakSet<Element>();

/** Keeps the composer's bar in one row, by hiding more of it while it wraps. What is hidden is in the menu of `renderMore`. */
const keepInOneRow = ref((bar?: Element) => {
	if (!(bar instanceof HTMLElement) || followed.has(bar)) {
		return;
	}
	followed.add(bar);
	const fit = (): void => {
		for (const step of steps) {
			bar.dataset["hides"] = step;
			if (!isWrapped(bar)) {
				break;
			}
		}
	};
	new MutationObserver(fit).observe(bar, { childList: true, subtree: true });
	window.addEventListener("resize", fit);
	// The widths of icons and text depend on their fonts.
	void document.fonts.ready.then(fit);
	requestAnimationFrame(fit);
});

function isWrapped({ children }: HTMLElement): boolean {
	const shown = [...children]
		.map(each => each.getBoundingClientRect())
		.filter(box => box.width > 0);
	return (shown.at(-1)?.top ?? 0) >= (shown[0]?.bottom ?? 0);
}

/** Renders a menu of the bar's hidden buttons. The style sheet shows it if there are any. */
function renderMore(): TemplateResult {
	const name = l10n.t("More options");
	const open = ({ currentTarget: anchor }: Event): void => {
		if (anchor instanceof HTMLElement) {
			openPopupMenu(anchor, name, hiddenButtons(anchor.parentElement).map(menuItem));
		}
	};
	return html`<button
		type="button"
		class="icon-button bar-more"
		aria-label=${name}
		title=${name}
		aria-haspopup="menu"
		aria-expanded="false"
		@click=${open}
	>
		${icon("ellipsis")}
	</button>`;
}

function hiddenButtons(bar: HTMLElement | null): readonly HTMLElement[] {
	return [...(bar?.querySelectorAll<HTMLElement>(":scope > button") ?? [])].filter(
		button => !button.checkVisibility() && button.ariaDisabled !== "true",
	);
}

function menuItem(button: HTMLElement): Parameters<typeof openPopupMenu>[2][number] {
	const isSwitch = button.role === "switch";
	return {
		label: button.ariaLabel ?? "",
		...(isSwitch ? { isChecked: button.ariaChecked === "true" } : {}),
		onPick: () => button.click(),
	};
}
