import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { until } from "lit/directives/until.js";
import type {
	ApprovalView,
	ChangedLine,
	QuestionAnswer,
	QuestionView,
} from "../../../src/shared/tools.ts";
import type { ChatActions } from "../base/actions.ts";
import { icon } from "../../shared/icon.ts";
import { isOfInputMethod } from "../../shared/inputMethod.ts";
import {
	type HighlightedPiece,
	type Highlighter,
	loadHighlighter,
} from "../markdown/final/highlight.ts";
import { isCovered, isSeen, watchSight } from "./approvalSight.ts";

/** How long a request is shown before it can be allowed, in milliseconds, so that a click meant for something else doesn't allow it. */
const armMs = 500;

/** How often to check whether something covers an open request, in milliseconds. */
const lookMs = 500;

type ApprovalClick = (decision: "allow" | "deny", scope: "once" | "chat") => (event: Event) => void;

/** Renders an approval request: what would happen, then the possible answers. The card around it has the class `.tool-asking`. */
export function renderApproval(approval: ApprovalView, actions: ChatActions): TemplateResult {
	const { requestId, files, address, warnings, hunks, clip, external, canRemember } = approval;
	const answer: ApprovalClick = (decision, scope) => event => {
		const { currentTarget } = event;
		const box = currentTarget instanceof Element ? currentTarget.closest(".tool-approval") : null;
		if (decision === "allow" && currentTarget instanceof HTMLButtonElement && !arm(currentTarget)) {
			return;
		}
		actions.ask("answerTool", { requestId, decision, scope, ...choicesIn(box) });
		if (decision === "allow") {
			focusComposer(box);
		}
	};
	const isOnly = hunks.length === 1;
	return html`<div
		class="tool-approval"
		tabindex="-1"
		role="group"
		aria-label=${l10n.t("Your answer is needed")}
		${ref(focusIfIdle)}
		${ref(watchSight)}
		@keydown=${onCardKey}
	>
		${address === undefined ? nothing : renderAddress(address)}
		${warnings.map(
			warning => html`<p class="tool-warning">${icon("warning")}<span>${warning}</span></p>`,
		)}
		${clip ? renderClip(clip) : nothing} ${external ? renderExternal(external) : nothing}
		${renderFiles(files.filter(file => !hunks.some(hunk => hunk.file === file)))}
		${hunks.map((hunk, index) => {
			const isFirst = hunk.file !== hunks[index - 1]?.file;
			return html`${isFirst ? renderFiles([hunk.file]) : nothing}${renderHunk(hunk, isOnly)}`;
		})}
		${
			hunks.some(({ left }) => left > 0)
				? html`<button
						type="button"
						class="tool-offer link-button"
						@click=${() => actions.ask("showProposal", { requestId })}
					>
						${l10n.t("Show all in the editor")}
					</button>`
				: nothing
		}
		${renderButtons(answer, canRemember)}
		<input
			type="text"
			class="tool-reason"
			maxlength="2000"
			aria-label=${l10n.t("Why not")}
			placeholder=${l10n.t("No, because…")}
			@keydown=${(event: KeyboardEvent) => {
				const { key, currentTarget: field } = event;
				const isWritten = field instanceof HTMLInputElement && field.value.trim() !== "";
				if (key === "Enter" && isWritten && !isAllowKey(event) && !isOfInputMethod(event)) {
					answer("deny", "once")(event);
				}
			}}
		/>
	</div>`;
}

