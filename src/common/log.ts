/** Log interface for modules that don't import `vscode`. Messages are for maintainers and contain no keys and no conversation text. */
export interface Log {
	debug(message: string, details?: LogDetails): void;
	info(message: string, details?: LogDetails): void;
	warn(message: string, details?: LogDetails): void;
	error(message: string, details?: LogDetails): void;
}

/** Short values logged with a message. */
export type LogDetails = Readonly<Record<string, string | number | boolean | undefined>>;

/** Creates a log of a function that writes a line of any level. */
export function logOf(
	write: (level: keyof Log, message: string, details: LogDetails | undefined) => void,
): Log {
	const at =
		(level: keyof Log) =>
		(message: string, details?: LogDetails): void =>
			write(level, message, details);
	return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export const silentLog: Log = logOf(() => undefined);

/** Formats one line: the message, then `name=value` pairs. Escapes line breaks inside values. */
export function formatLogLine(message: string, details: LogDetails = {}): string {
	const pairs = Object.entries(details)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
	return [message.replaceAll(/[\r\n]+/g, " "), ...pairs].join(" ");
}

/** Wraps a log and masks the current secrets of at least 4 characters in every line. */
export function redactingLog(log: Log, secrets: () => readonly string[]): Log {
	const clean = (text: string): string =>
		secrets().reduce(
			(result, secret) => (secret.length < 4 ? result : result.replaceAll(secret, "[redacted]")),
			text,
		);
	return logOf((level, message, details) => log[level](clean(formatLogLine(message, details))));
}
