import type { DiagramColors } from "./messages.ts";

/** The theme's colours as they are now, in the form every library reads. */
export function readColors(): DiagramColors {
	const probe = document.createElement("span");
	document.body.append(probe);
	const colorOf = (value: string): string => {
		probe.style.color = value;
		return getComputedStyle(probe).color;
	};
	const colors = {
		isDark: !/vscode-(?:high-contrast-)?light/.test(document.body.className),
		background: colorOf("var(--code-surface)"),
		text: colorOf("var(--vscode-editor-foreground, var(--text))"),
		surface: colorOf("var(--surface)"),
		line: colorOf("var(--dim)"),
		accent: colorOf("var(--vscode-contrastBorder, var(--vscode-focusBorder, #0078d4))"),
		font: getComputedStyle(document.body).fontFamily,
	};
	probe.remove();
	return colors;
}
