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
		"Without a model, and without anything leaving this machine, you can:",
		"",
		"- turn selected code, text or your last change into a **clip**: right-click, **Cutaway**, **Generate Video from Selection**;",
		"- see how an **edit** of a file is shown and approved: select some lines and ask me to show a sample edit;",
		"- run **Python** on a table or a picture: attach it with the paperclip and ask what is in it.",
		"",
		"Questions about code take a model. **Cutaway: Choose Model…** finds those on this machine, and lists providers.",
		"",
		capabilities,
	);
}

/** What the demo can do in place of an answer; the chat view recognizes it by its end, and offers that below it. */
const capabilities =
	"I can make a clip of your code, show a sample edit of what you select, or run Python on a table.";

function answerPlainly(): DemoAnswer {
	return sayLines(`No model is set up, so I can't read code. ${capabilities}`);
}
