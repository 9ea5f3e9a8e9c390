import { html, type TemplateResult } from "lit";

/** Renders a codicon. Hidden from screen readers, which read the button's label. */
export function icon(name: string): TemplateResult {
	return html`<span class=${`codicon codicon-${name}`} aria-hidden="true"></span>`;
}

/** Renders an icon button. `label` is its accessible name and its tooltip. */
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
