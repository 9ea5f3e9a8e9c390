import type { Hunk } from "./edits.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";

/** A document's text at one moment. */
export interface TextSnapshot {
	/** As the editor holds it, unsaved changes included, without a byte order mark. */
	readonly text: string;
	/** Of a notebook, its cells and outputs as a reader is told them in place of the text. */
	readonly cells?: string | undefined;
	readonly languageId: string;
	/** Notes for a reader: unsaved changes, its encoding, that it is a notebook (row U19). */
	readonly notes: readonly string[];
}

/** The document a user works in. */
export interface ActiveDocument extends TextSnapshot {
	/** The file whose text it shows, absolute; undefined for one that was never saved or is in no folder of this machine. */
	readonly path: string | undefined;
	/** The whole address of one that is neither in a folder of this machine nor new, such as of another extension. */
	readonly address?: string | undefined;
	/** Whether it is a mere view of that file, such as a cell of a notebook or an earlier version, which no edit can change. */
	readonly isView: boolean;
	/** As its tab shows it. */
	readonly name: string;
	/** The main selection, as offsets in UTF-16 code units; empty where only the cursor is. */
	readonly selection: { readonly start: number; readonly end: number };
}

/** A tab with a document in it. */
export interface OpenTab {
	readonly path: string | undefined;
	readonly name: string;
	readonly isActive: boolean;
	readonly isDirty: boolean;
}

/** A place in a file; lines and columns are counted from 1. */
export interface FileLocation {
	/** Absolute. */
	readonly path: string;
	readonly line: number;
	readonly column: number;
}

/** An error or a warning the editor shows. */
export interface Problem extends FileLocation {
	readonly severity: "error" | "warning" | "info" | "hint";
	readonly source: string;
	readonly message: string;
}

/** A symbol of a file, with those inside it deeper by one. */
export interface FileSymbol {
	readonly name: string;
	readonly kind: string;
	/** The line of its name. */
	readonly line: number;
	/** The first and the last line of all that belongs to it. */
	readonly first: number;
	readonly last: number;
	readonly depth: number;
}

/** Changes of one file as Git reports them. */
export interface FileDiff {
	/** Every name it has or had, absolute; none when they cannot be told. */
	readonly paths: readonly string[];
	readonly diff: string;
}

/** One file of a change that a call made, counted from 0 in its record. */
export interface MadeChange {
	readonly callId: string;
	readonly index: number;
}

/** One part of a change, and what it undoes if it undoes anything. All parts happen or none does (row U13). */
export type FileChange = PlainFileChange & { readonly undoes?: readonly MadeChange[] };

type PlainFileChange =
	| {
			readonly type: "edit";
			readonly target: PathTarget;
			/** The text the change was made for; any other means that the document moved on (row U11). */
			readonly before: string;
			readonly hunks: readonly Hunk[];
	  }
	| { readonly type: "create"; readonly target: PathTarget; readonly text: string }
	| { readonly type: "rename"; readonly from: PathTarget; readonly to: PathTarget }
	/** To the trash, where the file system has one. */
	| { readonly type: "delete"; readonly target: PathTarget }
	/** Makes a deleted file once more, byte by byte. */
	| { readonly type: "restore"; readonly target: PathTarget; readonly bytes: Uint8Array };

/** A question of a chat, below which something is that a tool began. */
export interface CallOrigin {
	readonly chatId: string;
	readonly turnId: string;
}

/** A question of the model to the user. */
export interface ModelQuestion {
	/** The call that asks it. */
	readonly callId: string;
	readonly text: string;
	/** Answers to choose from; the user may write another one. */
	readonly options: readonly string[];
}

/** A video as a tool asks for it. Interface §4.1. */
export interface ToolVideoRequest {
	readonly prompt: string;
	readonly duration?: number | undefined;
	readonly motionStrength?: number | undefined;
	/** Where its card is; a video without a place has none. */
	readonly askedBelow?: CallOrigin | undefined;
}

/** A web page as text, or the address it leads `to` instead. */
export type VisitedPage =
	{ readonly title: string; readonly text: string } | { readonly to: string };

/** A call of a tool that somebody else made, by the name the editor knows it by. */
export interface ExternalRequest {
	readonly name: string;
	readonly digest: string;
	readonly input: unknown;
}

/**
 * Editor as the tools need it. Paths that go in have passed every rule; what comes out is judged by them again. Failures
 * are `ToolFailure`, cancelled waits `AbortError`.
 */
export interface EditorActions {
	activeDocument(): ActiveDocument | undefined;
	openFiles(): readonly OpenTab[];
	/** The text of a file; the document's where one is open. Fails for what is not text or too large (row U14). */
	readText(target: PathTarget): Promise<TextSnapshot>;
	/** Absolute paths of files that match a glob, those the user excluded and those Git ignores left out; at most `limit`. */
	listFiles(glob: string, limit: number, signal: AbortSignal): Promise<readonly string[]>;
	/** The problems of a file, or of all. */
	problems(target: PathTarget | undefined): readonly Problem[];
	symbols(target: PathTarget): Promise<readonly FileSymbol[]>;
	references(target: PathTarget, line: number, column: number): Promise<readonly FileLocation[]>;
	/** Changes since the last commit, or staged for the next. */
	gitDiff(isStaged: boolean): Promise<readonly FileDiff[]>;
	/** Fails for a file that the editor keeps from being changed: read-only there, or open as a notebook. Rows U14, U19. */
	mustBeChangeable(target: PathTarget): void;
	/** Fails for a change that would lose characters when it is saved in its file's encoding. Row U14. */
	mustBeSavable(change: FileChange): Promise<void>;
	/**
	 * Makes a change as one undo step, all or nothing. Looks once more, right before, whether everything is as the change
	 * expects it, and fails as stale when it is not. Returns the labels of files whose change is in the editor alone,
	 * because saving them failed.
	 */
	change(changes: readonly FileChange[]): Promise<readonly string[]>;
	/** Shows a file, and selects lines, counted from 1. */
	open(
		target: PathTarget,
		startLine: number | undefined,
		endLine: number | undefined,
	): Promise<void>;
	/** Asks the user where the call is shown; undefined when they turn the question away. */
	ask(question: ModelQuestion, signal: AbortSignal): Promise<string | undefined>;
	/** What a video of so many seconds costs, or that it may, as a sentence; undefined where it is free. */
	videoCost(seconds: number | undefined): Promise<string | undefined>;
	/** Submits a video and returns its id. */
	generateVideo(request: ToolVideoRequest, signal: AbortSignal): Promise<string>;
	/** Asks for a public web page, once; where it leads is not followed. */
	readPage(address: string, signal: AbortSignal): Promise<VisitedPage>;
	/**
	 * Calls a tool of an MCP server or of another extension and returns its text. Fails where the tool is gone or no longer the one
	 * that `digest` stands for.
	 */
	callExternal(request: ExternalRequest, signal: AbortSignal): Promise<string>;
}
