import * as l10n from "@vscode/l10n";
import type { DemoCommandName } from "../../common/demoCommands.ts";

/** Descriptions of the demo's commands for the composer's list, in the display language. */
export function demoDetails(): Readonly<Record<DemoCommandName, string>> {
	return {
		help: l10n.t("Demo: what the local service can show"),
		markdown: l10n.t("Demo: Markdown of every kind"),
		code: l10n.t("Demo: a short program; add its language"),
		table: l10n.t("Demo: a wide table"),
		long: l10n.t("Demo: a long text; add its size in KB"),
		messages: l10n.t("Demo: an answer in several messages; add how many"),
		slow: l10n.t("Demo: a slow answer, to try Stop"),
		echo: l10n.t("Demo: your own text, unchanged"),
		call: l10n.t("Demo: a call of an offered tool; add its name and JSON"),
		history: l10n.t("Demo: the messages of this chat"),
		request: l10n.t("Demo: what the service received, without the texts"),
		fail: l10n.t("Demo: a failure; add its kind"),
	};
}
