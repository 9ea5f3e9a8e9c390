import { withoutHidden } from "../../common/hiddenText.ts";
import { isRecord, parseJson } from "../../common/json.ts";

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
	const text = unwrapped(
		withoutThought(withoutHidden(arrived.replaceAll(/\r\n?/g, "\n"))),
		isWhole,
	);
	const form = formOf(subjects);
	const lines = firstOption(linesBetween(text.split("\n").map(line => line.trimEnd())), form);
	const message = plainLines(messageLines(lines, isWhole, form));
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

const wrapping =
	/^\s*(?:```(?:json)?\s*\n)?\s*(?:([[{"][^]*[\]}"])|<(commit[-_ ]?message|message|commit)>([^]*?)<\/\2>)\s*(?:\n\s*```)?\s*$/i;

/** Returns the message in JSON or in a tag that is the whole answer; empty while JSON isn't over. */
function unwrapped(text: string, isWhole: boolean): string {
	const [, json, , tagged] = wrapping.exec(text) ?? [];
	const message = json === undefined ? tagged : messageOf(parseJson(json));
	return message ?? (!isWhole && /^\s*(?:```json\s|[[{]\s*["{])/.test(text) ? "" : text);
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Returns the message that an answer in JSON has: a text, the first of several, or a subject and a body under any of their names. */
function messageOf(value: unknown): string | undefined {
	if (typeof value === "string") {
		return value;
	}
	if (Array.isArray(value)) {
		return messageOf(value[0]);
	}
	if (!isRecord(value)) {
		return undefined;
	}
	const fields = new Map(
		Object.entries(value).map(([name, field]) => [
			name.toLowerCase().replaceAll(/[^a-z]/g, ""),
			field,
		]),
	);
	const firstField = (...names: readonly string[]): string | undefined =>
		names.map(name => fields.get(name)).find(isText);
	const subject = firstField(
		"message",
		"commitmessage",
		"commit",
		"subject",
		"title",
		"summary",
		"header",
	);
	const inner = ["message", "commit", "commitmessage", "messages", "options"].map(name =>
		fields.get(name),
	);
	if (subject === undefined) {
		return inner.map(messageOf).find(message => message !== undefined);
	}
	const [type, scope] = [firstField("type"), firstField("scope")];
	const isLabeled = type === undefined || labeled.test(subject);
	const first = isLabeled
		? subject
		: `${type}${scope === undefined ? "" : `(${scope})`}: ${subject}`;
	const body = firstField("body", "description", "details");
	return body === undefined ? first : `${first}\n\n${body}`;
}

const optionStart =
	/^[#*_\s]*(?:option|alternative|version|suggestion|variante?)\s*#?(?:\d|[a-c]\b)[*_]*\s*[:.)–-]*[*_]*\s*/i;
const otherwise =
	/^[*_]*(?:or|alternatively|oder|alternativ|ou|o bien|または|或者)[*_]*[,.:…]*[*_]*$/i;

/** Returns the lines of the first of several messages, by what announces each or as items of a list. Returns other lines unchanged. */
function firstOption(lines: readonly string[], form: RegExp): readonly string[] {
	const [first = ""] = lines;
	const isList = /\b(?:options?|messages?|suggestions?|alternatives?)\b/i.test(first);
	for (const [start, next] of [
		[optionStart, optionStart],
		[/^\s*1[.)]\s+/, /^\s*2[.)]\s+/],
	] as const) {
		const from = lines.findIndex(line => start.test(line));
		const to = lines.findIndex((line, index) => index > from && next.test(line));
		const own = (lines[from] ?? "").replace(start, "");
		const isAnnounced = start === optionStart || from === 0 || form.test(undecorated(own));
		const isFirst = from === 0 || preamble.test(first) || /[:：][*_]*$/u.test(first);
		if (from !== -1 && to !== -1 && isFirst && (isAnnounced || isList)) {
			return linesBetween([own, ...lines.slice(from + 1, to)]);
		}
	}
	const end = lines.findIndex((line, index) => index > 0 && otherwise.test(line));
	return end === -1 ? lines : linesBetween(lines.slice(0, end));
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
		(preamble.test(subject) ||
			/^#{1,6} /.test(first) ||
			/[:：]$/u.test(subject) ||
			subject.length > 100);
	if (!isAbout) {
		return lines;
	}
	const openings = lines.flatMap((line, index) => (fence.test(line) ? [index] : []));
	const opening =
		openings.length <= 2 || !isWhole
			? openings[0]
			: openings.find(index => form.test(undecorated(lines[index + 1] ?? "")));
	if (opening !== undefined) {
		return blockAt(lines, opening);
	}
	const start = lines.findIndex(line => form.test(undecorated(line)));
	if (start !== -1) {
		return lines.slice(start);
	}
	const quoted = lines.map(line => /`([^`]+)`/.exec(line)?.[1] ?? "").find(each => form.test(each));
	if (quoted !== undefined && isWhole) {
		return [quoted];
	}
	const end = lines.indexOf("");
	const rest = end === -1 ? [] : linesBetween(lines.slice(end));
	// Without another sign, the words before a colon alone are about the message.
	return rest.length > 0 && /[:：]$/u.test(lines[end - 1] ?? "") ? rest : isWhole ? lines : [];
}

/**
 * Returns the lines of the block that opens at an index. Blocks inside it belong to it: those that name a language or have a shorter fence, and one
 * that text directly follows, if the answer ends with another fence.
 */
function blockAt(lines: readonly string[], opening: number): readonly string[] {
	let depth = 0;
	const signsOf = (line = ""): string => /^\s*([`~]+)/.exec(line)?.[1] ?? "";
	const own = signsOf(lines[opening]);
	for (const [index, line] of lines.entries()) {
		const isOwn = index > opening && signsOf(line).startsWith(own);
		const language = isOwn ? fence.exec(line)?.[1] : undefined;
		const isInner =
			depth === 0 &&
			fence.test(lines.at(-1) ?? "") &&
			!["", own, undefined].includes(lines[index + 1]);
		if (language === "" && isInner) {
			depth += 1;
		} else if (language === "") {
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