/** A prompt that is one block of code with no words but its language's name. */
const codePrompt = /^```([\w.+#-]*)\n((?:(?!```)[^\n]*\n)+)```\n?$/;

/**
 * Renders a video's prompt as a quotation, to distinguish the model's text from Cutaway's. Code is shown without its fence, and its language with the
 * facts, so that no word that is sent is missing.
 */
function renderClip({ prompt, facts }: NonNullable<ApprovalView["clip"]>): TemplateResult {
	const [, language = "", code] = codePrompt.exec(prompt) ?? [];
	const known = [language, facts].filter(fact => fact !== "");
	return html`<blockquote
			class=${code === undefined ? "tool-prompt" : "tool-prompt of-code"}
			dir="auto"
			.textContent=${code?.trimEnd() ?? prompt}
		></blockquote>
		${known.length === 0 ? nothing : html`<p class="tool-files">${known.join(" · ")}</p>`}`;
}

/** Renders the whole URL with a highlighted host. The warnings below name the host beside the answers, however long the URL is. */
function renderAddress({
	before,
	host,
	after,
}: NonNullable<ApprovalView["address"]>): TemplateResult {
	return html`<p class="tool-address" dir="ltr">${before}<strong>${host}</strong>${after}</p>`;
}

/** Renders all arguments of an external tool, whose server and name are the card's title. */
function renderExternal({
	argumentsText,
	wholeName,
}: NonNullable<ApprovalView["external"]>): TemplateResult {
	return html`${
			wholeName === undefined
				? nothing
				: html`<p class="tool-files">${l10n.t("Its name in VS Code: {0}", wholeName)}</p>`
		}
		<pre class="tool-diff tool-arguments">${argumentsText}</pre>`;
}

function renderFiles(files: readonly string[]): TemplateResult | typeof nothing {
	return files.length > 0 ? html`<p class="tool-files">${files.join(", ")}</p>` : nothing;
}

/** Renders the lines of a hunk. A single one has no checkbox, because “Deny” has the same effect. */
function renderHunk(
	{ number, title, file, lines, left, firstLine }: ApprovalView["hunks"][number],
	isOnly: boolean,
): TemplateResult {
	return html`<div class="tool-hunk">
		${
			number === undefined
				? nothing
				: html`<label ?hidden=${isOnly}
						><input
							type="checkbox"
							class="tool-choice"
							value=${number}
							aria-label=${title}
							checked
						/>${l10n.t("Line {0}", firstLine)}</label
					>`
		}
		${lines.length === 0 ? nothing : renderLines(file, lines)}
		${left === 0 ? nothing : html`<p class="tool-files">${moreLines(left)}</p>`}
	</div>`;
}

function moreLines(count: number): string {
	return count === 1 ? l10n.t("1 more line") : l10n.t("{0} more lines", count);
}

const lineMarks = { same: " ", removed: "−", added: "+", gap: "⋯" } as const;

/** Renders lines with their numbers and signs, which aren't copied. What doesn't fit goes on below the first character of its line. */
function renderLines(file: string, lines: readonly ChangedLine[]): TemplateResult {
	const digits = Math.max(...lines.map(({ number }) => String(number).length));
	const colors = colorLines(file, lines);
	return html`<pre class="tool-diff" tabindex="0">
