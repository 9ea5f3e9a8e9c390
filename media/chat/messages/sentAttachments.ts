import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { SentAttachment } from "../../../src/shared/attachments.ts";
import { formatCount } from "../../../src/shared/locale.ts";
import { attachmentIcon } from "../composer/attachmentChips.ts";
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

/** Renders the attachments of a question below its text; with `removal`, each can be removed. */
export function renderSentAttachments(
	attachments: readonly SentAttachment[],
	removal?: AttachmentRemoval,
): TemplateResult | typeof nothing {
	const items = attachments.flatMap((attachment, index) =>
		removal?.without.includes(index) ? [] : renderSent(attachment, index, removal),
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
	{ name, path, size, kind, use, isLost, omitted }: SentAttachment,
	index: number,
	removal: AttachmentRemoval | undefined,
): TemplateResult {
	const purpose = isLost
		? l10n.t("no longer on the service, and not sent again because it was removed or changed")
		: use === "read"
			? omitted === undefined
				? l10n.t("read as text")
				: l10n.t("read as text without its last {0} characters", formatCount(omitted))
			: l10n.t("for Python");
	return html`<li class="sent-attachment" title=${`${path}, ${purpose}`}>
		${icon(isLost ? "warning" : attachmentIcon(kind))}<span class="attachment-name">${name}</span
		><span class="attachment-size"
			>${omitted === undefined ? formatBytes(size) : l10n.t("{0}, shortened", formatBytes(size))}</span
		><span class="screen-reader-only">, ${purpose}</span>${
			removal
				? iconButton("close", l10n.t("Remove {0}", name), () => removal.onRemove(index))
				: nothing
		}
	</li>`;
}
