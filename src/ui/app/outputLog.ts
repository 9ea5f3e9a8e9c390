import * as vscode from "vscode";
import type { IDisposable } from "../../common/disposable.ts";
import { formatLogLine, type Log } from "../../common/log.ts";

/** The output channel «Cutaway», as a log and as something to show. */
export interface OutputLog extends IDisposable {
	readonly log: Log;
	show(): void;
}

/** Makes the channel; its level follows VS Code's own setting for it. */
export function createOutputLog(): OutputLog {
	const channel = vscode.window.createOutputChannel("Cutaway", { log: true });
	return {
		log: {
			debug: (message, details) => channel.debug(formatLogLine(message, details)),
			info: (message, details) => channel.info(formatLogLine(message, details)),
			warn: (message, details) => channel.warn(formatLogLine(message, details)),
			error: (message, details) => channel.error(formatLogLine(message, details)),
		},
		show: () => channel.show(true),
		dispose: () => channel.dispose(),
	};
}
