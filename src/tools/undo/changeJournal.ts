import { isUtf8 } from "node:buffer";
import { ToolFailure } from "../../common/errors.ts";
import { Disposable, Emitter, type Event } from "../../common/disposable.ts";
import { changedRuns, linesOf } from "../codePlacement/lineChanges.ts";
import type { FileChange } from "../contract/editorActions.ts";
import { applyHunks } from "../contract/edits.ts";
import { readTarget } from "../contract/safeFile.ts";
import type { JournalFolder } from "./journalFolder.ts";
import { type KeptChange, type KeptFile, effectiveChanges, missingFolders } from "./keptChange.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";
import type { Clock } from "../../common/async.ts";

/** The largest text or file to store, in bytes. A larger change is recorded but can't be undone. */
export const maxKeptBytes = 1024 * 1024;

export interface JournalCall {
	readonly callId: string;
	readonly chatId: string;
}

export interface JournaledChange extends JournalCall {
	readonly state: "applied" | "undone";
	/** Whether everything needed to undo it was stored. */
	readonly isWhole: boolean;
	/** The lines it added to and removed from texts. Absent if they weren't recorded. */
	readonly counts?: { readonly added: number; readonly removed: number };
}

/** Stores the content of files before tools change them, for showing and undoing changes. */
export class ChangeJournal extends Disposable {
	private readonly folder: JournalFolder;
	private readonly clock: Clock;
	private readonly changed = this.register(new Emitter<JournaledChange>());
	readonly onDidChange: Event<JournaledChange> = this.changed.event;

	/** Accesses the disk only at the first change. */
	constructor(folder: JournalFolder, clock: Clock) {
		super();
		this.folder = folder;
		this.clock = clock;
	}

	/** Stores the state before the changes are made. Rejects if that fails. */
	begin({ callId, chatId }: JournalCall, changes: readonly FileChange[]): Promise<void> {
		return this.folder.write(chatId, {
			version: 1,
			callId,
			at: this.clock.now(),
			state: "started",
			files: changes.map(change => ({
				...keptFile(change),
				...(change.undoes ? { undoes: [...change.undoes] } : {}),
			})),
		});
	}

	/** Records that the changes were made. `texts` are the resulting texts of edited or created files, by path. */
	made(call: JournalCall, texts: ReadonlyMap<string, string>): Promise<void> {
		return this.mark(call, kept =>
			applied(
				kept,
				kept.files.map(file => withText(file, texts.get(file.path))),
			),
		);
	}

	madeInPart(call: JournalCall, files: readonly KeptFile[]): Promise<void> {
		return this.mark(call, kept => applied(kept, files));
	}

	/** Removes the entry of changes that weren't made. */
	dropped({ chatId, callId }: JournalCall): Promise<void> {
		return this.folder.remove(chatId, callId);
	}

	undone(call: JournalCall): Promise<void> {
		return this.mark(call, kept => ({ ...kept, state: "undone" }));
	}

	find({ chatId, callId }: JournalCall): Promise<KeptChange | undefined> {
		return this.folder.read(chatId, callId);
	}

	/** Lists the changes of a chat in order. Omits unreadable entries. */
	async list(chatId: string): Promise<readonly KeptChange[]> {
		return (await this.folder.list(chatId)).toSorted((a, b) => a.at - b.at);
	}

	private async mark(
		call: JournalCall,
		change: (kept: KeptChange) => KeptChange & Pick<JournaledChange, "state">,
	): Promise<void> {
		const kept = await this.find(call);
		if (kept) {
			const next = change(kept);
			const { chatId } = call;
			await this.folder.write(chatId, next);
			this.changed.fire(journaledChange(chatId, next, next.state));
			const others = new Set(next.files.flatMap(({ undoes = [] }) => undoes.map(of => of.callId)));
			const all = others.size === 0 ? [] : await this.list(chatId);
			all.forEach(other => {
				if (others.has(other.callId) && other.state !== "started") {
					this.changed.fire(journaledChange(chatId, other, stateOf(other, all)));
				}
			});
		}
	}
}

