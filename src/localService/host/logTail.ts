import { formatLogLine, type Log, type LogDetails } from "../../common/log.ts";

/** Keeps the last lines of a log, to show why the service stopped. Fault L14. */
export interface LogTail {
	/** A log that keeps its lines here and passes them on. Debug lines are passed on only. */
	over(log: Log): Log;
	/** At most 20 lines, oldest first. */
	lines(): readonly string[];
}

const maxLines = 20;

/** Makes an empty tail. */
export function createLogTail(): LogTail {
	let kept: readonly string[] = [];
	return {
		over: log => {
			const write =
				(level: keyof Log) =>
				(message: string, details?: LogDetails): void => {
					if (level !== "debug") {
						kept = [...kept, formatLogLine(message, details)].slice(-maxLines);
					}
					log[level](message, details);
				};
			return {
				debug: write("debug"),
				info: write("info"),
				warn: write("warn"),
				error: write("error"),
			};
		},
		lines: () => kept,
	};
}
