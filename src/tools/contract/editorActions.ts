import type { DocumentOrder } from "../../documents/documentText.ts";
import type { Hunk } from "./edits.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";

export interface TextSnapshot {
	/** The editor's text with unsaved changes, without a byte order mark. */
	readonly text: string;
	/** A notebook's cells and outputs as a text for readers. */
	readonly cells?: string | undefined;
	readonly languageId: string;
	/** Notes for readers: unsaved changes, the encoding, or that it is a notebook. */
	readonly notes: readonly string[];
}

export interface ActiveDocument extends TextSnapshot {
	/** Absolute path of its file; undefined if it was never saved or isn't on this machine. */
	readonly path: string | undefined;
	/** URI of a document that is neither on this machine nor new, such as one of another extension. */
	readonly address?: string | undefined;
	/** Whether it is a view that can't be edited, such as a notebook cell or an earlier version. */
	readonly isView: boolean;
	readonly name: string;
	/** The main selection in UTF-16 code units; empty for a cursor. */
	readonly selection: { readonly start: number; readonly end: number };
}

export interface OpenTab {
	readonly path: string | undefined;
	readonly name: string;
	readonly isActive: boolean;
	readonly isDirty: boolean;
}

/** A position in a file. Line and column are counted from 1. */
export interface FileLocation {
	/** Absolute. */
	readonly path: string;
	readonly line: number;
	readonly column: number;
}

export interface Problem extends FileLocation {
	readonly severity: "error" | "warning" | "info" | "hint";
	readonly source: string;
	readonly message: string;
}

/** A symbol of a file. Children have a greater depth. */
export interface FileSymbol {
	readonly name: string;
	readonly kind: string;
	/** The line of its name. */
	readonly line: number;
	/** The first and last line of its declaration. */
	readonly first: number;
	readonly last: number;
	readonly depth: number;
}

export interface FileDiff {
	/** All its names, current and former, absolute; empty if unknown. */
	readonly paths: readonly string[];
	readonly diff: string;
}

/** A file of a change made by a tool call; `index` counts from 0. */
export interface MadeChange {
	readonly callId: string;
	readonly index: number;
}

/** A part of a change, and what it undoes. A change is applied completely or not at all. */
export type FileChange = PlainFileChange & { readonly undoes?: readonly MadeChange[] };

type PlainFileChange =
	| {
			readonly type: "edit";
			readonly target: PathTarget;
			/** The text for which the change was made. If it differs, the document has changed. */
			readonly before: string;
			readonly hunks: readonly Hunk[];
	  }
	| { readonly type: "create"; readonly target: PathTarget; readonly text: string }
	| { readonly type: "rename"; readonly from: PathTarget; readonly to: PathTarget }
	/** Moves to the trash, if the file system has one. */
	| { readonly type: "delete"; readonly target: PathTarget }
	/** Creates a deleted file again with its bytes. */
	| { readonly type: "restore"; readonly target: PathTarget; readonly bytes: Uint8Array };

/** The chat question for which a tool started something. */
export interface CallOrigin {
	readonly chatId: string;
	readonly turnId: string;
}

export interface ModelQuestion {
	readonly callId: string;
	readonly text: string;
	/** Suggested answers; the user may write another. */
	readonly options: readonly string[];
}

/** A video requested by a tool. docs/interface.md §4.1. */
export interface ToolVideoRequest {
	readonly prompt: string;
	readonly duration?: number | undefined;
	readonly motionStrength?: number | undefined;
	/** The question below which its card is shown; without it there is no card. */
	readonly askedBelow?: CallOrigin | undefined;
}

/** A web page as text, or the redirect target `to`. */
export type VisitedPage =
	{ readonly title: string; readonly text: string } | { readonly to: string };

/** A call of another extension's or server's tool, by its name in the editor. */
export interface ExternalRequest {
	/** The chat that calls. What the tool returns beside its text goes with it. */
	readonly chatId: string;
	readonly name: string;
	readonly digest: string;
	readonly input: unknown;
}

/**
 * The editor as used by the tools. Paths passed in have been checked; paths returned must be checked again. Failures are `ToolFailure`, cancellations
 * `AbortError`.
 */
export interface EditorActions {
	activeDocument(): ActiveDocument | undefined;
	openFiles(): readonly OpenTab[];
	/** Returns the text of a file, or of its open document. Fails if it isn't text or is too large. */
	readText(target: PathTarget): Promise<TextSnapshot>;
	/** Returns a document such as a PDF as text of up to `maxCharacters`. Fails if it can't be read or has no such part. */
	readDocument(
		target: PathTarget,
		order: Pick<DocumentOrder, "kind" | "part" | "maxCharacters">,
		signal: AbortSignal,
	): Promise<string>;
	/** Returns up to `limit` absolute paths that match a glob, without files that the user excluded or Git ignores. */
	listFiles(glob: string, limit: number, signal: AbortSignal): Promise<readonly string[]>;
	problems(target: PathTarget | undefined): readonly Problem[];
	symbols(target: PathTarget): Promise<readonly FileSymbol[]>;
	references(target: PathTarget, line: number, column: number): Promise<readonly FileLocation[]>;
	/** Returns the changes since the last commit, or those staged for the next. */
	gitDiff(isStaged: boolean, signal: AbortSignal): Promise<readonly FileDiff[]>;
	/** Fails if the editor can't change a file: it is read-only, or open as a notebook. */
	mustBeChangeable(target: PathTarget): void;
	/** Fails if a change would lose text: unsaved changes of a deleted file, or characters that a file's encoding lacks. */
	mustBeSavable(change: FileChange): Promise<void>;
	/**
	 * Applies a change as one undo step, completely or not at all. Checks the expected state again immediately before, and fails as stale if it differs.
	 * Returns the labels of files that are changed in the editor but couldn't be saved.
	 */
	change(changes: readonly FileChange[]): Promise<readonly string[]>;
	/** Opens a file and selects lines, counted from 1. */
	open(
		target: PathTarget,
		startLine: number | undefined,
		endLine: number | undefined,
	): Promise<void>;
	/** Asks the user. Resolves to undefined if the user dismisses the question. */
	ask(question: ModelQuestion, signal: AbortSignal): Promise<string | undefined>;
	/** Returns a sentence about the price of a video, or undefined if it is free. */
	videoCost(seconds: number | undefined): Promise<string | undefined>;
	/** Returns the shape of a video generated now, such as “16:9”; undefined if its service or engine chooses it. */
	videoShape(): string | undefined;
	generateVideo(request: ToolVideoRequest, signal: AbortSignal): Promise<string>;
	/** Loads a public web page without following redirects. */
	readPage(address: string, signal: AbortSignal): Promise<VisitedPage>;
	/** Calls a tool of an MCP server or another extension and returns its text. Fails if the tool is missing or no longer matches `digest`. */
	callExternal(request: ExternalRequest, signal: AbortSignal): Promise<string>;
}
