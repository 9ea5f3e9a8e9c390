import { commands } from "vscode";

/** Shows the chat once the sample workspace is up, so that `npm start` ends at the thing to try. */
export async function activate() {
	await commands.executeCommand("cutaway.openChat");
}
