import { copyFormulasAsTex } from "./copyMath.ts";
import { toggleDiagram } from "../diagram/index.ts";
import { infoOf, toggleFold, toggleWrap } from "../markdown/elements/index.ts";
import { tableToCsv } from "../markdown/final/index.ts";
import type { AnswerClicks } from "../base/index.ts";
import * as l10n from "@vscode/l10n";
import { type MenuItem, openPopupMenu } from "../widgets/index.ts";

/**
 * Handles clicks and copying inside answers, and marks every copy button that was pressed. Links go to our own handler alone: VS
 * Code's would open them without the host's checks (threat T17).
 */
export function handleAnswerClicks(root: HTMLElement, clicks: AnswerClicks): void {
	const onClick = (event: MouseEvent): void => {
		const target = event.target instanceof Element ? event.target : undefined;
		const link = target?.closest("a");
		if (link) {
			event.preventDefault();
			event.stopPropagation();
			// The right button asks for the context menu.
			if (event.button !== 2) {
				clicks.openLink(link.href);
			}
			return;
		}
		const button = target?.closest("button");
		if (button && event.type === "click") {
			takeButton(button, clicks);
		}
	};
	copyFormulasAsTex(root);
	root.addEventListener("click", onClick);
	root.addEventListener("auxclick", onClick);
}

function takeButton(button: HTMLElement, clicks: AnswerClicks): void {
	const is = (name: string): boolean => button.classList.contains(name);
	if (is("copy-code") || is("copy-message") || is("copy-csv")) {
		markCopied(button);
	}
	const table = is("copy-csv") && button.closest(".table-block")?.querySelector("table");
	if (table) {
		clicks.copyCode(tableToCsv(table));
	}
	const block = button.closest<HTMLElement>(".code-block");
	if (block && is("draw-diagram")) {
		void toggleDiagram(block, button);
	} else if (block && is("more-code")) {
		openCodeMenu(block, button, clicks);
	} else if (block && is("show-lines")) {
		toggleFold(block);
	}
	const code = block?.querySelector("code")?.textContent ?? "";
	if (is("copy-code")) {
		clicks.copyCode(code);
	}
	const turnId = button.closest<HTMLElement>(".turn")?.dataset["turn"];
	if (block && is("apply-code") && turnId !== undefined && code.trim() !== "") {
		clicks.applyCode(turnId, code, infoOf(block));
	}
}

/** Shows a tick in the button for as long as its animation runs. */
function markCopied(button: HTMLElement): void {
	button.classList.add("copied");
	button.addEventListener("animationend", () => button.classList.remove("copied"), { once: true });
}

/** Opens what else can be done with a code block, at its button for that. */
function openCodeMenu(block: HTMLElement, button: HTMLElement, clicks: AnswerClicks): void {
	openPopupMenu(button, l10n.t("More actions"), [
		...codeItems(block, clicks),
		{
			label: l10n.t("Wrap lines"),
			isChecked: block.classList.contains("wrapped"),
			onPick: () => toggleWrap(block),
		},
	]);
}

/** What can be done with code, once there is any. */
function codeItems(block: HTMLElement, clicks: AnswerClicks): MenuItem[] {
	const code = block.querySelector("code")?.textContent ?? "";
	const turnId = block.closest<HTMLElement>(".turn")?.dataset["turn"];
	if (turnId === undefined || code.trim() === "") {
		return [];
	}
	const video = {
		label: l10n.t("Generate video from code"),
		onPick: () => clicks.generateVideo(turnId, code),
	};
	return [
		{ label: l10n.t("Insert at cursor"), onPick: () => clicks.insertCode(code) },
		{
			label: l10n.t("New file"),
			onPick: () => clicks.createFileFromCode(turnId, code, infoOf(block)),
		},
		// The card of a tool offers one itself.
		...(block.closest(".tool-run") ? [] : [video]),
	];
}
