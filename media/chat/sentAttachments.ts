import { html, nothing, type TemplateResult } from "lit";
import type { SentAttachment } from "../../src/protocol/attachments.ts";
import { attachmentIcon } from "./attachmentChips.ts";
import { formatBytes } from "./byteSize.ts";
import { icon } from "./icon.ts";

/** How many attachments of a question are listed at once; the rest is folded away. */
const maxListed = 6;

/** What a question came with, below its words. */
export function renderSentAttachments(
	attachments: readonly SentAttachment[],
): TemplateResult | typeof nothing {
	if (attachments.length === 0) {
		return nothing;
	}
	const rest = attachments.slice(maxListed);
	return html`<ul class="sent-attachments" aria-label="Attached">
			${attachments.slice(0, maxListed).map(renderSent)}
		</ul>
		${
			rest.length === 0
				? nothing
				: html`<details class="sent-attachments-rest">
						<summary>${rest.length} more</summary>
						<ul class="sent-attachments" aria-label="More attached">
							${rest.map(renderSent)}
						</ul>
					</details>`
		}`;
}

function renderSent({
	name,
	path,
	size,
	kind,
	use,
	isLost,
	omitted,
}: SentAttachment): TemplateResult {
	const purpose = isLost
		? "no longer with the service, and not sent again because it is gone or changed"
		: use === "read"
			? omitted === undefined
				? "read as text"
				: `read as text without its last ${new Intl.NumberFormat("en").format(omitted)} characters`
			: "for code interpreter";
	return html`<li class="sent-attachment" title=${`${path}, ${purpose}`}>
		${icon(isLost ? "warning" : attachmentIcon(kind))}<span class="attachment-name">${name}</span
		><span class="attachment-size"
			>${formatBytes(size)}${omitted === undefined ? nothing : ", cut"}</span
		><span class="screen-reader-only">, ${purpose}</span>
	</li>`;
}
