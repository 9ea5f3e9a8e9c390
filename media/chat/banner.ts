import { html, nothing, type TemplateResult } from "lit";
import type { Banner } from "../../src/protocol/chat.ts";
import { icon } from "./icon.ts";

/** What the whole view has to say, above the composer. */
export function renderBanner(banner: Banner | null): TemplateResult | typeof nothing {
	return banner
		? html`<div class=${`banner banner-${banner.kind}`} role="note">
				${icon(banner.kind)}<span>${banner.text}</span>
			</div>`
		: nothing;
}
