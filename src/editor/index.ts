/**
 * VS Code's documents as the chat and its tools see them: reading, searching, editing, problems, the selection.
 * In: targets that `src/paths` found, edits that the gate allowed.
 * Out: text, places, and whether an edit was made. Unsaved text counts as the file's text.
 */
export { unsavedText } from "./documents.ts";
export { EditPreviews } from "./editPreview.ts";
export { createEditorActions } from "./editorActions.ts";
export { gitFileDiff } from "./gitChanges.ts";
export { isIgnoredFile, readIgnoredFiles } from "./ignoredFiles.ts";
export { addressAt, addressIn, imageUrlsIn } from "./imageUrls.ts";
export { insertAtCursor } from "./insertText.ts";
export { namedFiles, openNamedFile } from "./namedFiles.ts";
export { problemsText } from "./problems.ts";
export { placeOf, selectedText, type SelectedText } from "./selection.ts";
export { decodeShown, decodeText } from "./textEncoding.ts";
export { readVirtualFile } from "./virtualFile.ts";
export {
	anyOf,
	excludedGlobs,
	labelInWorkspace,
	listWorkspaceFiles,
	openFiles,
	type WorkspaceFile,
	type WorkspaceFiles,
	workspacePaths,
} from "./workspaceFiles.ts";