${lines.map(({ kind, number, text }, index) => {
			const shown = (kind === "gap" ? "" : String(number)).padStart(digits);
			const pieces = colors.then(colored => colored?.[index]?.map(renderPiece) ?? text);
			const indent = indentOf(text);
			return html`<span
				class=${`tool-line tool-line-${kind}`}
				data-line=${`${shown} ${lineMarks[kind]}`}
				><span ${ref(element => hang(element, indent))}>${until(pieces, text)}${"\n"}</span></span
			>`;
		})}</pre>`;
}

function renderPiece([text, className]: HighlightedPiece): TemplateResult {
	return html`<span class=${className}>${text}</span>`;
}

/** The widest indentation of lines that go on, in characters, so that narrow views have room for the code. */
const maxIndent = 16;
const tabWidth = 4;

/** Lets what doesn't fit on a line go on below its first character. The page's policy forbids a style in the markup. */
function hang(element: Element | undefined, indent: number): void {
	if (element instanceof HTMLElement) {
		element.style.setProperty("padding-inline-start", `${indent}ch`);
		element.style.setProperty("text-indent", `-${indent}ch`);
	}
}

function indentOf(text: string): number {
	const [space = ""] = /^[\t ]*/.exec(text) ?? [];
	return Math.min(maxIndent, space.replaceAll("\t", " ".repeat(tabWidth)).length);
}

/** The pieces of each line, in the order of the lines. */
type ColoredLines = readonly (readonly HighlightedPiece[])[];

const colored = new WeakMap<readonly ChangedLine[], Promise<ColoredLines | undefined>>();

/** Colors the lines of a change to a file as code blocks are. The same lines have the same promise; undefined for a language that isn't known. */
function colorLines(
	file: string,
	lines: readonly ChangedLine[],
): Promise<ColoredLines | undefined> {
	const known = colored.get(lines) ?? color(file, lines).catch(() => undefined);
	colored.set(lines, known);
	return known;
}

async function color(
	file: string,
	lines: readonly ChangedLine[],
): Promise<ColoredLines | undefined> {
	const language = /\.([\w+-]{1,20})$/.exec(file)?.[1]?.toLowerCase();
	const highlight = language === undefined ? undefined : await loadHighlighter(language);
	if (language === undefined || !highlight) {
		return undefined;
	}
	// What goes and what comes are two texts, whose states don't mix.
	const removed = piecesOf(lines, "added", text => highlight(text, language));
	const added = piecesOf(lines, "removed", text => highlight(text, language));
	return removed && added
		? lines.map(({ kind }, index) => (kind === "removed" ? removed : added)[index] ?? [])
		: undefined;
}

/** Colors all lines but those of one kind. Returns undefined unless the pieces are exactly the text. */
function piecesOf(
	lines: readonly ChangedLine[],
	without: ChangedLine["kind"],
	highlight: (text: string) => ReturnType<Highlighter>,
): ColoredLines | undefined {
	const texts = lines.map(({ kind, text }) => (kind === without ? "" : text));
	const pieces = highlight(texts.join("\n"));
	if (!pieces || pieces.map(([text]) => text).join("") !== texts.join("\n")) {
		return undefined;
	}
	const result: HighlightedPiece[][] = [[]];
	for (const [text, className] of pieces) {
		const [first = "", ...others] = text.split("\n");
		result.at(-1)?.push([first, className]);
		others.forEach(other => result.push([[other, className]]));
	}
	return result;
}

/** Renders the buttons. “Deny” is first. The others are disabled for the first half second; only then is one of them primary. */
function renderButtons(answer: ApprovalClick, canRemember: boolean): TemplateResult {
	const allow = (words: string, scope: "once" | "chat", look: string): TemplateResult =>
		html`<button
			type="button"
			class=${`tool-allow button ${look}`}
			disabled
			${ref(armLater)}
			@click=${answer("allow", scope)}
		>
			${words}${
				scope === "once"
					? html`<span class="tool-key" aria-hidden="true">${allowKeyName()}</span>`
					: nothing
			}
		</button>`;
	return html`<div class="tool-buttons">
		<button type="button" class="tool-deny button" @click=${answer("deny", "once")}>
			${l10n.t("Deny")}
		</button>
		${allow(l10n.t("Allow"), "once", "primary")}
		${canRemember ? allow(l10n.t("Allow in this chat"), "chat", "") : nothing}
	</div>`;
}

/**
 * Renders a question of the model with its options and a text field. The text is a quotation, to distinguish it from Cutaway's. The card around it
 * has the class `.tool-asking`.
 */
export function renderModelQuestion(
	{ requestId, text, options }: QuestionView,
	actions: ChatActions,
): TemplateResult {
	const answer = (reply: Omit<QuestionAnswer, "requestId">): void =>
		actions.ask("answerQuestion", { requestId, ...reply });
	const words = (within: EventTarget | null): Pick<QuestionAnswer, "text"> => {
		const box = within instanceof Element ? within.closest(".model-question") : null;
		const text = box?.querySelector<HTMLTextAreaElement>(".tool-reason")?.value.trim() ?? "";
		return text === "" ? {} : { text };
	};
	// Not a form, because the page's policy forbids submitting.
	const submit = ({ currentTarget }: Event): void => {
		const written = words(currentTarget);
		if (written.text !== undefined) {
			answer(written);
		}
	};
	const textId = `question-${requestId}`;
	const noteId = `question-note-${requestId}`;
	return html`<div class="model-question">
		<blockquote id=${textId} dir="auto" tabindex="0">${text}</blockquote>
		${renderOptions(options, (option, button) => answer({ option, ...words(button) }))}
		<textarea
			class="tool-reason"
			rows="1"
			maxlength="10000"
			aria-label=${l10n.t("Your answer")}
			aria-describedby=${`${textId} ${noteId}`}
			placeholder=${options.length === 0 ? l10n.t("Your answer") : l10n.t("Another answer")}
			${ref(focusIfIdle)}
			@keydown=${submitOnEnter}
		></textarea>
		<small id=${noteId}
			>${l10n.t("The model gets what you answer. Keep keys and passwords out of it.")}</small
		>
		<div class="tool-buttons">
			<button type="button" class="button" @click=${() => answer({})}>
				${l10n.t("Don't Answer")}
			</button>
			<button
				type="button"
				class="model-answer button primary"
				disabled
				${ref(armLater)}
				@click=${submit}
			>
				${l10n.t("Answer")}
			</button>
		</div>
	</div>`;
}

function renderOptions(
	options: readonly string[],
	choose: (index: number, button: EventTarget | null) => void,
): TemplateResult | typeof nothing {
	return options.length === 0
		? nothing
		: html`<ul class="model-options" aria-label=${l10n.t("Answers the model offers")}>
				${options.map(
					(option, index) =>
						html`<li>
							<button
								type="button"
								class="button"
								dir="auto"
								disabled
								${ref(armLater)}
								@click=${({ currentTarget }: Event) => choose(index, currentTarget)}
							>
								${option}
							</button>
						</li>`,
				)}
			</ul>`;
}

/** Enter answers and Shift+Enter breaks the line. Ignores an Enter that ends a composition. */
function submitOnEnter(event: KeyboardEvent): void {
	const { key, shiftKey, currentTarget } = event;
	if (key === "Enter" && !shiftKey && !isOfInputMethod(event)) {
		event.preventDefault();
		const box = currentTarget instanceof Element ? currentTarget.parentElement : null;
		box?.querySelector<HTMLButtonElement>(".model-answer:enabled")?.click();
	}
}

/** Enables a button once its request has been shown long enough, while nothing covers the request. */
function armLater(element: Element | undefined): void {
	if (element instanceof HTMLButtonElement) {
		const look = (): void => {
			if (element.isConnected) {
				arm(element);
				setTimeout(look, lookMs);
			}
		};
		setTimeout(look, armMs);
	}
}

/** Enables or disables a button that approves. Returns whether it is enabled. */
function arm(button: HTMLButtonElement): boolean {
	const card = button.closest(".tool-card");
	const isHidden = card === null || isCovered(card);
	button.disabled = isHidden || !isSeen(card);
	button.title = !button.disabled
		? ""
		: isHidden
			? l10n.t("The buttons are off while this request is covered. Scroll, or make the view wider.")
			: l10n.t("The buttons are off until you have seen all of this request. Scroll through it.");
	return !button.disabled;
}

/** Takes the focus only if the user isn't typing, reading or navigating in the page. */
function focusIfIdle(element: Element | undefined): void {
	queueMicrotask(() => {
		const { activeElement: active } = document;
		const isIdle =
			active === document.body ||
			(active instanceof HTMLTextAreaElement &&
				active.matches(".composer-text") &&
				active.value === "");
		if (element instanceof HTMLElement && element.isConnected && isIdle && document.hasFocus()) {
			element.focus({ preventScroll: true });
		}
	});
}

/** Ctrl+Enter anywhere in a request presses “Allow” once that can be pressed. Typing goes to the composer while the request itself is focused. */
function onCardKey(event: KeyboardEvent): void {
	const { key, ctrlKey, metaKey, altKey, currentTarget: card, target } = event;
	if (!(card instanceof Element)) {
		return;
	}
	if (isAllowKey(event)) {
		event.preventDefault();
		card.querySelector<HTMLButtonElement>(".tool-allow.primary:enabled")?.click();
		return;
	}
	const isLetter = [...key].length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;
	const isOnCard = target === card || (target instanceof Element && target.matches(".tool-deny"));
	if (isLetter && isOnCard) {
		focusComposer(card);
	}
}

function isAllowKey({ key, ctrlKey, metaKey, repeat }: KeyboardEvent): boolean {
	return key === "Enter" && (ctrlKey || metaKey) && !repeat;
}

function allowKeyName(): string {
	return navigator.platform.startsWith("Mac") ? "⌘⏎" : l10n.t("Ctrl+Enter");
}

function focusComposer(within: Element | null): void {
	within?.closest("main")?.querySelector<HTMLElement>(".composer-text")?.focus();
}

function choicesIn(box: Element | null): { reason: string; hunks: number[] } {
	const chosen = [...(box?.querySelectorAll<HTMLInputElement>(".tool-choice:checked") ?? [])];
	const reason = box?.querySelector<HTMLInputElement>(".tool-reason")?.value ?? "";
	return { reason, hunks: chosen.map(({ value }) => Number(value)) };
}
