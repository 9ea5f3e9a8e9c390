import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { oneLine } from "../../common/shortText.ts";
import { defineTool } from "../contract/tool.ts";

const answered = "The user answered: ";

/** Returns the user's answer in a result of the tool, or undefined if there was none. */
export function answerIn(result: string): string | undefined {
	return result.startsWith(answered) ? result.slice(answered.length) : undefined;
}

export const askUser = defineTool({
	name: "ask_user",
	title: () => l10n.t("Ask a question"),
	description:
		"Asks the user a question in the chat and returns the answer. Give options to choose from, or none for free text. Use it when only the user can know.",
	effect: "question",
	schema: z.strictObject({
		question: z.string().check(z.minLength(1), z.maxLength(1000)),
		options: z.optional(
			z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(10)),
		),
	}),
	plan: ({ question, options }) => ({
		summary: l10n.t("Ask: {0}", oneLine(question)),
		run: async ({ editor, callId, signal }) => {
			const answer = await editor.ask({ callId, text: question, options: options ?? [] }, signal);
			return answer === undefined ? "The user did not answer." : `${answered}${answer}`;
		},
	}),
});
