import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { ComposerView } from "../../src/protocol/chat.ts";
import type { ChatActions } from "./actions.ts";
import { icon, iconButton } from "./icon.ts";
import { renderModelPicker } from "./modelPicker.ts";

/** What the composer shows. */
export interface ComposerState {
	readonly composer: ComposerView;
	readonly draft: string;
	readonly isAnswering: boolean;
	/** A sentence about why something did not happen, shown below the text. */
	readonly hint: string;
}

/** The place to write: the text, the model, the server tools, and Send or Stop. */
export function renderComposer(state: ComposerState, actions: ChatActions): TemplateResult {
	const { composer, draft, isAnswering, hint } = state;
	return html`<div class="composer">
			<textarea
				class="composer-text"
				aria-label="Message"
				aria-describedby="composer-hint"
				placeholder="Ask a question"
				rows="1"
				.value=${live(draft)}
				@input=${(event: InputEvent) => onInput(event, actions)}
				@keydown=${(event: KeyboardEvent) => onKeyDown(event, actions)}
			></textarea>
			<div class="composer-bar">
				${renderModelPicker(composer, actions)}
				${renderTool("code_interpreter", "Code interpreter", "terminal", composer, actions)}
				${renderTool("browsing", "Browsing", "globe", composer, actions)}
				<span class="spacer"></span>
				${
					isAnswering
						? iconButton("stop-circle", "Stop", actions.stop, "stop")
						: renderSend(draft, actions)
				}
			</div>
		</div>
		<p id="composer-hint" class="composer-hint" role="status">
			${hint !== "" ? hint : composer.canUseServerTools ? nothing : noToolsSentence(composer)}
		</p>`;
}

function noToolsSentence({ model }: ComposerView): string {
	return `${model} has no tools. Code interpreter and Browsing need a model with “tools” in its name.`;
}

function renderSend(draft: string, actions: ChatActions): TemplateResult {
	return html`<button
		type="button"
		class="icon-button send"
		aria-label="Send"
		title="Send (Enter)"
		?disabled=${draft.trim() === ""}
		@click=${actions.send}
	>
		${icon("send")}
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
			actions.setServerTool(tool, !isOn);
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
		title=${canUse ? `${name}: ${isOn ? "on" : "off"}` : noToolsSentence(composer)}
		@click=${onClick}
	>
		${icon(iconName)}<span class="tool-name">${name}</span>
	</button>`;
}

function onInput(event: InputEvent, actions: ChatActions): void {
	if (event.currentTarget instanceof HTMLTextAreaElement) {
		actions.draftChanged(event.currentTarget.value);
	}
}

/** Enter sends and Shift+Enter breaks the line; while an input method composes, Enter belongs to it. */
function onKeyDown(event: KeyboardEvent, actions: ChatActions): void {
	if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
		event.preventDefault();
		actions.send();
	}
}
