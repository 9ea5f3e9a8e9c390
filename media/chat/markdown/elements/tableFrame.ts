import * as l10n from "@vscode/l10n";
import { createTextButton } from "./blockButton.ts";
import { createElement } from "./elements.ts";

export interface TableFrame {
	/** The scrolling frame with the table, and the actions below. */
	readonly block: HTMLElement;
	readonly table: HTMLElement;
}

/** Creates a table in a scrolling frame, so that a wide table doesn't widen the view and the header of a long one stays visible. */
export function createTableFrame(): TableFrame {
	const block = createElement("div", "table-block");
	const frame = createElement("div", "table-frame");
	frame.tabIndex = 0;
	const table = createElement("table");
	frame.append(table);
	block.append(frame, createTextButton("copy-csv", l10n.t("Copy as CSV")));
	return { block, table };
}
