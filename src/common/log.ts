/**
 * Where rooms that know no editor write their log lines. Messages are for a maintainer, carry no key and no
 * text of a conversation; `details` are short plain values.
 */
export interface Log {
	debug(message: string, details?: LogDetails): void;
	info(message: string, details?: LogDetails): void;
	warn(message: string, details?: LogDetails): void;
	error(message: string, details?: LogDetails): void;
}

/** Short values that may be beside a log message. */
export type LogDetails = Readonly<Record<string, string | number | boolean | undefined>>;

/** A log that keeps nothing. */
export const silentLog: Log = {
	debug: () => undefined,
	info: () => undefined,
	warn: () => undefined,
	error: () => undefined,
};

/** One line: the message, then `name=value` pairs. Line ends inside values are shown escaped. */
export function formatLogLine(message: string, details: LogDetails = {}): string {
	const pairs = Object.entries(details)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
	return [message.replaceAll(/[\r\n]+/g, " "), ...pairs].join(" ");
}

/** Wraps a log so that none of the secrets known at the time of writing appears in any line. */
export function redactingLog(log: Log, secrets: () => readonly string[]): Log {
	const clean = (text: string): string =>
		secrets().reduce(
			(result, secret) => (secret.length < 4 ? result : result.replaceAll(secret, "[redacted]")),
			text,
		);
	const write =
		(level: keyof Log) =>
		(message: string, details?: LogDetails): void => {
			log[level](clean(formatLogLine(message, details)));
		};
	return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
