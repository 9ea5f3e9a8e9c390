import * as l10n from "@vscode/l10n";
import type { AnswerClicks } from "../base/index.ts";
import { infoOf, toggleWrap } from "../markdown/elements/index.ts";
import { type MenuItem, openPopupMenu } from "../widgets/index.ts";

/** Opens what else can be done with a code block, at its button for that. */
export function openCodeMenu(block: HTMLElement, button: HTMLElement, clicks: AnswerClicks): void {
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
