import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { SentAttachment } from "../../../src/shared/attachments.ts";
import { formatCount } from "../../../src/shared/locale.ts";
import { attachmentIcon, renderAttachmentName } from "../composer/attachmentChips.ts";
import type { ChatActions } from "../base/actions.ts";
import { formatBytes } from "../widgets/byteSize.ts";
import { icon, iconButton } from "../../shared/icon.ts";

/** The most attachments of a question to list; the others are collapsed. */
const maxListed = 6;

/** Removes attachments from a question being edited. */
export interface AttachmentRemoval {
	/** Indices of removed attachments, from 0. */
	readonly without: readonly number[];
	readonly onRemove: (index: number) => void;
}

/** Renders the attachments of a question below its text; with `removal`, each can be removed. A click on a name opens the file or page. */
export function renderSentAttachments(
	attachments: readonly SentAttachment[],
	actions: Pick<ChatActions, "ask">,
	removal?: AttachmentRemoval,
): TemplateResult | typeof nothing {
	const items = attachments.flatMap((attachment, index) =>
		removal?.without.includes(index) ? [] : renderSent(attachment, index, actions, removal),
	);
	if (items.length === 0) {
		return nothing;
	}
	const rest = items.slice(maxListed);
	return html`<ul class="sent-attachments" aria-label=${l10n.t("Attached")}>
			${items.slice(0, maxListed)}
		</ul>
		${
			rest.length === 0
				? nothing
				: html`<details class="sent-attachments-rest">
						<summary>${l10n.t("{0} more", rest.length)}</summary>
						<ul class="sent-attachments" aria-label=${l10n.t("More attached")}>
							${rest}
						</ul>
					</details>`
		}`;
}

function renderSent(
	attachment: SentAttachment,
	index: number,
	actions: Pick<ChatActions, "ask">,
	removal: AttachmentRemoval | undefined,
): TemplateResult {
	const { name, path, size, use, isLost, omitted } = attachment;
	const purpose = isLost
		? l10n.t("no longer on the service, and not sent again because it was removed or changed")
		: use === "read"
			? omitted === undefined
				? l10n.t("read as text")
				: l10n.t("read as text without its last {0} characters", formatCount(omitted))
			: l10n.t("for Python");
	return html`<li class="sent-attachment" title=${`${path} · ${formatBytes(size)}, ${purpose}`}>
		${icon(isLost ? "warning" : attachmentIcon(attachment))}${renderName(attachment, actions)}${
			omitted === undefined
				? nothing
				: html`<span class="attachment-size">${l10n.t("{0}, shortened", formatBytes(size))}</span>`
		}<span class="screen-reader-only">, ${purpose}</span>${
			removal
				? iconButton("close", l10n.t("Remove {0}", name), () => removal.onRemove(index))
				: nothing
		}
	</li>`;
}

/** The lines of a selection, in its name. */
const namedLines = /:(\d+)(?:-(\d+))?$/;

/** Renders a name; a click opens its file or page, if there is one. */
function renderName(attachment: SentAttachment, actions: Pick<ChatActions, "ask">): TemplateResult {
	const { kind, path, name, canOpen } = attachment;
	const shown = renderAttachmentName(attachment);
	if (!canOpen) {
		return html`<span class="attachment-name">${shown}</span>`;
	}
	const [, line, endLine] = kind === "selection" ? (namedLines.exec(name) ?? []) : [];
	const number = (digits: string | undefined) =>
		digits === undefined ? undefined : Number(digits);
	const open = (): void =>
		kind === "page"
			? actions.ask("openLink", { url: path })
			: actions.ask("openFile", { label: path, line: number(line), endLine: number(endLine) });
	return html`<button
		type="button"
		class="attachment-name attachment-open"
		aria-label=${name}
		@click=${open}
	>
		${shown}
	</button>`;
}
