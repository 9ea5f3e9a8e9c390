import * as l10n from "@vscode/l10n";
import type { SendResult } from "../chat/chatSession.ts";
import { assertNever } from "../common/assertNever.ts";
import { storeSentence } from "./storeSentence.ts";

/** The turn a click started; throws the sentence for a click that started none. */
export function startedTurn(result: SendResult): string {
	switch (result.type) {
		case "started":
			return result.turnId;
		case "busy":
			throw new Error(l10n.t("An answer is still running. Stop it, or wait for its end."));
		case "notSaved":
			throw new Error(`${storeSentence(result.error)} ${l10n.t("Nothing was sent.")}`);
		case "needsTools":
			throw new Error(
				l10n.t(
					"This model cannot open files. Choose one whose name contains “tools”, or remove the files.",
				),
			);
		case "unavailable":
			throw new Error(l10n.t("Only the last question of the open chat can be asked again."));
		default:
			return assertNever(result);
	}
}
