import * as l10n from "@vscode/l10n";
import type { SendResult } from "../../chat/chatSession.ts";
import { assertNever } from "../../common/assertNever.ts";
import { storeErrorMessage } from "../base/storeErrorMessage.ts";

/** The turn a click started; throws the sentence for a click that started none. */
export function startedTurn(result: SendResult): string {
	switch (result.type) {
		case "started":
			return result.turnId;
		case "busy":
			throw new Error(l10n.t("An answer is still running. Stop it or wait until it's complete."));
		case "notSaved":
			throw new Error(`${storeErrorMessage(result.error)} ${l10n.t("Nothing was sent.")}`);
		case "needsTools":
			throw new Error(
				l10n.t(
					"This model can't open files. Choose a model with “tools” in its id, or remove the files.",
				),
			);
		case "unavailable":
			throw new Error(l10n.t("Only the last message of the open chat can be sent again."));
		default:
			return assertNever(result);
	}
}
