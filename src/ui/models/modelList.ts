import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { toError } from "../../common/errors.ts";

/** Whether the list is done with. False shows it again, and the name of an added server shows the models of that server. */
export type Outcome = boolean | string;

/** An item of the list. */
export interface ModelListEntry extends vscode.QuickPickItem {
	readonly run?: () => Promise<Outcome>;
	/** Action of its button. The list is reloaded afterwards. */
	readonly remove?: () => Promise<void>;
}

/** Shows the list once its rows are loaded. Resolves to undefined if the user cancels. */
export function showModelList(
	rows: () => Promise<readonly ModelListEntry[]>,
	placeholder = l10n.t("Which model should answer?"),
): Promise<ModelListEntry | undefined> {
	const pick = vscode.window.createQuickPick<ModelListEntry>();
	pick.title = l10n.t("Choose Model");
	pick.placeholder = placeholder;
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	return new Promise((resolve, reject) => {
		const load = async (before?: () => Promise<void>): Promise<void> => {
			pick.busy = true;
			try {
				await before?.();
				pick.items = await rows();
				pick.busy = false;
			} catch (error) {
				reject(toError(error));
				pick.hide();
			}
		};
		pick.onDidAccept(() => {
			const [chosen] = pick.selectedItems;
			if (chosen) {
				resolve(chosen);
				pick.hide();
			}
		});
		pick.onDidTriggerItemButton(({ item }) => void load(item.remove));
		pick.onDidHide(() => {
			resolve(undefined);
			pick.dispose();
		});
		pick.show();
		void load();
	});
}

/** Returns the entries below a heading; nothing if there are none. */
export function section(
	label: string,
	entries: readonly ModelListEntry[],
): readonly ModelListEntry[] {
	return entries.length === 0
		? []
		: [{ label, kind: vscode.QuickPickItemKind.Separator }, ...entries];
}

/** Returns the button of a row that removes what it names. */
export function removal(
	tooltip: string,
	remove: () => Promise<void>,
): Pick<ModelListEntry, "buttons" | "remove"> {
	return { buttons: [{ iconPath: new vscode.ThemeIcon("trash"), tooltip }], remove };
}
