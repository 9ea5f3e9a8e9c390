import { type DemoAnswer, type DemoQuestion, sayLines } from "./demoAnswer.ts";
import { introduction } from "./help.ts";
import { answerWithTools } from "./toolTalk.ts";

/** Answers whatever is not a command: what the demo is, a request for the editor's tools, or that it cannot answer. */
export function answerOrdinaryQuestion(question: DemoQuestion): DemoAnswer {
	return answerWhatItIs(question) ?? answerWithTools(question) ?? answerPlainly();
}

const asksWhatItIs = /^(?:help|what can you do|who are you|what are you|what is this)?[\s.!?…]*$/i;

/** Answers the question what this is; undefined for any other. */
export function answerWhatItIs({ text }: DemoQuestion): DemoAnswer | undefined {
	if (!asksWhatItIs.test(text)) {
		return undefined;
	}
	return sayLines(
		introduction,
		"",
		"Nothing leaves this machine while I answer. Some things to try:",
		"",
		"- `/markdown` shows every kind of formatting, `/code python` a program;",
		"- `/messages 3` answers in three messages, `/long 200` in 200 KB, `/slow` slowly enough to press Stop;",
		"- `/fail` lists every failure a chat can meet.",
		"",
		"`/demo` lists everything. For real answers run **Cutaway: Choose Model…** or **Cutaway: Connect to a Service…**",
	);
}

/** One sentence; the chat view knows it by its end and offers to connect to a service below it. */
function answerPlainly(): DemoAnswer {
	return sayLines(
		"I am Cutaway's built-in **demo**, fixed rules and not a language model, so I cannot answer this.",
	);
}
