import type { ChatRequest } from "../../client/index.ts";
import { calculate, formatNumber } from "./arithmetic.ts";
import { type DemoAnswer, type DemoQuestion, sayLines } from "./demoAnswer.ts";
import { fencedBlocks } from "./fencedBlocks.ts";
import { introduction } from "./help.ts";
import { answerWithTools } from "./toolTalk.ts";
import { reportText } from "./textReport.ts";

/** Answers a greeting or a sum; undefined for anything else. */
export function answerSmallTalk(question: DemoQuestion): DemoAnswer | undefined {
	return answerGreeting(question) ?? answerSum(question);
}

/** Answers whatever is not a command: a greeting, a sum, a text, or anything else by saying that it cannot. */
export function answerOrdinaryQuestion(question: DemoQuestion): DemoAnswer {
	return (
		answerSmallTalk(question) ??
		answerWithTools(question) ??
		answerText(question) ??
		answerPlainly()
	);
}

const greeting =
	/^(?:hi|hello|hey|hallo|good (?:morning|afternoon|evening)|test(?:ing)?|ping|help|what can you do|who are you|what are you|what is this)?(?: there)?[\s.!?…]*$/i;

function answerGreeting({ text, questions }: DemoQuestion): DemoAnswer | undefined {
	if (!greeting.test(text)) {
		return undefined;
	}
	const count = questions.length;
	const opening = count > 1 ? `Hello again; this is your question number ${count}.` : "Hello!";
	return sayLines(
		`${opening} ${introduction}`,
		"",
		"Nothing leaves this machine while I answer. Some things to try:",
		"",
		"- `/markdown` shows every kind of formatting, `/code python` a program;",
		"- `/messages 3` answers in three messages, `/long 200` in 200 KB, `/slow` slowly enough to press Stop;",
		"- `/fail` lists every failure a chat can meet;",
		"- paste some code, or type a sum such as `(12.5 + 7) * 3`.",
		"",
		"`/demo` lists everything. For real answers run **Cutaway: Connect to a Service…**",
	);
}

function answerSum({ text }: DemoQuestion): DemoAnswer | undefined {
	const sum = text
		.replace(/^(?:please\s+)?(?:what(?:'s|’s| is)|how much is|calculate|compute|work out)\s+/i, "")
		.replace(/[\s=?.!]+$/, "");
	const result = calculate(sum);
	if (!result) {
		return undefined;
	}
	const shown = sum.replaceAll(/\s+/g, " ");
	return result.isNumber
		? sayLines(`\`${shown}\` = **${formatNumber(result.value)}**`)
		: sayLines(`\`${shown}\` has no result: ${result.reason}.`);
}

interface GivenText {
	readonly text: string;
	readonly language: string | undefined;
}

/** Shorter pasted texts are questions of a few lines. */
const minPastedLines = 4;

/** The fenced blocks of a question, or all of it when it is long enough to be a pasted text. */
function givenTexts(question: string): readonly GivenText[] {
	const blocks = fencedBlocks(question);
	if (blocks.length > 0) {
		return blocks.map(({ text, info }) => ({ text, language: /^[\w+#.-]+/.exec(info)?.[0] }));
	}
	const isPasted = question.split("\n").length >= minPastedLines || question.length >= 600;
	return isPasted ? [{ text: question, language: undefined }] : [];
}

function answerText({ text }: DemoQuestion): DemoAnswer | undefined {
	const given = givenTexts(text).slice(0, 5);
	if (given.length === 0) {
		return undefined;
	}
	const reports = given.map(({ text: block, language }, index) => {
		const title = given.length > 1 ? `### Text ${index + 1}\n\n` : "";
		return `${title}${reportText(block, language)}`;
	});
	return sayLines(
		"As the built-in demo I can tell this by counting; understanding it takes a language model.",
		"",
		reports.join("\n\n"),
	);
}

/** One sentence; the chat view knows it by its end and offers to connect to a service below it. */
function answerPlainly(): DemoAnswer {
	return sayLines(
		"I am Cutaway's built-in **demo**, fixed rules and not a language model, so I cannot answer this.",
	);
}

/** Answers with what reached the service, as a table. */
export function answerWithReceipt({ text, request, questions }: DemoQuestion): DemoAnswer {
	return sayLines(
		`A service with a language model would get exactly this, the question number ${questions.length} of this conversation:`,
		"",
		"| Received | Value |",
		"| :-- | :-- |",
		...receipt(text, request).map(([name, value]) => `| ${name} | ${value} |`),
	);
}

function receipt(text: string, request: ChatRequest): readonly (readonly [string, string])[] {
	const { messages, model, stream, files = [], tools: serverTools = [] } = request;
	const { custom_tools: tools = [] } = request;
	const words = [...text.matchAll(/[\p{L}\p{N}_'’]+/gu)].length;
	const rows: [string, string][] = [
		["Question", `${plural(words, "word")}, ${plural([...text].length, "character")}`],
		["Conversation", plural(messages.length, "message")],
		["Model", cell(model)],
		["Streaming", stream === true ? "on" : "off"],
	];
	const parameters = (["temperature", "top_p", "max_tokens"] as const)
		.filter(name => request[name] !== undefined)
		.map(name => `${cell(name)} ${request[name]}`);
	if (parameters.length > 0) {
		rows.push(["Parameters", parameters.join(", ")]);
	}
	if (serverTools.length > 0) {
		rows.push(["Server tools", serverTools.map(cell).join(", ")]);
	}
	if (tools.length > 0) {
		rows.push(["Tools offered", tools.map(tool => cell(tool.function.name)).join(", ")]);
	}
	if (files.length > 0) {
		const names = files.map(file => cell(file.name)).join(", ");
		rows.push([
			"Files",
			`${names}; only \`code_interpreter\` can open them, so switch it on to see into them`,
		]);
	}
	return rows;
}

function plural(count: number, noun: string): string {
	return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** A name inside a table cell, as code; what would end the cell or the code is left out. */
function cell(name: string): string {
	return `\`${name.replaceAll(/[`|\r\n]/g, "").slice(0, 80)}\``;
}
