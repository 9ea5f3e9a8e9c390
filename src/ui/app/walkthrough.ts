import * as vscode from "vscode";

/** Results that complete a step of the walkthrough; the names of context keys. */
const walkthroughResults = [
	"cutaway.hasModel",
	"cutaway.hasVideo",
	"cutaway.hasAnswerAboutSelection",
] as const;
export type WalkthroughResult = (typeof walkthroughResults)[number];

type ResultMemory = Pick<vscode.Memento, "get" | "update">;

/** Completes a step of the walkthrough. Remembers the result for a walkthrough that is opened later. */
export function completeStep(memory: ResultMemory, result: WalkthroughResult): void {
	pulse(result);
	if (memory.get(result) !== true) {
		void memory.update(result, true);
	}
}

/** Reopens the step that names a model, if it was completed and the model is gone. */
export function reopenModelStep({
	extension,
	globalState: memory,
}: Pick<vscode.ExtensionContext, "extension" | "globalState">): void {
	const result: WalkthroughResult = "cutaway.hasModel";
	if (memory.get(result) === true) {
		void memory.update(result, false);
		// No context key reopens a completed step. In an editor without this command, it stays completed.
		void vscode.commands
			.executeCommand("welcome.markStepIncomplete", `${extension.id}#start#model`)
			.then(undefined, () => undefined);
	}
}

/** Completes the steps of earlier results when the walkthrough is opened. */
export function followWalkthrough(memory: ResultMemory): vscode.Disposable {
	return vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
		// The page of walkthroughs has no type of its own.
		if ([...opened, ...changed].some(tab => tab.input === undefined)) {
			walkthroughResults.filter(result => memory.get(result) === true).forEach(pulse);
		}
	});
}

/** VS Code completes a step when its key becomes true while it shows the walkthroughs, and never if the key was true before that. */
function pulse(result: WalkthroughResult): void {
	void vscode.commands.executeCommand("setContext", result, true);
	void vscode.commands.executeCommand("setContext", result, false);
}
