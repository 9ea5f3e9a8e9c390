import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { plainLabel } from "../../common/plainMarkdown.ts";
import { userSetting } from "../base/userSetting.ts";
import { completeStep, followWalkthrough, reopenModelStep } from "./walkthrough.ts";

/** The model of a connected service while none is chosen; the settings' own table is loaded later. */
const firstModel = "llm-4-turbo-tools";
const welcomedKey = "cutaway.isWelcomed";

/**
 * Shows the current model in the status bar, and the walkthrough once. A click on the item opens the chat. Reads only the settings, so that startup
 * loads nothing else.
 */
export function registerStatusItem(context: vscode.ExtensionContext): vscode.Disposable {
	const item = vscode.window.createStatusBarItem("cutaway.model", vscode.StatusBarAlignment.Right);
	item.name = l10n.t("Cutaway Model");
	item.command = "cutaway.openChat";
	const show = (): void => {
		const model = answeringModel();
		item.text = `$(comment-discussion-sparkle) ${plainLabel(l10n.t("Cutaway: {0}", model ?? l10n.t("no model")))}`;
		item.tooltip =
			model === undefined
				? l10n.t("No model is set up. Open the chat to choose one")
				: l10n.t("{0} answers in Cutaway. Open the chat", model);
		item.accessibilityInformation = { label: l10n.t("Cutaway: {0}", model ?? l10n.t("no model")) };
		if (model === undefined) {
			reopenModelStep(context);
		} else {
			completeStep(context.globalState, "cutaway.hasModel");
		}
	};
	if (context.extensionMode !== vscode.ExtensionMode.Test) {
		void welcome(context);
	}
	show();
	item.show();
	return vscode.Disposable.from(
		item,
		followWalkthrough(context.globalState),
		vscode.workspace.onDidChangeConfiguration(change => {
			if (change.affectsConfiguration("cutaway")) {
				show();
			}
		}),
	);
}

/** Returns the model's name without its server; undefined if the demo answers or the setting is invalid. */
function answeringModel(): string | undefined {
	const [endpoint, model] = [userSetting("endpoint"), userSetting("chat.model")];
	if (typeof endpoint !== "string" || typeof model !== "string" || model.length > 200) {
		return undefined;
	}
	return endpoint.trim() === "" ? /^[\w.-]{1,40}\/(.+)$/.exec(model)?.[1] : model || firstModel;
}

/** Opens the walkthrough when Cutaway runs for the first time, unless the user disabled that. */
async function welcome({
	extension,
	globalState,
}: Pick<vscode.ExtensionContext, "extension" | "globalState">): Promise<void> {
	const isWanted = vscode.workspace
		.getConfiguration("workbench.welcomePage.walkthroughs")
		.get<unknown>("openOnInstall");
	if (globalState.get(welcomedKey) === true || isWanted === false) {
		return;
	}
	await globalState.update(welcomedKey, true);
	await vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extension.id}#start`);
}
