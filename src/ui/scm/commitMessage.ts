import { withoutHidden } from "../../common/hiddenText.ts";

/** A line without white space at its end that opens or closes a code block, with its indentation and language. */
const fence = /^\s{0,3}(?:`{3,}|~{3,})\s*([\w+.-]*)$/;

/** First words of a sentence about the message rather than of the message. */
const preamble =
	/^(?:sure|certainly|of course|absolutely|okay|ok|great|here(?:'s|’s| is| are)|looking at|based on|given|after|below|this is|let me|let's|i(?:'ve|’ve|'ll|’ll|'m|’m)?\s|we\s|the (?:following|staged|changes|commit|message|diff)|hier|natürlich|gerne|claro|aquí|por supuesto|voici|bien sûr|以下|这是|好的|もちろん)/iu;

/** First words of a last paragraph that speaks to the user. */
const courtesy =
	/^(?:[*_]{0,2}(?:explanation|reasoning|rationale|why this message)[*_]{0,2}:|let me know|please let me|feel free|i hope|hope this|hope that|would you like|do you want|is there anything|if you(?:'d|’d| would| want(?: me| a| any| to (?:change|adjust|modify))| need (?:any|a different|further|me)| have any)\b|this (?:commit )?message|these changes follow|i(?:'ve|’ve| have| can|'d|’d) |happy to|lass mich|sag (?:mir )?bescheid|avísame|espero que|dime si|n'hésite|n’hésite|j'espère|dites-moi|请告诉|如果需要|希望|お知らせ|ご確認)/iu;

/** Subjects such as `cart: round up` and `feat(cart)!: round up`. */
const labeled = /^[\w./*-]+(?: [\w./-]+)?(?:\([^()]*\))?!?: \S/;
const conventional =
	/^(?:feat|fix|docs|style|refactor|perf|test|tests|build|ci|chore|revert)(?:\([^()]*\))?!?: \S/;

/**
 * Extracts the message from an answer, without what models add: words before and after it, a code block around it, quotes and stars, and invisible
 * characters. Blank lines in a row become one, as in Git. `subjects` are of earlier commits, whose form tells where the message begins. For an
 * incomplete answer, returns its complete lines; empty while it isn't clear where the message begins.
 */
export function commitMessageIn(
	answer: string,
	isWhole: boolean,
	subjects: readonly string[] = [],
): string {
	const arrived = isWhole ? answer : answer.slice(0, answer.lastIndexOf("\n") + 1);
	const lines = withoutThought(withoutHidden(arrived.replaceAll(/\r\n?/g, "\n")))
		.split("\n")
		.map(line => line.trimEnd());
	const message = plainLines(messageLines(linesBetween(lines), isWhole, formOf(subjects)));
	return message
		.join("\n")
		.replaceAll(/\n{3,}/g, "\n\n")
		.trim();
}

/** Returns the text behind a thought that the model's server left in it; empty while that isn't over. */
function withoutThought(text: string): string {
	const [opening, name = ""] = /^\s*<(think|thinking|thought)>/i.exec(text) ?? [];
	const end = opening === undefined ? -1 : text.toLowerCase().indexOf(`</${name.toLowerCase()}>`);
	return opening === undefined ? text : end === -1 ? "" : text.slice(end + name.length + 3);
}

/** The characters of a line of the input box in a narrow side bar, and the most lines that the editor gives it. */
const rowLength = 40;
const maxRows = 50;

/** Whether a message is longer than the input box. `shownRows` is the setting for its height as any workspace may set it; read as the editor does. */
export function exceedsBox(message: string, shownRows: unknown): boolean {
	const shown = typeof shownRows === "number" ? Math.min(Math.max(shownRows, 1), maxRows) : 10;
	const lines = message.split("\n");
	return lines.reduce((sum, { length }) => sum + Math.ceil((length + 1) / rowLength), 0) > shown;
}

/** Returns the form of the subjects: most of them begin with a label, or else conventional ones count. */
function formOf(subjects: readonly string[]): RegExp {
	const count = subjects.filter(subject => labeled.test(subject)).length;
	return count > 0 && count * 2 >= subjects.length ? labeled : conventional;
}

function messageLines(lines: readonly string[], isWhole: boolean, form: RegExp): readonly string[] {
	const [first = ""] = lines;
	const subject = undecorated(first);
	if (fence.test(first)) {
		return blockAt(lines, 0);
	}
	const isAbout =
		!form.test(subject) &&
		(preamble.test(subject) || /[:：]$/u.test(subject) || subject.length > 100);
	if (!isAbout) {
		return lines;
	}
	const openings = lines.flatMap((line, index) => (fence.test(line) ? [index] : []));
	const [opening] = openings;
	if (opening !== undefined && (openings.length <= 2 || !isWhole)) {
		return blockAt(lines, opening);
	}
	const start = lines.findIndex(line => form.test(undecorated(line)));
	if (start !== -1) {
		return lines.slice(start);
	}
	const end = lines.indexOf("");
	const rest = end === -1 ? [] : linesBetween(lines.slice(end));
	// Without another sign, the words before a colon alone are about the message.
	return rest.length > 0 && /[:：]$/u.test(lines[end - 1] ?? "") ? rest : isWhole ? lines : [];
}

/** Returns the lines of the block that opens at an index. Blocks inside it, which name a language or have a shorter fence, belong to it. */
function blockAt(lines: readonly string[], opening: number): readonly string[] {
	let depth = 0;
	const signsOf = (line = ""): string => /^\s*([`~]+)/.exec(line)?.[1] ?? "";
	const own = signsOf(lines[opening]);
	for (const [index, line] of lines.entries()) {
		const isOwn = index > opening && signsOf(line).startsWith(own);
		const language = isOwn ? fence.exec(line)?.[1] : undefined;
		if (language === "") {
			depth -= 1;
		} else if (language !== undefined) {
			depth += 1;
		}
		if (depth < 0) {
			return lines.slice(opening + 1, index);
		}
	}
	return lines.slice(opening + 1);
}

