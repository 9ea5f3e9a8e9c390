import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { ChatChange, TurnView } from "../../../src/shared/chat.ts";
import type { ChatActions } from "../base/actions.ts";
import { icon } from "../../shared/icon.ts";
import type { ListWindow } from "../scroll/listWindow.ts";
import type { ScrollPin } from "../scroll/scrollPin.ts";
import { turnElement } from "../scroll/turnElement.ts";

/** Renders “‹ 2/3 ›” below a question with several versions. */
export function renderVersions(
	{ id, version }: TurnView,
	actions: Pick<ChatActions, "showVersion">,
): TemplateResult | typeof nothing {
	if (!version) {
		return nothing;
	}
	const { number, count } = version;
	const button = (step: 1 | -1, name: string, isEnd: boolean): TemplateResult =>
		// A button at its end stays focusable, so the focus isn't lost there.
		html`<button
			type="button"
			class="icon-button version-step"
			data-step=${step}
			aria-label=${name}
			aria-disabled=${isEnd ? "true" : "false"}
			title=${name}
			@click=${() => {
				if (!isEnd) {
					actions.showVersion(id, step);
				}
			}}
		>
			${icon(step === -1 ? "chevron-left" : "chevron-right")}
		</button>`;
	return html`<div class="versions" role="group" aria-label=${l10n.t("Versions")}>
		${button(-1, l10n.t("Previous version"), number === 1)}
		<span class="version-number" aria-label=${l10n.t("Version {0} of {1}", number, count)}
			>${number}/${count}</span
		>
		${button(1, l10n.t("Next version"), number === count)}
	</div>`;
}

export interface VersionAnchorDependencies {
	readonly scroller: HTMLElement;
	readonly pin: Pick<ScrollPin, "letGo">;
	readonly turns: () => Pick<ListWindow, "goTo">;
}

/** Keeps the scroll position while another version of a question is shown. */
export class VersionAnchor {
	private readonly dependencies: VersionAnchorDependencies;
	private left: { readonly step: 1 | -1; readonly offset: number } | undefined;

	constructor(dependencies: VersionAnchorDependencies) {
		this.dependencies = dependencies;
	}

	/** Call it when the user requests another version of a question. */
	leave(turnId: string, step: 1 | -1): void {
		const { scroller } = this.dependencies;
		const top = turnElement(scroller, turnId)?.getBoundingClientRect().top;
		const offset = scroller.getBoundingClientRect().top - (top ?? 0);
		this.left = top === undefined ? undefined : { step, offset };
	}

	/** Call it after the turns were rendered: restores the question's position and the focus on its button. */
	arrive(changes: readonly ChatChange[]): void {
		const { scroller, pin, turns } = this.dependencies;
		const { left } = this;
		const shown = changes.findLast(change => change.type === "branch-shown")?.turns[0];
		if (shown && left) {
			pin.letGo();
			turns().goTo({ turnId: shown.id, offset: left.offset });
			turnElement(scroller, shown.id)
				?.querySelector<HTMLElement>(`.version-step[data-step="${left.step}"]`)
				?.focus({ preventScroll: true });
		}
		this.left = shown ? undefined : left;
	}
}
