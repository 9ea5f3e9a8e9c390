import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import * as z from "zod/mini";
import {
	chosenLookSchema,
	groundName,
	lookName,
	lookPartsSchema,
	paddingName,
	shapeName,
	themeName,
	typeSizeName,
} from "../../src/shared/clipLookNames.ts";
import type { ClipLookView } from "../../src/shared/video.ts";
import { icon } from "../shared/icon.ts";

export type TriedChoice = Omit<ClipLookView, "hasWindow" | "themes">;

/** A look that the user tries on a clip. */
export interface TriedLook {
	readonly chosen: TriedChoice;
	/** The clip's last frame with this look, or with the one before while it is drawn; undefined if there is none. */
	readonly picture: HTMLElement | undefined;
	readonly isDrawing: boolean;
}

export interface LookActions {
	/** Tries a look on the clip; undefined shows the clip again. */
	tryLook(look: TriedChoice | undefined): void;
	/** Shows the clip again and focuses the row. */
	leaveLook(): void;
	/** Saves what the tried look changes, for new clips. */
	keepLook(): void;
	/** Makes the clip again, starting with the tried look. */
	drawAgain(): void;
}

/** Returns the parts of a look that differ from the clip's own. */
export function changesOf(own: ClipLookView, look: TriedChoice): Partial<TriedChoice> {
	const before = new Map<string, unknown>(Object.entries(own));
	const changed = Object.entries(look).filter(([name, value]) => before.get(name) !== value);
	return z.parse(lookPartsSchema, Object.fromEntries(changed));
}

/** Returns the parts of a look that a clip shows. */
export function partsShown(
	{ hasWindow }: ClipLookView,
	{ theme, ground, groundColor, shape, ...ofWindow }: TriedChoice,
): Partial<TriedChoice> {
	return { theme, ground, groundColor, shape, ...(hasWindow && ofWindow) };
}

const { ground, padding, shape, typeSize } = chosenLookSchema.shape;

/** Renders the look's choices. */
export function renderLook(
	own: ClipLookView,
	tried: TriedLook | undefined,
	actions: LookActions,
): TemplateResult {
	const { hasWindow, themes, ...ownLook } = own;
	const look = tried?.chosen ?? ownLook;
	const change = (part: Partial<TriedChoice>): void => {
		const next = { ...look, ...part };
		const isOwn = Object.keys(changesOf(own, next)).length === 0;
		actions.tryLook(isOwn ? undefined : next);
	};
	return html`<details class="look">
		<summary>${l10n.t("Look")} <span class="look-name">${lookName(look, hasWindow)}</span></summary>
		<div class="look-choices" role="group" aria-label=${l10n.t("Look")}>
			${renderChoice(l10n.t("Theme"), themes, look.theme, themeName, name => change({ theme: name }))}
			${renderChoice(l10n.t("Background"), ground.options, look.ground, groundName, name => change({ ground: name }))}
			${look.ground === "color" ? renderColor(look.groundColor, groundColor => change({ groundColor })) : nothing}
			${renderChoice(l10n.t("Shape"), shape.options, look.shape, shapeName, name => change({ shape: name }))}
			${
				hasWindow
					? html`${renderChoice(l10n.t("Size of code"), typeSize.options, look.typeSize, typeSizeName, name => change({ typeSize: name }))}
						${renderChoice(l10n.t("Margin"), padding.options, look.padding, paddingName, name => change({ padding: name }))}
						${renderBox(l10n.t("Title bar"), look.bar, bar => change({ bar }))}
						${renderBox(l10n.t("Line numbers"), look.numbers, numbers => change({ numbers }))}`
					: nothing
			}
		</div>
	</details>`;
}

/** Renders what to do with a tried look, in place of the clip's actions. */
export function renderTried(canDrawAgain: boolean, actions: LookActions): TemplateResult {
	const button = (name: string, iconName: string, onClick: () => void, kind = "button") =>
		html`<button type="button" class=${kind} @click=${onClick}>
			${icon(iconName)}<span>${name}</span>
		</button>`;
	return html`<div class="buttons" role="group" aria-label=${l10n.t("Actions")}>
		${
			canDrawAgain
				? button(l10n.t("Apply"), "check", () => actions.drawAgain(), "button primary")
				: nothing
		}
		${button(l10n.t("Keep as Default"), "save", () => actions.keepLook())}
		${button(l10n.t("Reset"), "discard", () => actions.leaveLook())}
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

/** Renders the choice of the background's own color. */
function renderColor(color: string, onChange: (color: string) => void): TemplateResult {
	const onPick = (event: Event): void => {
		const { currentTarget } = event;
		if (currentTarget instanceof HTMLInputElement) {
			onChange(currentTarget.value);
		}
	};
	return html`<label class="labeled">
		<span>${l10n.t("Own color")}</span>
		<input type="color" .value=${color} @change=${onPick} />
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
