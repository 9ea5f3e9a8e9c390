import * as vscode from "vscode";
import { type Clock, coalesce } from "../../../common/async.ts";
import type { IDisposable } from "../../../common/disposable.ts";

/** How long a document must rest before it is looked at, in milliseconds. */
const restMs = 400;

/** How much of a document is looked at, in characters. */
const maxSearchedCharacters = 200_000;

/**
 * Keeps the context key `cutaway.hasImageAddress` true while the active Markdown document shows an image by its https address,
 * so that the editor's context menu offers a video of it there and stays short everywhere else.
 */
export function watchImageAddresses(clock: Clock): IDisposable {
	let isSet = false;
	const look = coalesce(
		restMs,
		() => {
			const document = vscode.window.activeTextEditor?.document;
			const has = document?.languageId === "markdown" && showsImage(document.getText());
			if (has !== isSet) {
				isSet = has;
				void vscode.commands.executeCommand("setContext", "cutaway.hasImageAddress", has);
			}
		},
		clock,
	);
	const subscriptions = [
		look,
		vscode.window.onDidChangeActiveTextEditor(() => look.schedule()),
		vscode.workspace.onDidChangeTextDocument(({ document }) => {
			if (document === vscode.window.activeTextEditor?.document) {
				look.schedule();
			}
		}),
	];
	look.schedule();
	return { dispose: () => subscriptions.forEach(subscription => subscription.dispose()) };
}

function showsImage(text: string): boolean {
	return /\]\(\s{0,9}<?https:\/\/|<img\s|https:\/\/\S{1,500}\.(?:png|jpe?g|webp|gif)\b/i.test(
		text.slice(0, maxSearchedCharacters),
	);
}
