/**
 * The conversation: its state, its messages, versions and edits of questions.
 * In: changes from the host.
 * Out: the DOM nodes that changed, and actions.
 */
export { handleAnswerClicks } from "./answerClicks.ts";
export { Answers } from "./answers.ts";
export { type CodeBlockMoveDependencies, moveToCodeBlock } from "./codeBlockMoves.ts";
export { ConversationCopy, type ConversationListener } from "./conversation.ts";
export { copyAcrossGaps } from "./copyAcross.ts";
export { type CollapsedAnswers, createCollapsedAnswers } from "./longAnswer.ts";
export type { MessageDependencies } from "./message.ts";
export { renderMessageList, renderTurn } from "./messageList.ts";
export { QuestionEdits } from "./questionEdits.ts";
export { isAnswering, isBusy } from "./state.ts";
export { VersionAnchor } from "./versions.ts";
