import * as l10n from "@vscode/l10n";
import { html, type nothing, type TemplateResult } from "lit";
import type { MessageView, TurnView } from "../../../src/shared/chat.ts";
import { icon } from "../../shared/icon.ts";

/** Description of a server tool's run, for its collapsed card. */
export interface ToolRun {
	readonly title: string;
	readonly detail: string;
	readonly icon: string;
	/** Whether the message starts with a heading that only repeats the card's title. */
	readonly isHeaded: boolean;
}

/** A fenced block of Python at the very start. CommonMark §4.5. */
const codeFence = /^ {0,3}(`{3,}|~{3,}(?!~))[ \t]*(?:python|py)\b[^\n`]*\n/i;

/** Any fenced block, at the start or after one line that describes it. */
const anyFence = /^(?:[^\n`]{0,120}\n+)?[ ]{0,3}(`{3,}|~{3,}(?!~))[^\n`]*\n/;

/** First line of a run's output by the local service. */
const outputHeading = /^\*\*Output(?: \((error)\))?\*\*/;

/** The exception at the end of a Python traceback. */
const raised = /^Traceback \(most recent call last\):[\s\S]*?^([A-Z]\w*(?:\.\w+)*)(?::|$)/m;

/** The most characters of a message to examine. */
const readCharacters = 20_000;

/**
 * Describes a message as a server tool's run. Only server tools create answers with several messages (docs/interface.md §1, §6), and their code or
 * output precedes the answer. Returns undefined for any other message.
 */
export function describeToolRun(turn: TurnView, message: MessageView): ToolRun | undefined {
	const isByTool = message.role === "tool" || message.role === "function";
	const isBeforeLast = message !== turn.messages.at(-1);
	const text = message.text.slice(0, readCharacters);
	const code = codeFence.exec(text);
	if (code && isBeforeLast) {
		const detail = countLines(text, code);
		return { title: l10n.t("Ran Python"), detail, icon: "terminal", isHeaded: false };
	}
	const heading = outputHeading.exec(text);
	const isHeaded = heading !== null && turn.messages.length > 1;
	const fence = anyFence.exec(text);
	if (!isByTool && !isHeaded && !(isBeforeLast && fence)) {
		return undefined;
	}
	const error = raised.exec(text)?.[1] ?? (heading?.[1] === undefined ? undefined : "");
	return error === undefined
		? {
				title: l10n.t("Output"),
				detail: fence ? countLines(text, fence) : "",
				icon: "output",
				isHeaded,
			}
		: { title: l10n.t("Python stopped"), detail: error, icon: "error", isHeaded };
}

/** Describes the number of lines in a fenced block. */
function countLines(text: string, fence: RegExpExecArray): string {
	const body = text.slice(fence.index + fence[0].length);
	const end = body.search(new RegExp(`^ {0,3}${fence[1]}`, "m"));
	const count = (end === -1 ? body : body.slice(0, end)).trimEnd().split("\n").length;
	return count === 1 ? l10n.t("1 line") : l10n.t("{0} lines", count);
}

/** Renders a collapsed card of a tool's run. `text` is the message itself, `actions` are those of the message. */
export function renderToolRun(
	run: ToolRun,
	text: HTMLElement,
	actions: TemplateResult | typeof nothing,
): TemplateResult {
	return html`<div class="tool-run-card">
		<details class=${run.isHeaded ? "tool-run headed" : "tool-run"}>
			<summary>
				${icon("chevron-right")}${icon(run.icon)}<span class="tool-run-title">${run.title}</span
				><span class="tool-run-detail">${run.detail}</span>
			</summary>
			${text}
		</details>
		${actions}
	</div>`;
}
