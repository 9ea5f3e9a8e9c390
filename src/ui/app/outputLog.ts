import * as vscode from "vscode";
import type { IDisposable } from "../../common/disposable.ts";
import { formatLogLine, type Log } from "../../common/log.ts";

/** The output channel “Cutaway” as a log. Its level is VS Code's setting for the channel. */
export class OutputLog implements IDisposable {
	private readonly channel = vscode.window.createOutputChannel("Cutaway", { log: true });
	readonly log: Log = {
		debug: (message, details) => this.channel.debug(formatLogLine(message, details)),
		info: (message, details) => this.channel.info(formatLogLine(message, details)),
		warn: (message, details) => this.channel.warn(formatLogLine(message, details)),
		error: (message, details) => this.channel.error(formatLogLine(message, details)),
	};

	show(): void {
		this.channel.show(true);
	}

	dispose(): void {
		this.channel.dispose();
	}
}
