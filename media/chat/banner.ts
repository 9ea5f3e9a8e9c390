import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { Banner, BannerAction } from "../../src/shared/chat.ts";
import type { ChatActions } from "./base/actions.ts";
import { icon } from "../shared/icon.ts";

const actionNames: Readonly<Record<BannerAction, () => string>> = {
	useHere: () => l10n.t("Use Here"),
	restore: () => l10n.t("Restore"),
};

/** Renders the banner above the composer. */
export function renderBanner(
	banner: Banner | null,
	actions: Pick<ChatActions, "ask">,
): TemplateResult | typeof nothing {
	return banner
		? html`<div class=${`banner banner-${banner.kind}`} role="note">
				${icon(banner.kind)}<span>${banner.text}</span>${renderAction(banner.action, actions)}
			</div>`
		: nothing;
}

function renderAction(
	action: BannerAction | undefined,
	actions: Pick<ChatActions, "ask">,
): TemplateResult | typeof nothing {
	return action
		? html`<button
				type="button"
				class="button banner-action"
				@click=${() => actions.ask("runBannerAction", { action })}
			>
				${actionNames[action]()}
			</button>`
		: nothing;
}
