import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { addressAt, addressIn, imageUrlsIn } from "../../../editor/imageUrls.ts";
import { placeOf } from "../../../editor/selection.ts";
import type { VideoSource } from "../../../video/job/videoJob.ts";
import { promptTitle } from "./videoPrompt.ts";

/** The URL of an image, and its location if it came from a document. */
export interface ChosenImage {
	readonly url: string;
	readonly source?: VideoSource;
}

interface ImageItem extends vscode.QuickPickItem {
	readonly url?: string;
}

/** Asks for an image's URL: the selected one, that at the cursor, another of the document, or typed. Undefined if canceled. */
export async function chooseImage(
	editor: vscode.TextEditor | undefined,
): Promise<ChosenImage | undefined> {
	const near = editor && addressNearCursor(editor);
	const inDocument = editor ? imageUrlsIn(editor.document.getText()) : [];
	const offered = [...new Set([...(near === undefined ? [] : [near]), ...inDocument])];
	const url = await pickAddress(offered, near);
	if (url === undefined || !editor || !offered.includes(url)) {
		return url === undefined ? undefined : { url };
	}
	const line =
		url === near
			? editor.selection.start.line
			: editor.document.positionAt(editor.document.getText().indexOf(url)).line;
	return { url, source: placeOf(editor.document, line, line) };
}

function addressNearCursor({ document, selection }: vscode.TextEditor): string | undefined {
	return selection.isEmpty
		? addressAt(document.lineAt(selection.active.line).text, selection.active.character)
		: addressIn(document.getText(selection).trim());
}

function pickAddress(
	offered: readonly string[],
	near: string | undefined,
): Promise<string | undefined> {
	const pick = vscode.window.createQuickPick<ImageItem>();
	const offers: ImageItem[] = offered.map(url => ({
		label: `$(file-media) ${promptTitle(nameOf(url), 80)}`,
		description: url === near ? l10n.t("at the cursor") : "",
		detail: url,
		url,
	}));
	pick.title = l10n.t("Generate Video from Image URL");
	pick.placeholder =
		offers.length > 0
			? l10n.t("Choose an image of this document, or paste an address")
			: l10n.t("Paste the address of an image that the service can reach, such as https://…");
	pick.matchOnDetail = true;
	pick.ignoreFocusOut = true;
	pick.items = offers;
	pick.onDidChangeValue(value => {
		const typed = typedItem(value);
		pick.items = typed ? [typed, ...offers.filter(({ url }) => url !== typed.url)] : offers;
	});
	return new Promise(resolve => {
		pick.onDidAccept(() => {
			// The item for typed text may not exist yet at a quick Enter.
			const url = pick.selectedItems[0]?.url ?? typedItem(pick.value)?.url;
			if (url !== undefined) {
				resolve(url);
				pick.dispose();
			}
		});
		pick.onDidHide(() => {
			resolve(undefined);
			pick.dispose();
		});
		pick.show();
	});
}

/** Returns the item for typed text: the URL, or why it is invalid. */
function typedItem(value: string): ImageItem | undefined {
	const text = value.trim();
	if (text === "") {
		return undefined;
	}
	const url = addressIn(text);
	return url === text
		? { label: `$(link) ${l10n.t("Use this address")}`, detail: url, url, alwaysShow: true }
		: {
				label: `$(info) ${l10n.t("The service can't use this address")}`,
				detail: l10n.t("Use https, without a user name or password."),
				alwaysShow: true,
			};
}

function nameOf(url: string): string {
	const { pathname, hostname } = new URL(url);
	const name = pathname.slice(pathname.lastIndexOf("/") + 1);
	try {
		return decodeURIComponent(name) || hostname;
	} catch {
		// Shows an incorrectly encoded name unchanged.
		return name;
	}
}
