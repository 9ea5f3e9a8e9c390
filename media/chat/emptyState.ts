import { html, nothing, type TemplateResult } from "lit";
import type { ChatViewState } from "../../src/protocol/chat.ts";
import type { ChatActions } from "./actions.ts";
import { icon } from "./icon.ts";

interface Example {
	readonly icon: string;
	readonly text: string;
}

/** Questions that show what a first one can be, each one that whoever answers can answer; pressing one puts it into the composer. */
const examples: Readonly<Record<"model" | "local" | "localWithoutTools", readonly Example[]>> = {
	model: [
		{ icon: "book", text: "What can you do?" },
		{ icon: "code", text: "Write a TypeScript function that groups an array by a key." },
		{ icon: "graph", text: "Explain the difference between the mean and the median with a table." },
	],
	local: [
		{ icon: "book", text: "What can you do?" },
		{ icon: "code", text: "Explain the selection" },
		{ icon: "device-camera-video", text: "Make a video of the selection" },
	],
	localWithoutTools: [
		{ icon: "book", text: "What can you do?" },
		{ icon: "code", text: "/code typescript" },
		{ icon: "graph", text: "/markdown" },
	],
};

function examplesFor({ connection, toolsOff }: ChatViewState): readonly Example[] {
	if (connection.kind !== "local") {
		return examples.model;
	}
	return toolsOff === null ? examples.local : examples.localWithoutTools;
}

/** What stands in a chat without questions: what it is, examples, who answers and how to change that. */
export function renderEmptyState(state: ChatViewState, actions: ChatActions): TemplateResult {
	const { kind, label, hasKey } = state.connection;
	return html`<div class="empty">
		<div class="empty-icon">${icon("comment-discussion-sparkle")}</div>
		<h2>Ask Cutaway</h2>
		<p class="empty-lead">Answers stream in here while you keep working.</p>
		<ul class="examples" aria-label="Examples">
			${examplesFor(state).map(
				example =>
					html`<li>
						<button type="button" class="example" @click=${() => actions.useExample(example.text)}>
							${icon(example.icon)}<span>${example.text}</span>
						</button>
					</li>`,
			)}
		</ul>
		<p class="empty-lead">Attach files with @, the paperclip, or a drop here with Shift held.</p>
		<div class="empty-service">
			<p>
				${
					kind === "local"
						? html`The <strong>${label}</strong> answers: it runs on this machine and needs no
								account.`
						: html`<strong>${label}</strong> answers${hasKey ? "." : ", without a key so far."}`
				}
			</p>
			<button type="button" class="button" @click=${actions.connect}>Connect to a Service…</button>
		</div>
		${
			state.toolsOff === null
				? nothing
				: html`<p class="empty-note">
						${icon("shield")} The model cannot use the editor here. ${state.toolsOff}
					</p>`
		}
	</div>`;
}
