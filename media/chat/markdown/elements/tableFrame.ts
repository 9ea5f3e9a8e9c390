import * as l10n from "@vscode/l10n";
import { createTextButton } from "./blockButton.ts";
import { createElement } from "./elements.ts";

/** A table on the page. */
export interface TableFrame {
	/** The frame with the table in it, and below it what can be done with the table. */
	readonly block: HTMLElement;
	readonly table: HTMLElement;
}

/** Makes a table in a frame of its own that scrolls, so that a wide one does not widen the view and the header of a long one stays. */
export function createTableFrame(): TableFrame {
	const block = createElement("div", "table-block");
	const frame = createElement("div", "table-frame");
	frame.tabIndex = 0;
	const table = createElement("table");
	frame.append(table);
	block.append(frame, createTextButton("copy-csv", l10n.t("Copy as CSV")));
	return { block, table };
}
