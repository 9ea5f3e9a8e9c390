import { demoCommand, demoCommands } from "../../common/demoCommands.ts";

/** The most characters (Unicode code points) of a title that is taken from a question. */
const maxTitleCharacters = 60;

/** The most characters (Unicode code points) of a name that a user gives. */
const maxNameCharacters = 200;

/**
 * A chat's title: the first line of its first question that says something, white space folded, at most 60 characters. A fence
 * says nothing where code follows; a command of the demo at the beginning, with the names of attached files before it, is no part.
 * The place of the code that the question is about comes first: many are asked in the same words.
 */
export function titleOf(prompt: string, fileNames: readonly string[] = [], place?: string): string {
	const lines = prompt.split(/[\r\n]+/).filter(candidate => candidate.trim() !== "");
	const line = lines.find(candidate => !/^\s*(?:`{3}|~{3})/.test(candidate)) ?? lines[0] ?? "";
	const words = withoutCommand(foldSpace(line), fileNames);
	const title = place === undefined || words.includes(place) ? words : `${place} · ${words}`;
	return shorten(title, maxTitleCharacters);
}

/** Text after a command, else the files before it; a command alone is all there is to say. */
function withoutCommand(line: string, fileNames: readonly string[]): string {
	let behindNames = line;
	let name: string | undefined;
	do {
		name = fileNames.find(candidate => behindNames.startsWith(`${candidate} `));
		behindNames = behindNames.slice(name === undefined ? 0 : name.length + 1);
	} while (name !== undefined);
	const files = line.slice(0, line.length - behindNames.length).trimEnd();
	const words = behindCommand(behindNames);
	return words === undefined ? line : words || files || line;
}

/** Text after a command of the demo and its value, such as `/demo code typescript`; undefined where there is none. */
function behindCommand(text: string): string | undefined {
	const [first = "", ...rest] = text.split(" ");
	const [command = "", ...values] = first === `/${demoCommand}` ? rest : [first.slice(1), ...rest];
	const value = Object.entries(demoCommands).find(([name]) => name === command)?.[1];
	return !first.startsWith("/") || value === undefined
		? undefined
		: values.slice(singleValues.has(value) ? 1 : 0).join(" ");
}

/** The values of commands that are one word. */
const singleValues: ReadonlySet<string> = new Set(["LANGUAGE", "KB", "N", "KIND"]);

/** A name a user gives a chat: in one line, white space folded, at most 200 characters. */
export function foldTitle(name: string): string {
	return shorten(foldSpace(name), maxNameCharacters);
}

function foldSpace(text: string): string {
	return text.trim().replaceAll(/\s+/g, " ");
}

function shorten(text: string, limit: number): string {
	const characters = [...text];
	return characters.length <= limit
		? characters.join("")
		: `${characters
				.slice(0, limit - 1)
				.join("")
				.trimEnd()}…`;
}
