import * as l10n from "@vscode/l10n";
import type { RenewalOptions } from "../../attachments/contract/attachmentTray.ts";
import type { TurnAttachment } from "../../attachments/contract/turnAttachment.ts";
import type { AttachmentTray } from "../../attachments/tray.ts";
import type { Settings } from "../base/settings.ts";
import { composerView } from "../composer/chatSettings.ts";

/**
 * Returns the files of earlier questions that the code interpreter can open; none while it is disabled. `isNeeded` if the next question enables it.
 */
export function reachableFiles(
	earlier: readonly TurnAttachment[],
	settings: Settings,
	isNeeded: boolean,
): readonly TurnAttachment[] {
	const { canUseServerTools, codeInterpreter } = composerView(settings);
	return canUseServerTools && (codeInterpreter || isNeeded) ? earlier : [];
}

/**
 * Renews the attachments of a question that is asked again: uploads files that the service has lost. Throws with the reason if that fails for one of
 * its own, and `AbortError` if stopped; then nothing of the question was sent.
 */
export async function renewAttachments(
	tray: AttachmentTray,
	attachments: readonly TurnAttachment[],
	options: RenewalOptions,
): Promise<readonly TurnAttachment[]> {
	const renewed = await tray.renew(attachments, options);
	const files = new Set(attachments.filter(({ kind }) => kind === "file").map(({ hash }) => hash));
	const lost = renewed.find(({ kind, hash }) => kind === "lostFile" && files.has(hash));
	if (lost) {
		throw new Error(
			l10n.t(
				"Nothing was sent: {0} was removed or changed. Edit the message to attach it again.",
				lost.name,
			),
		);
	}
	return renewed;
}
