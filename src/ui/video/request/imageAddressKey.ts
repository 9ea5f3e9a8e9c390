import * as vscode from "vscode";
import { type Clock, Coalescer } from "../../../common/async.ts";
import { Disposable } from "../../../common/disposable.ts";

/** How long a document must rest before it is looked at, in milliseconds. */
const restMs = 400;

/** How much of a document is looked at, in characters. */
const maxSearchedCharacters = 200_000;

/**
 * Keeps the context key `cutaway.hasImageAddress` true while the active Markdown document shows an image by its https address,
 * so that the editor's context menu offers a video of it there and stays short everywhere else.
 */
export class ImageAddressKey extends Disposable {
	private isSet = false;

	constructor(clock: Clock) {
		super();
		const look = this.register(new Coalescer(restMs, () => this.look(), clock));
		this.register(vscode.window.onDidChangeActiveTextEditor(() => look.schedule()));
		this.register(
			vscode.workspace.onDidChangeTextDocument(({ document }) => {
				if (document === vscode.window.activeTextEditor?.document) {
					look.schedule();
				}
			}),
		);
		look.schedule();
	}

	private look(): void {
		const document = vscode.window.activeTextEditor?.document;
		const has = document?.languageId === "markdown" && showsImage(document.getText());
		if (has !== this.isSet) {
			this.isSet = has;
			void vscode.commands.executeCommand("setContext", "cutaway.hasImageAddress", has);
		}
	}
}

function showsImage(text: string): boolean {
	return /\]\(\s{0,9}<?https:\/\/|<img\s|https:\/\/\S{1,500}\.(?:png|jpe?g|webp|gif)\b/i.test(
		text.slice(0, maxSearchedCharacters),
	);
}
