import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { selectedText } from "../../editor/selection.ts";
import { pickAttachment } from "../attachments/attachmentPick.ts";
import type { Runtime } from "./runtime.ts";

type AttachingRuntime = Pick<Runtime, "chat" | "chatView">;

/** Attaches the files of a menu and shows the chat. VS Code passes the clicked one, then all selected; or the user chooses. */
export async function attachFiles(
	{ chat, chatView }: AttachingRuntime,
	resource: unknown,
	resources: unknown,
): Promise<void> {
	const { attachments } = await chat.get();
	const listed: readonly unknown[] = Array.isArray(resources) ? resources : [];
	const chosen = listed.length > 0 ? listed : [resource];
	const uris = chosen.filter(item => item instanceof vscode.Uri);
	if (uris.length > 0) {
		await attachments.addUris(uris);
	} else if (!(await pickAttachment(attachments, attachments.recent))) {
		return;
	}
	// After the selection, because showing the view takes the focus, which closes a list.
	await chatView.open();
}

/** Attaches the editor's selection and focuses the composer. */
export async function askAboutSelection({ chat, chatView }: AttachingRuntime): Promise<void> {
	const selection = selectedText(vscode.window.activeTextEditor);
	if (!selection) {
		void vscode.window.showInformationMessage(l10n.t("Select some text in an editor first."));
		return;
	}
	const { attachments } = await chat.get();
	await attachments.addSelection(selection);
	await chatView.open();
}
