/**
 * A chat as Markdown to read and as JSON to take along, and chats made from such a file.
 * In: the records of a chat, or a file that anyone may have written.
 * Out: text, or a new chat within the limits of an import.
 */
export {
	type ChatCopyDependencies,
	duplicateChat,
	type DuplicateOptions,
	exportJson,
	exportMarkdown,
	importChat,
} from "./chatCopies.ts";
export { ChatImportError } from "./chatExport.ts";
