import { codeSamples } from "./codeSamples.ts";
import { fence } from "../base/markdownText.ts";

/** The longest text `/long` writes, in kilobytes. */
export const maxLongKilobytes = 1000;

const words =
	"light camera scene river window letter signal engine paper garden number circle voice morning story bridge " +
	"color distance pattern question answer quiet sudden bright narrow slow careful open between under after before " +
	"turns holds shows keeps follows becomes carries leaves returns begins";
const wordList = words.split(" ");

/**
 * Markdown of exactly `kilobytes` × 1024 ASCII characters, the same every time: numbered sections with paragraphs,
 * lists and, in every third, a block of code.
 */
export function longText(kilobytes: number): string {
	const size = kilobytes * 1024;
	const nextWord = createWordSource();
	const parts: string[] = [];
	let length = 0;
	for (let section = 1; ; section += 1) {
		const text = writeSection(section, nextWord);
		// The rest must have room for a closing sentence.
		if (length + text.length + 64 > size) {
			break;
		}
		parts.push(text);
		length += text.length;
	}
	return parts.join("") + closing(size - length, nextWord);
}

/** Words in an order that looks random and never changes. @see https://en.wikipedia.org/wiki/Linear_congruential_generator */
function createWordSource(): () => string {
	let state = 1;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return wordList[(state >>> 16) % wordList.length] ?? "";
	};
}

function sentence(length: number, nextWord: () => string): string {
	const text = Array.from({ length }, nextWord).join(" ");
	return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function writeSection(section: number, nextWord: () => string): string {
	const paragraph = (): string => [9, 14, 7, 11].map(count => sentence(count, nextWord)).join(" ");
	const items = [5, 7, 6].map(count => `- ${sentence(count, nextWord)}`).join("\n");
	const code = section % 3 === 0 ? `${fence(codeSamples["python"] ?? "", "python")}\n\n` : "";
	return `## Section ${section}\n\n${paragraph()}\n\n${items}\n\n${code}${paragraph()}\n\n`;
}

/** A last paragraph of exactly `length` characters. */
function closing(length: number, nextWord: () => string): string {
	let text = "The end:";
	while (text.length < length) {
		text += ` ${nextWord()}`;
	}
	return `${text.slice(0, length - 1).trimEnd()}.`.padEnd(length, ".");
}
