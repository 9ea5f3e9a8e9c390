import { fence } from "../base/markdownText.ts";
import { codeSamples } from "./codeSamples.ts";
import {
	type DemoAnswer,
	type DemoCommand,
	type DemoQuestion,
	sayLines,
	sayMessages,
} from "./demoAnswer.ts";
import { answerFailure } from "./failures.ts";
import { answerHelp } from "./help.ts";
import { longText, maxLongKilobytes } from "./longText.ts";
import { markdownSample, tableSample } from "./markdownSample.ts";
import { answerCall } from "./toolTalk.ts";

const maxMessages = 10;

/** Everything a user can type, in the order the help lists it. */
export const commands: readonly DemoCommand[] = [
	{
		name: "/help",
		argument: "",
		summary: "this table",
		answer: () => answerHelp(commands),
	},
	{
		name: "/markdown",
		argument: "",
		summary: "Markdown of every kind, with what must stay inert",
		answer: () => sayMessages([markdownSample]),
	},
	{
		name: "/code",
		argument: "LANGUAGE",
		summary: `a short program; ${Object.keys(codeSamples).length} languages`,
		answer: answerCode,
	},
	{
		name: "/table",
		argument: "",
		summary: "a wide table with aligned columns",
		answer: () => sayMessages([tableSample]),
	},
	{
		name: "/long",
		argument: "KB",
		summary: `a text of 1 to ${maxLongKilobytes} KB, as fast as it is taken`,
		answer: answerLong,
	},
	{
		name: "/messages",
		argument: "N",
		summary: `one answer in 1 to ${maxMessages} messages`,
		answer: answerMessages,
	},
	{
		name: "/slow",
		argument: "",
		summary: "a slow answer, to try Stop",
		answer: () => sayMessages([slowText], "slow"),
	},
	{
		name: "/echo",
		argument: "TEXT",
		summary: "your own text, unchanged",
		answer: ({ text }) => sayMessages([text === "" ? "Type a text after `/echo`." : text]),
	},
	{
		name: "/call",
		argument: "TOOL JSON",
		summary: "a call of a tool that the request offers, with these arguments",
		answer: answerCall,
	},
	{
		name: "/history",
		argument: "",
		summary: "the questions of this conversation",
		answer: answerHistory,
	},
	{
		name: "/request",
		argument: "",
		summary: "what the service received, without the texts",
		answer: answerRequest,
	},
	{
		name: "/fail",
		argument: "KIND",
		summary:
			"any failure a chat can meet, or a video when its prompt is this; without a kind, both lists",
		answer: ({ text, request }) => answerFailure(text, request.stream === true),
	},
];

const slowText =
	"This answer comes at twelve characters a second, about as fast as a user types. " +
	"Press **Stop** or Escape now: what has arrived stays, marked as stopped. " +
	"Or scroll up while it grows: the view stays where you read.";

function answerCode({ text }: DemoQuestion): DemoAnswer {
	const language = text.trim().toLowerCase();
	const sample = Object.hasOwn(codeSamples, language) ? codeSamples[language] : undefined;
	if (sample === undefined) {
		const names = Object.keys(codeSamples).map(name => `\`${name}\``);
		return sayLines(`Type \`/code\` and one of these languages: ${names.join(", ")}.`);
	}
	return sayLines(
		`A greeting that counts the letters of a name, in **${language}**:`,
		"",
		fence(sample, language),
		"",
		"The button on the block copies it.",
	);
}

/** A whole number of a range, or undefined when the text is anything else. */
function wholeNumber(text: string, max: number): number | undefined {
	const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN;
	return value >= 1 && value <= max ? value : undefined;
}

function answerLong({ text }: DemoQuestion): DemoAnswer {
	const kilobytes = wholeNumber(text, maxLongKilobytes);
	return kilobytes === undefined
		? sayLines(
				`Type \`/long\` and a number of kilobytes from 1 to ${maxLongKilobytes}, such as \`/long 200\`.`,
			)
		: sayMessages([longText(kilobytes)], "fast");
}

function answerMessages({ text }: DemoQuestion): DemoAnswer {
	const count = wholeNumber(text, maxMessages);
	if (count === undefined) {
		return sayLines(`Type \`/messages\` and a number from 1 to ${maxMessages}.`);
	}
	const texts = Array.from({ length: count }, (_, index) => {
		const isLast = index === count - 1;
		return isLast
			? `Message ${count} of ${count}: the last one. The answer ends here.`
			: `Message ${index + 1} of ${count}. A service that runs tools sends one message for each step.`;
	});
	return sayMessages(texts);
}

function answerHistory({ questions }: DemoQuestion): DemoAnswer {
	const count = questions.length === 1 ? "1 message" : `${questions.length} questions`;
	return sayLines(
		`You asked ${count} in this conversation:`,
		"",
		...questions.map((question, index) => `${index + 1}. ${oneLine(question)}`),
	);
}

function oneLine(text: string): string {
	const line = text.trim().replaceAll(/\s+/g, " ");
	const characters = [...line];
	const start = characters.length > 80 ? `${characters.slice(0, 79).join("")}…` : line;
	const ticks = "`".repeat(
		Math.max(0, ...[...start.matchAll(/`+/g)].map(([run]) => run.length)) + 1,
	);
	return start === "" ? "(nothing)" : `${ticks} ${start} ${ticks}`;
}

function answerRequest({ request }: DemoQuestion): DemoAnswer {
	const { messages, ...rest } = request;
	const outline = messages.map(({ role, content, ...others }) => ({
		role,
		characters: content.length,
		...(Object.keys(others).length > 0 ? { otherFields: Object.keys(others) } : {}),
	}));
	const text = JSON.stringify({ ...rest, messages: outline }, undefined, 2);
	return sayLines(
		"This is what reached the service, each message's text given as its length:",
		"",
		fence(text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text, "json"),
	);
}
