import type { Mention } from "./mention.ts";

/** A `/`, a name, and white space or the end: `/usr/bin` and `/ 2` are ordinary text. */
const command = /^[/／][\p{L}\p{N}][\p{L}\p{N}_:-]{0,199}(?:\s|$)/u;

/** Whether a text starts with a command, existing or not. */
export function isCommand(text: string): boolean {
	return command.test(text);
}

/** Returns the text to send: `//name` escapes a question that starts with `/name`. */
export function asSent(text: string): string {
	return /^[/／]{2}/.test(text) && isCommand(text.slice(1)) ? text.slice(1) : text;
}

/** Converts a full-width slash. */
export function asCommand(text: string): string {
	return text.replace(/^／/, "/");
}

/** Escapes a text that starts with a command. */
export function asWritten(text: string): string {
	return isCommand(text) ? `/${text}` : text;
}

/** The longest query, in UTF-16 units; limited by the protocol. */
const maxQuery = 200;

/** Returns the query after a `/` at the start of the text: a command's name, or a value for a command with a list. */
export function slashAt(text: string, cursor: number): Mention | undefined {
	const [, query] =
		/^[/／]((?:[\p{L}\p{N}_:-]*)|(?:(?:model|system)\s[^\n]*))$/iu.exec(text.slice(0, cursor)) ??
		[];
	return query === undefined || query.length > maxQuery
		? undefined
		: { start: 0, query, trigger: "/" };
}
