import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { icon } from "../../shared/icon.ts";
import { openPopupMenu } from "../../shared/popupMenu.ts";

/** How much the style sheet hides: nothing, names of tools, then their buttons, then all but the model and what sends. */
const steps = ["none", "names", "tools", "most"] as const;

const followed = new WeakSet<Element>();

/** Keeps the composer's bar in one row, by hiding more of it while it wraps. What is hidden is in the menu of `renderMore`. */
export const keepInOneRow = ref((bar?: Element) => {
	if (!(bar instanceof HTMLElement) || followed.has(bar)) {
		return;
	}
	followed.add(bar);
	const fit = (): void => {
		for (const step of steps) {
			bar.dataset["hides"] = step;
			if (!isWrapped(bar)) {
				break;
			}
		}
	};
	new MutationObserver(fit).observe(bar, { childList: true, subtree: true });
	window.addEventListener("resize", fit);
	// The widths of icons and text depend on their fonts.
	void document.fonts.ready.then(fit);
	requestAnimationFrame(fit);
});

function isWrapped({ children }: HTMLElement): boolean {
	const shown = [...children]
		.map(each => each.getBoundingClientRect())
		.filter(box => box.width > 0);
	return (shown.at(-1)?.top ?? 0) >= (shown[0]?.bottom ?? 0);
}

/** Renders a menu of the bar's hidden buttons. The style sheet shows it if there are any. */
export function renderMore(): TemplateResult {
	const name = l10n.t("More options");
	const open = ({ currentTarget: anchor }: Event): void => {
		if (anchor instanceof HTMLElement) {
			openPopupMenu(anchor, name, hiddenButtons(anchor.parentElement).map(menuItem));
		}
	};
	return html`<button
		type="button"
		class="icon-button bar-more"
		aria-label=${name}
		title=${name}
		aria-haspopup="menu"
		aria-expanded="false"
		@click=${open}
	>
		${icon("ellipsis")}
	</button>`;
}

function hiddenButtons(bar: HTMLElement | null): readonly HTMLElement[] {
	return [...(bar?.querySelectorAll<HTMLElement>(":scope > button") ?? [])].filter(
		button => !button.checkVisibility() && button.ariaDisabled !== "true",
	);
}

function menuItem(button: HTMLElement): Parameters<typeof openPopupMenu>[2][number] {
	const isSwitch = button.role === "switch";
	return {
		label: button.ariaLabel ?? "",
		...(isSwitch ? { isChecked: button.ariaChecked === "true" } : {}),
		onPick: () => button.click(),
	};
}
