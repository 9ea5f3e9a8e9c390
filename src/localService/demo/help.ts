import { type DemoAnswer, type DemoCommand, sayLines } from "./demoAnswer.ts";

/** Description of the engine in one line. */
export const introduction =
	"I am Cutaway's built-in **demo**: fixed rules running on this computer, not a language model.";

/** The table of everything a user can type. */
export function answerHelp(commands: readonly DemoCommand[]): DemoAnswer {
	return sayLines(
		introduction,
		"",
		"## What you can type",
		"",
		"| Type | To see |",
		"| --- | --- |",
		...commands.map(command => `| \`${usage(command)}\` | ${command.summary} |`),
		"",
		"Without a command:",
		"",
		"- with **Code interpreter** on, attach a table (CSV or TSV) or an image and I look into it with Python, or send a `python` code block and I run it;",
		"- with **Browsing** on, name the **address of a page** and I read it;",
		"- with a folder open, ask me to **show the selection**, **make the selection upper case**, **make a video of the selection** or **rename this file to** another name: I do it with the editor's tools, and every change asks you first;",
		"- any **other question** I cannot answer; `/request` shows what a service gets with it.",
		"",
		"For real answers run **Cutaway: Choose Model…** or **Cutaway: Connect to a Service…** from the Command Palette.",
	);
}

/** Says that there is no such command, and which come close. */
export function answerUnknownCommand(name: string, commands: readonly DemoCommand[]): DemoAnswer {
	const known = commands.map(command => command.name);
	const close = known.filter(candidate => distance(candidate, name.toLowerCase()) <= 2);
	const hint = close.length > 0 ? `Did you mean ${close.map(quote).join(" or ")}?` : "";
	return sayLines(
		`${quote(name.slice(0, 40))} is not something this demo knows. ${hint}`.trim(),
		"",
		`It knows ${known.map(quote).join(", ")}.`,
	);
}

function usage({ name, argument }: DemoCommand): string {
	return argument === "" ? name : `${name} ${argument}`;
}

function quote(name: string): string {
	return `\`${name}\``;
}

/** Single-character edits between two words. @see https://en.wikipedia.org/wiki/Levenshtein_distance */
function distance(from: string, to: string): number {
	let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
	for (const [row, letter] of [...from].entries()) {
		const current = [row + 1];
		for (const [column, other] of [...to].entries()) {
			const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
			const inserted = (current[column] ?? 0) + 1;
			const removed = (previous[column + 1] ?? 0) + 1;
			current.push(Math.min(replaced, inserted, removed));
		}
		previous = current;
	}
	return previous.at(-1) ?? 0;
}
