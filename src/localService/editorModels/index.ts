/**
 * The engine that answers with the language models the editor has. Only the extension host can ask them.
 * In: a question in the form of OpenAI's requests.
 * Out: the parts of a completion, as from any server of models.
 */
export { EditorLink } from "./editorLink.ts";
