import * as l10n from "@vscode/l10n";
import type { AttachmentTray } from "../../attachments/tray.ts";
import type { RenewalOptions } from "../../attachments/attachment/attachmentTray.ts";
import type { TurnAttachment } from "../../attachments/attachment/turnAttachment.ts";
import { composerView } from "../composer/composerView.ts";
import type { Settings } from "../base/settings.ts";

/**
 * Returns the files of earlier questions that the code interpreter will be able to open; nothing while it is off. `isNeeded`: the next
 * question switches it on.
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
 * Renews the attachments of a question that is asked again: files that the service does not hold any more are uploaded again. Throws
 * with the reason when one of its own cannot be, and `AbortError` when stopped; nothing of the question was sent then.
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