/** Removes what surrounds a message: a heading, quotes, stars, a fence without a partner, and a courtesy. */
function plainLines(lines: readonly string[]): readonly string[] {
	const fences = lines.filter(line => fence.test(line)).length;
	const last = lines.findLastIndex(line => line !== "");
	const isStray = fences % 2 === 1 && fence.test(lines[last] ?? "");
	const [first = "", ...rest] = linesBetween(isStray ? lines.slice(0, last) : lines);
	const whole = withoutCourtesy(withoutCommand([first, ...rest]));
	const quote = /^["“'`](?=\S)/.exec(first)?.[0];
	const end = whole.at(-1) ?? "";
	const isQuoted = quote !== undefined && whole.length > 1 && end.length > 1 && /["”'`]$/.test(end);
	return isQuoted
		? [first.slice(1), ...whole.slice(1, -1), end.slice(0, -1)]
		: [undecorated(whole[0] ?? ""), ...whole.slice(1)];
}

/** Extracts the message from a command line, such as `git commit -m "fix: round up" -m "Details"`. */
function withoutCommand(lines: readonly string[]): readonly string[] {
	const text = lines.join("\n");
	if (!/^(?:\$ )?git commit\b/.test(text)) {
		return lines;
	}
	const parts = [...text.matchAll(/\s-(?:a?m|-message)[ =](["'])((?:(?!\1)[^\\]|\\.)*)\1/gs)];
	const message = parts
		.map(([, , part = ""]) => part.replaceAll(/\\(["'\\$`])/g, "$1"))
		.join("\n\n");
	return message === "" ? lines : message.split("\n");
}

/** Removes at most a few paragraphs, because an answer of rules alone would take quadratic time. */
function withoutCourtesy(lines: readonly string[], left = 4): readonly string[] {
	const text = linesBetween(lines);
	const start = text.lastIndexOf("");
	const isAddressed = start > 0 && courtesy.test(text[start + 1] ?? "");
	const isRule = start > 0 && /^(?:-{3,}|\*{3,})$/.test(text.at(-1) ?? "");
	return left > 0 && (isAddressed || isRule)
		? withoutCourtesy(text.slice(0, start), left - 1)
		: text;
}

/** Returns a subject without Markdown's marks, quotes around it, and a label such as `Commit message:`. */
function undecorated(line: string): string {
	const plain = line
		.replace(/^#{1,6} /, "")
		.replace(/^[*_]{0,2}(?:commit message|subject)[*_]{0,2}:[*_]{0,2} *(?=[^\s*_])/i, "");
	const [, inner] =
		/^(?:\*\*|__|[*_"'`“‘])(.*[^\s*_"'`”’])(?:\*\*|__|[*_"'`”’])$/.exec(plain) ?? [];
	return inner !== undefined && !inner.includes(plain.charAt(0)) ? inner : plain;
}

/** Returns the lines without blank ones at both ends. */
function linesBetween(lines: readonly string[]): readonly string[] {
	const first = lines.findIndex(line => line !== "");
	return first === -1 ? [] : lines.slice(first, lines.findLastIndex(line => line !== "") + 1);
}
