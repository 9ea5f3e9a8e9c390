/**
 * Answers as Markdown: text that grows is written as it comes, a finished block is drawn once by markdown-it.
 * In: text.
 * Out: elements made by our own hands; no HTML of an answer is ever parsed.
 */
export { type AnswerText, createFinishedAnswer, GrowingAnswer } from "./answer.ts";