/** Describes a change and its effect. */
export function journaledChange(
	chatId: string,
	kept: KeptChange,
	state: JournaledChange["state"],
): JournaledChange {
	const { callId, counts } = kept;
	return { callId, chatId, state, isWhole: isWhole(kept), ...(counts ? { counts } : {}) };
}

/** Records that files were changed, with their lines counted once, because opening a chat reads the records of all its changes. */
function applied(
	kept: KeptChange,
	files: readonly KeptFile[],
): KeptChange & Pick<JournaledChange, "state"> {
	return { ...kept, state: "applied", files: [...files], counts: countLines(files) };
}

function countLines(files: readonly KeptFile[]): NonNullable<KeptChange["counts"]> {
	const counts = { added: 0, removed: 0 };
	for (const file of files) {
		const after = file.type === "edit" || file.type === "create" ? file.after : null;
		const before = file.type === "edit" ? file.before : "";
		if (before !== null && after !== null) {
			for (const run of changedRuns(linesOf(before), linesOf(after))) {
				counts.removed += run.end - run.start;
				counts.added += run.freshEnd - run.freshStart;
			}
		}
	}
	return counts;
}

/** Determines whether any part of a change is still in effect, among all changes of the chat. */
export function stateOf(kept: KeptChange, all: readonly KeptChange[]): JournaledChange["state"] {
	const isInEffect = isUndo(kept)
		? kept.state === "applied"
		: effectiveChanges(all).some(({ callId }) => callId === kept.callId);
	return isInEffect ? "applied" : "undone";
}

/** Whether a change undoes others. */
export function isUndo({ files }: Pick<KeptChange, "files">): boolean {
	return files.some(({ undoes }) => undoes);
}

/** Whether everything needed to undo a change was stored. */
export function isWhole({ files }: Pick<KeptChange, "files">): boolean {
	return files.every(file => {
		switch (file.type) {
			case "edit":
				return file.before !== null && file.after !== null;
			case "create":
				return file.after !== null;
			case "delete":
				return file.bytes !== null;
			case "rename":
				return true;
		}
	});
}

function keptFile(change: FileChange): KeptFile {
	switch (change.type) {
		case "edit": {
			const { target, before, hunks } = change;
			const after = capped(applyHunks(before, hunks));
			return { type: "edit", ...labelAndPath(target), before: capped(before), after };
		}
		case "create":
			return createdFile(change.target, capped(change.text));
		case "restore":
			return createdFile(
				change.target,
				isUtf8(change.bytes) ? capped(decodedText(change.bytes)) : null,
			);
		case "delete":
			return { type: "delete", ...labelAndPath(change.target), bytes: bytesOf(change.target) };
		case "rename": {
			const { from, to } = change;
			const madeFolders = missingFolders(to.path);
			return {
				type: "rename",
				...labelAndPath(from),
				toLabel: to.label,
				toPath: to.path,
				madeFolders,
			};
		}
	}
}

function decodedText(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes);
}

function createdFile(target: PathTarget, after: string | null): KeptFile {
	return {
		type: "create",
		...labelAndPath(target),
		after,
		madeFolders: missingFolders(target.path),
	};
}

function labelAndPath({ label, path }: { readonly label: string; readonly path: string }) {
	return { label, path };
}

function capped(text: string): string | null {
	return Buffer.byteLength(text) <= maxKeptBytes ? text : null;
}

/** An unreadable file is still deleted, as the user allowed; it may be in the trash. */
function bytesOf(target: Parameters<typeof readTarget>[0]): string | null {
	try {
		const bytes = readTarget(target);
		return bytes.length <= maxKeptBytes ? Buffer.from(bytes).toString("base64") : null;
	} catch (error) {
		if (error instanceof ToolFailure) {
			return null;
		}
		throw error;
	}
}

/** Stores the text after saving, which may have formatted it, for later comparison. */
function withText(file: KeptFile, text: string | undefined): KeptFile {
	const isText = file.type === "edit" || (file.type === "create" && file.after !== null);
	return isText && text !== undefined ? { ...file, after: capped(text) } : file;
}
