/**
 * The text that is being written: draft, earlier messages, mentions and commands in it.
 * In: keys, and the memory of the view.
 * Out: the draft. It outlives the page.
 */
export { Draft, describeFailure } from "./draft.ts";
export { InputHistory } from "./inputHistory.ts";
export { completeMention, type Mention, mentionAt } from "./mention.ts";
export { asCommand, asWritten, isCommand, slashAt } from "./slashText.ts";
