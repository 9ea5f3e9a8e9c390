import { html, nothing, type TemplateResult } from "lit";
import type { MessageView, TurnView } from "../../src/protocol/chat.ts";
import type { ChatActions } from "./actions.ts";
import type { Answers } from "./answers.ts";
import { icon, iconButton } from "./icon.ts";

/** What a message is rendered with. */
export interface MessageContext {
	readonly answers: Answers;
	readonly actions: ChatActions;
}

/** The question: plain text, in a bubble of its own. */
export function renderQuestion(turn: TurnView, { actions }: MessageContext): TemplateResult {
	return html`<article class="message question" aria-label="You">
		<div class="bubble">${turn.prompt}</div>
		<div class="message-actions">
			${iconButton("copy", "Copy", () => actions.copyMessage(turn.id, -1), "copy-message")}
		</div>
	</article>`;
}

/** One message of the answer. The name is ours; nothing the service sends can change it (threat T29). */
export function renderAnswer(
	turn: TurnView,
	message: MessageView,
	canRetry: boolean,
	{ answers, actions }: MessageContext,
): TemplateResult {
	const isFinished = message.isFinished || turn.status.state !== "streaming";
	const isFirst = message === turn.messages[0];
	return html`<article class="message answer" aria-label="Assistant">
		${
			isFirst
				? html`<div class="answer-head">
						${icon("sparkle")}<span class="answer-name">Assistant</span
						><span class="answer-model">${turn.model}</span>
					</div>`
				: nothing
		}
		${
			message.toolNames.length > 0
				? html`<p class="tool-names">
						${icon("tools")}<span>Asked for ${message.toolNames.join(", ")}</span>
					</p>`
				: nothing
		}
		${answers.elementOf(turn.id, message, isFinished)}
		${
			isFinished
				? html`<div class="message-actions">
						${iconButton(
							"copy",
							"Copy",
							() => actions.copyMessage(turn.id, message.index),
							"copy-message",
						)}
						${
							message.text.trim() === ""
								? nothing
								: iconButton("device-camera-video", "Generate video", () =>
										actions.generateVideo(turn.id, message.text),
									)
						}
						${canRetry ? iconButton("refresh", "Retry", () => actions.retry(turn.id)) : nothing}
					</div>`
				: nothing
		}
	</article>`;
}
