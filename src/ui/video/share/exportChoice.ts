import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type ClipFormat, clipWidths } from "../../../shared/index.ts";
import { type ChoiceMemory, type ExportChoice, formatName, lastChoice } from "./exportFormat.ts";

const formats: readonly ClipFormat[] = ["webp", "gif", "mp4", "png"];

function formatDetail(format: ClipFormat): string {
	return {
		webp: l10n.t("Small. Plays in a README, a pull request or a chat."),
		gif: l10n.t("Plays everywhere. Larger, with at most 255 colors."),
		mp4: l10n.t("H.264, for slides and video editors."),
		png: l10n.t("The first frame."),
	}[format];
}

/** Asks for the format, then for width and looping in one list; remembers both. Undefined when the user leaves. */
export async function chooseExport(memory: ChoiceMemory): Promise<ExportChoice | undefined> {
	const last = lastChoice(memory);
	const picked = await vscode.window.showQuickPick(
		[last.format, ...formats.filter(format => format !== last.format)].map(format => ({
			label: formatName(format),
			detail: formatDetail(format),
			format,
		})),
		{ title: l10n.t("Export Video"), placeHolder: l10n.t("Choose a format") },
	);
	const size = picked && (await chooseSize(picked.format, last));
	if (!size) {
		return undefined;
	}
	const choice = { format: picked.format, ...size };
	memory.set(choice);
	return choice;
}

type Size = Pick<ExportChoice, "width" | "isLooping">;

async function chooseSize(format: ClipFormat, last: Size): Promise<Size | undefined> {
	const canLoop = format === "webp" || format === "gif";
	const sizes = (canLoop ? [true, false] : [last.isLooping]).flatMap(isLooping =>
		clipWidths.map(width => ({ width, isLooping })),
	);
	const isLast = (size: Size): boolean =>
		size.width === last.width && size.isLooping === last.isLooping;
	const items = [...sizes.filter(isLast), ...sizes.filter(size => !isLast(size))].map(size => ({
		label: l10n.t("{0} px wide", size.width),
		description: canLoop ? (size.isLooping ? l10n.t("loops") : l10n.t("plays once")) : "",
		size,
	}));
	const picked = await vscode.window.showQuickPick(items, {
		title: l10n.t("Export {0}", formatName(format)),
		placeHolder: l10n.t("Choose a width"),
		matchOnDescription: true,
	});
	return picked?.size;
}
