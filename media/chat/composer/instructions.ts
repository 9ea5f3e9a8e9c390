import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ComposerView } from "../../../src/shared/chat.ts";
import type { ChatActions } from "../base/actions.ts";
import { icon, iconButton } from "../../shared/icon.ts";
import { openPopupMenu } from "../../shared/popupMenu.ts";
import { formatBytes } from "../widgets/byteSize.ts";

type Instructions = NonNullable<ComposerView["instructions"]>;

/** Paths at the workspace's root: its own file, and its skills with their number. */
const ownNames = /^(?:AGENTS\.md|\.(?:agents|claude)\/skills \(\d+\))$/;

/** Whether an icon describes the instructions: they are the workspace's own, and complete. Other paths must be shown (docs/security.md). */
function isPlain({ names, note }: Instructions): boolean {
	return names.every(name => ownNames.test(name)) && note === null;
}

function instructionsTitle({ isSent }: Instructions): string {
	return isSent
		? l10n.t("Project instructions, sent with every message. Open")
		: l10n.t("Project instructions, not sent in this chat. Open");
}

/** Renders the workspace's own instructions as an icon with a menu that opens them, or disables them for the chat. */
export function renderInstructionsIcon(
	{ instructions }: ComposerView,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	if (instructions === undefined || !isPlain(instructions)) {
		return nothing;
	}
	const { names, isSent, size } = instructions;
	const name = isSent
		? l10n.t("{0}, sent with every message ({1})", names.join(", "), formatBytes(size))
		: l10n.t("{0}, not sent in this chat", names.join(", "));
	const open = ({ currentTarget }: Event): void => {
		if (currentTarget instanceof HTMLElement) {
			const more = currentTarget.parentElement?.querySelector<HTMLElement>(":scope > .bar-more");
			const anchor = currentTarget.checkVisibility() ? currentTarget : (more ?? currentTarget);
			openPopupMenu(anchor, l10n.t("Project instructions"), [
				{
					label: l10n.t("Send with every message"),
					isChecked: isSent,
					onPick: () => actions.ask("setInstructions", { isOn: !isSent }),
				},
				{ label: l10n.t("Open"), onPick: () => actions.ask("openInstructions", {}) },
			]);
		}
	};
	return html`<button
		type="button"
		class=${`icon-button instructions-icon ${isSent ? "" : "left-out"}`}
		aria-label=${name}
		title=${name}
		aria-haspopup="menu"
		aria-expanded="false"
		@click=${open}
	>
		${icon("book")}
	</button>`;
}

/** Renders the project's instructions if an icon isn't enough: their files, and a switch for the chat. */
export function renderInstructions(
	{ instructions }: ComposerView,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	if (instructions === undefined || isPlain(instructions)) {
		return nothing;
	}
	const { names, size, isSent, note } = instructions;
	const name = names.join(", ");
	const title = instructionsTitle(instructions);
	const set = (isOn: boolean): void => actions.ask("setInstructions", { isOn });
	return html`<ul class="attachments" aria-label=${l10n.t("Project instructions")}>
		<li class=${`attachment ${isSent ? "" : "left-out"}`}>
			${icon("book")}<button
				type="button"
				class="attachment-name instructions-name whole"
				title=${`${title} · ${formatBytes(size)}`}
				@click=${() => actions.ask("openInstructions", {})}
			>
				${name}</button
			>${isSent ? nothing : html`<span class="attachment-size">${l10n.t("not sent")}</span>`}
			<div class="attachment-actions">
				${
					isSent
						? iconButton("close", l10n.t("Leave out {0}", name), () => set(false))
						: iconButton("add", l10n.t("Send {0}", name), () => set(true))
				}
			</div>
			${note === null ? nothing : html`<p class="attachment-note">${note}</p>`}
		</li>
	</ul>`;
}
