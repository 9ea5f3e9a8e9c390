import * as vscode from "vscode";
import type { IDisposable } from "../../common/disposable.ts";
import { formatLogLine, logOf } from "../../common/log.ts";

/** The output channel “Cutaway” as a log. Its level is VS Code's setting for the channel. */
export class OutputLog implements IDisposable {
	private readonly channel = vscode.window.createOutputChannel("Cutaway", { log: true });
	readonly log = logOf((level, message, details) =>
		this.channel[level](formatLogLine(message, details)),
	);

	show(): void {
		this.channel.show(true);
	}

	dispose(): void {
		this.channel.dispose();
	}
}
