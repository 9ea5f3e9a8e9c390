import type { Mention } from "./mention.ts";

/** A `/`, a name, and nothing or white space behind it: `/usr/bin` and `/ 2` are words like any others. */
const command = /^[/／][\p{L}\p{N}][\p{L}\p{N}_:-]{0,199}(?:\s|$)/u;

/** Whether a text begins with a command, right or mistaken. */
export function isCommand(text: string): boolean {
	return command.test(text);
}

/** A text as it goes out: `//name` is how one writes a question that begins with `/name`. */
export function asSent(text: string): string {
	return /^[/／]{2}/.test(text) && isCommand(text.slice(1)) ? text.slice(1) : text;
}

/** A command as the host knows it: with a `/` of the plain width. */
export function asCommand(text: string): string {
	return text.replace(/^／/, "/");
}

/** A text as it is written so that it goes out as it is. */
export function asWritten(text: string): string {
	return isCommand(text) ? `/${text}` : text;
}

/** The longest text behind the `/` that is looked up, in UTF-16 units; the protocol takes no longer one. */
const maxQuery = 200;

/** Text after a `/` that begins the text: the command's name, or a value for one that has a list. */
export function slashAt(text: string, cursor: number): Mention | undefined {
	const [, query] =
		/^[/／]((?:[\p{L}\p{N}_:-]*)|(?:(?:model|system)\s[^\n]*))$/iu.exec(text.slice(0, cursor)) ??
		[];
	return query === undefined || query.length > maxQuery
		? undefined
		: { start: 0, query, trigger: "/" };
}
