import { html, type TemplateResult } from "lit";

/** An icon of the codicon font; it says nothing to a screen reader, its button's name does. */
export function icon(name: string): TemplateResult {
	return html`<span class=${`codicon codicon-${name}`} aria-hidden="true"></span>`;
}

/** A button that is an icon; `label` is its name and its tooltip. */
export function iconButton(
	name: string,
	label: string,
	onClick: () => void,
	className = "",
): TemplateResult {
	return html`<button
		type="button"
		class=${`icon-button ${className}`}
		aria-label=${label}
		title=${label}
		@click=${onClick}
	>
		${icon(name)}
	</button>`;
}
