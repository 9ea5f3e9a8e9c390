import { copyFormulasAsTex } from "./copyMath.ts";
import { toggleDiagram } from "../diagram/diagram.ts";
import { codeIn, infoOf } from "../markdown/elements/codeBlock.ts";
import { fileOf } from "../markdown/elements/fileLink.ts";
import { writtenFileOf } from "../markdown/elements/writtenFileLink.ts";
import { toggleFold, toggleWrap } from "../markdown/elements/longCode.ts";
import { tableToCsv } from "../markdown/final/tableCsv.ts";
import type { ChatActions } from "../base/actions.ts";
import * as l10n from "@vscode/l10n";
import { type MenuItem, openPopupMenu } from "../../shared/popupMenu.ts";

/**
 * Handles clicks and copying inside answers, and marks pressed copy buttons. Links are handled only here, because VS Code would open them without the
 * host's checks (docs/security.md).
 */
export function handleAnswerClicks(root: HTMLElement, actions: Pick<ChatActions, "ask">): void {
	const onClick = (event: MouseEvent): void => {
		const target = event.target instanceof Element ? event.target : undefined;
		const link = target?.closest("a");
		if (link) {
			event.preventDefault();
			event.stopPropagation();
			// The right button opens the context menu.
			if (event.button !== 2) {
				follow(link, actions);
			}
			return;
		}
		const button = target?.closest("button");
		if (button && event.type === "click") {
			takeButton(button, actions);
		}
	};
	copyFormulasAsTex(root);
	root.addEventListener("click", onClick);
	root.addEventListener("auxclick", onClick);
	root.addEventListener("keydown", event => {
		// The keyboard doesn't trigger clicks on links without a URL.
		const link = event.target instanceof HTMLAnchorElement ? event.target : undefined;
		if (event.key === "Enter" && link && (fileOf(link) ?? writtenFileOf(link))) {
			event.preventDefault();
			follow(link, actions);
		}
	});
}

function follow(link: HTMLAnchorElement, actions: Pick<ChatActions, "ask">): void {
	const file = fileOf(link);
	const written = writtenFileOf(link);
	if (file) {
		actions.ask("openFile", file);
	} else if (written) {
		actions.ask("saveWrittenFile", written);
	} else {
		actions.ask("openLink", { url: link.href });
	}
}

function takeButton(button: HTMLElement, actions: Pick<ChatActions, "ask">): void {
	const is = (name: string): boolean => button.classList.contains(name);
	if (is("copy-code") || is("copy-message") || is("copy-csv")) {
		markCopied(button);
	}
	const table = is("copy-csv") && button.closest(".table-block")?.querySelector("table");
	if (table) {
		actions.ask("copyCode", { text: tableToCsv(table) });
	}
	const block = button.closest<HTMLElement>(".code-block");
	if (block && is("draw-diagram")) {
		void toggleDiagram(block, button);
	} else if (block && is("more-code")) {
		openCodeMenu(block, button, actions);
	} else if (block && is("wrap-code")) {
		toggleWrap(block);
	} else if (block && is("show-lines")) {
		toggleFold(block);
	}
	const code = codeIn(block);
	if (is("copy-code")) {
		actions.ask("copyCode", { text: code });
	}
	const turnId = button.closest<HTMLElement>(".turn")?.dataset["turn"];
	if (block && is("apply-code") && turnId !== undefined && code.trim() !== "") {
		actions.ask("applyCode", { turnId, text: code, info: infoOf(block) });
	}
}

/** Shows a check mark in the button during its animation. */
function markCopied(button: HTMLElement): void {
	button.classList.add("copied");
	button.addEventListener("animationend", () => button.classList.remove("copied"), { once: true });
}

function openCodeMenu(
	block: HTMLElement,
	button: HTMLElement,
	actions: Pick<ChatActions, "ask">,
): void {
	const items = codeItems(block, actions);
	if (items.length > 0) {
		openPopupMenu(button, l10n.t("More actions"), items);
	}
}

/** Returns the actions on code, unless it is blank. */
function codeItems(block: HTMLElement, actions: Pick<ChatActions, "ask">): MenuItem[] {
	const code = codeIn(block);
	const turnId = block.closest<HTMLElement>(".turn")?.dataset["turn"];
	if (turnId === undefined || code.trim() === "") {
		return [];
	}
	const video = {
		label: l10n.t("Make clip from code"),
		onPick: () => actions.ask("generateVideo", { turnId, text: code }),
	};
	return [
		{ label: l10n.t("Insert at cursor"), onPick: () => actions.ask("insertCode", { text: code }) },
		{
			label: l10n.t("New file"),
			onPick: () => actions.ask("createFileFromCode", { turnId, text: code, info: infoOf(block) }),
		},
		// The card of a tool has its own.
		...(block.closest(".tool-run") ? [] : [video]),
	];
}
