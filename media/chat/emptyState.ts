import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ChatViewState } from "../../src/shared/index.ts";
import type { ChatActions } from "./base/index.ts";
import { filled } from "../shared/filled.ts";
import { answererLabel, isDemo, renderModelOffers } from "./modelOffers.ts";
import { icon } from "../shared/icon.ts";

/** Code for a first video: short enough for every line to be read in it. */
const sample = [
	"export function greet(name: string): string {",
	"\treturn `Hello, ${name}!`;",
	"}",
].join("\n");

interface Example {
	readonly icon: string;
	/** Label. */
	readonly label: () => string;
	/** Text it puts into the composer, where that is not its label: the local service's demo understands English. */
	readonly text?: string;
	/** Step before it can be answered. */
	readonly condition?: () => string;
}

/** Works at once with whatever is set up: the local service renders it, any other asks before it costs anything. */
const videoExample: Example = {
	icon: "device-camera-video",
	label: () => l10n.t("Make a short video from this sample"),
	text: `/video \`\`\`ts\n${sample}\n\`\`\``,
};

/** Questions that show what a first one can be, each one that whoever answers can answer; pressing one puts it into the composer. */
const examples: Readonly<Record<"model" | "demo" | "demoWithoutTools", readonly Example[]>> = {
	model: [
		videoExample,
		{ icon: "book", label: () => l10n.t("What can you do?") },
		{
			icon: "code",
			label: () => l10n.t("Write a TypeScript function that groups an array by a key."),
		},
	],
	demo: [
		videoExample,
		{ icon: "book", label: () => l10n.t("What can you do?"), text: "What can you do?" },
		{
			icon: "list-selection",
			label: () => l10n.t("Make a video of the selection"),
			text: "Make a video of the selection",
			condition: () => l10n.t("Select text in an editor first."),
		},
	],
	demoWithoutTools: [
		videoExample,
		{ icon: "book", label: () => l10n.t("What can you do?"), text: "What can you do?" },
	],
};

function examplesFor(state: ChatViewState): readonly Example[] {
	if (!isDemo(state)) {
		return examples.model;
	}
	return state.toolsOff === null ? examples.demo : examples.demoWithoutTools;
}

/** Content of a chat without questions: what it is, examples, who answers and how to change that. */
export function renderEmptyState(state: ChatViewState, actions: ChatActions): TemplateResult {
	return html`<div class="empty">
		<div class="empty-icon">${icon("comment-discussion-sparkle")}</div>
		<h2>${l10n.t("Ask Cutaway")}</h2>
		<p class="empty-lead">
			${l10n.t("Ask about your code, or turn selected text into a short video.")}
		</p>
		<ul class="examples" aria-label=${l10n.t("Examples")}>
			${examplesFor(state).map(
				example =>
					html`<li>
						<button
							type="button"
							class="example"
							@click=${() => actions.useExample(example.text ?? example.label())}
						>
							${icon(example.icon)}<span
								>${example.label()}${
									example.condition
										? html` <span class="example-condition">${example.condition()}</span>`
										: nothing
								}</span
							>
						</button>
					</li>`,
			)}
		</ul>
		<p class="empty-lead">
			${l10n.t("Attach files with @ or the paperclip, or hold Shift and drop them here.")}
		</p>
		<div class="empty-service">
			<p>${renderWhoAnswers(state)}</p>
			${renderModelOffers(state, actions)}
			<button type="button" class="button" @click=${() => actions.ask("connect", {})}>
				${l10n.t("Connect to a Service…")}
			</button>
		</div>
		${
			state.toolsOff === null
				? nothing
				: html`<p class="empty-note">
						${icon("shield")} ${l10n.t("The model can't use the editor here.")} ${state.toolsOff}
					</p>`
		}
	</div>`;
}

function renderWhoAnswers(state: ChatViewState): TemplateResult {
	return filled(place => whoAnswers(state, place), html`<strong>${answererLabel(state)}</strong>`);
}

function whoAnswers(state: ChatViewState, place: string): string {
	const { kind, hasKey } = state.connection;
	if (isDemo(state)) {
		return l10n.t("The built-in {0} answers on this machine. No account needed.", place);
	}
	if (kind === "local") {
		return l10n.t("Answers come from {0}.", place);
	}
	return hasKey
		? l10n.t("Connected to {0}.", place)
		: l10n.t("Connected to {0}. No API key set.", place);
}
