import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import {
	chosenLookSchema,
	groundName,
	lookName,
	paddingName,
	shapeName,
	themeName,
} from "../../src/shared/clipLookNames.ts";
import { videoActionName } from "../../src/shared/videoCard.ts";
import type { ClipLookView } from "../../src/shared/video.ts";
import { icon } from "../shared/icon.ts";

export type TriedChoice = Omit<ClipLookView, "hasWindow">;

/** A look that the user tries on a clip. */
export interface TriedLook {
	readonly chosen: TriedChoice;
	/** The clip's last frame with this look; undefined until it is drawn. */
	readonly picture: HTMLElement | undefined;
}

export interface LookActions {
	/** Tries a look on the clip; undefined shows the clip again. */
	tryLook(look: TriedChoice | undefined): void;
	/** Saves the tried look for new clips. */
	keepLook(): void;
	/** Saves the tried look, and makes the clip again with it. */
	drawAgain(): void;
}

const { theme, ground, padding, shape } = chosenLookSchema.shape;

/** Renders the look's choices, and what to do with one that was changed. */
export function renderLook(
	{ hasWindow, ...own }: ClipLookView,
	tried: TriedLook | undefined,
	actions: LookActions,
): TemplateResult {
	const look = tried?.chosen ?? own;
	const change = (part: Partial<TriedChoice>): void => {
		const next = { ...look, ...part };
		const isOwn = Object.entries(own).every(([name, value]) =>
			Object.entries(next).some(([other, chosen]) => other === name && chosen === value),
		);
		actions.tryLook(isOwn ? undefined : next);
	};
	const named = hasWindow ? look : { ...look, bar: false, numbers: false };
	return html`<details class="look">
		<summary>${l10n.t("Look")} <span class="look-name">${lookName(named)}</span></summary>
		<div class="look-choices" role="group" aria-label=${l10n.t("Look")}>
			${renderChoice(l10n.t("Theme"), theme.options, look.theme, themeName, name => change({ theme: name }))}
			${renderChoice(l10n.t("Background"), ground.options, look.ground, groundName, name => change({ ground: name }))}
			${renderChoice(l10n.t("Shape"), shape.options, look.shape, shapeName, name => change({ shape: name }))}
			${
				hasWindow
					? html`${renderChoice(l10n.t("Margin"), padding.options, look.padding, paddingName, name => change({ padding: name }))}
						${renderBox(l10n.t("Title bar"), look.bar, bar => change({ bar }))}
						${renderBox(l10n.t("Line numbers"), look.numbers, numbers => change({ numbers }))}`
					: nothing
			}
		</div>
		${tried ? renderTried(actions) : nothing}
	</details>`;
}

function renderTried(actions: LookActions): TemplateResult {
	const button = (name: string, iconName: string, onClick: () => void, kind = "button") =>
		html`<button type="button" class=${kind} @click=${onClick}>
			${icon(iconName)}<span>${name}</span>
		</button>`;
	return html`<div class="buttons look-buttons">
		${button(videoActionName("generateAgain"), "sparkle", () => actions.drawAgain(), "button primary")}
		${button(l10n.t("Keep as Default"), "save", () => actions.keepLook())}
		${button(l10n.t("Back to the Clip"), "discard", () => actions.tryLook(undefined))}
	</div>`;
}

function renderChoice<Name extends string>(
	label: string,
	names: readonly Name[],
	chosen: Name,
	nameOf: (name: Name) => string,
	onChoose: (name: Name) => void,
): TemplateResult {
	const onChange = (event: Event): void => {
		const index =
			event.currentTarget instanceof HTMLSelectElement ? event.currentTarget.selectedIndex : 0;
		const name = names[index];
		if (name !== undefined) {
			onChoose(name);
		}
	};
	return html`<label class="labeled">
		<span>${label}</span>
		<select @change=${onChange}>
			${names.map(name => html`<option .selected=${name === chosen}>${nameOf(name)}</option>`)}
		</select>
	</label>`;
}

function renderBox(
	label: string,
	isOn: boolean,
	onChange: (isOn: boolean) => void,
): TemplateResult {
	return html`<label class="labeled">
		<input type="checkbox" .checked=${isOn} @change=${() => onChange(!isOn)} />
		<span>${label}</span>
	</label>`;
}
