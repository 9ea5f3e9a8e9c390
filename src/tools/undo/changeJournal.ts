import { isUtf8 } from "node:buffer";
import { Disposable } from "../../common/disposable.ts";
import { Emitter, type Event } from "../../common/emitter.ts";
import type { FileChange } from "../tool/editorActions.ts";
import { applyHunks } from "../tool/edits.ts";
import { readTarget } from "../tool/safeFile.ts";
import { ToolFailure } from "../tool/toolFailure.ts";
import type { JournalFolder } from "./journalFolder.ts";
import { type KeptChange, type KeptFile, standingChanges } from "./keptChange.ts";
import { missingFolders } from "./madeFolders.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";
import type { Clock } from "../../common/async.ts";

/** The largest text or file that is kept, in bytes; a change of a larger one is on record, but cannot be taken back. */
export const maxKeptBytes = 1024 * 1024;

/** Which call a change is made for. */
export interface JournalCall {
	readonly callId: string;
	readonly chatId: string;
}

/** A change's state, for whoever shows it. */
export interface JournaledChange extends JournalCall {
	readonly state: "applied" | "undone";
	/** Whether everything is kept that taking it back needs. */
	readonly isWhole: boolean;
}

/** Keeps the content of files before tools changed them, so that changes can be seen and undone (row U13). */
export class ChangeJournal extends Disposable {
	private readonly folder: JournalFolder;
	private readonly clock: Clock;
	private readonly changed = this.register(new Emitter<JournaledChange>());
	readonly onDidChange: Event<JournaledChange> = this.changed.event;

	/** Makes a journal; the disk is not touched before the first change. */
	constructor(folder: JournalFolder, clock: Clock) {
		super();
		this.folder = folder;
		this.clock = clock;
	}

	/** Resolves once the state before the changes is on disk; they have not been made yet. Rejects when it cannot be kept. */
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

	/** Says that the changes were made; `texts` are the files that were edited or made as they then are, by path. */
	made(call: JournalCall, texts: ReadonlyMap<string, string>): Promise<void> {
		return this.mark(call, kept => ({
			...kept,
			state: "applied",
			files: kept.files.map(file => withText(file, texts.get(file.path))),
		}));
	}

	/** Says that only these of the files were changed. */
	madeInPart(call: JournalCall, files: readonly KeptFile[]): Promise<void> {
		return this.mark(call, kept => ({ ...kept, state: "applied", files: [...files] }));
	}

	/** Says that nothing was changed. */
	dropped({ chatId, callId }: JournalCall): Promise<void> {
		return this.folder.remove(chatId, callId);
	}

	/** Says that the changes were taken back. */
	undone(call: JournalCall): Promise<void> {
		return this.mark(call, kept => ({ ...kept, state: "undone" }));
	}

	find({ chatId, callId }: JournalCall): Promise<KeptChange | undefined> {
		return this.folder.read(chatId, callId);
	}

	/** The changes of a chat in the order they were made; those that cannot be read are left out. */
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
			const { callId, chatId } = call;
			await this.folder.write(chatId, next);
			this.changed.fire({ callId, chatId, state: next.state, isWhole: isWhole(next) });
			const others = new Set(next.files.flatMap(({ undoes = [] }) => undoes.map(of => of.callId)));
			const all = others.size === 0 ? [] : await this.list(chatId);
			all.forEach(other => {
				if (others.has(other.callId) && other.state !== "started") {
					const state = stateOf(other, all);
					this.changed.fire({ callId: other.callId, chatId, state, isWhole: isWhole(other) });
				}
			});
		}
	}
}

/** Whether anything of a change that was made still stands, among all of the chat. */
export function stateOf(kept: KeptChange, all: readonly KeptChange[]): JournaledChange["state"] {
	const isStanding = isUndo(kept)
		? kept.state === "applied"
		: standingChanges(all).some(({ callId }) => callId === kept.callId);
	return isStanding ? "applied" : "undone";
}

/** Whether a change undoes others. */
export function isUndo({ files }: Pick<KeptChange, "files">): boolean {
	return files.some(({ undoes }) => undoes);
}

/** Whether everything is kept that taking a change back needs. */
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
			return { type: "edit", ...placeOf(target), before: capped(before), after };
		}
		case "create":
			return createdFile(change.target, capped(change.text));
		case "restore":
			return createdFile(change.target, isUtf8(change.bytes) ? capped(textOf(change.bytes)) : null);
		case "delete":
			return { type: "delete", ...placeOf(change.target), bytes: bytesOf(change.target) };
		case "rename": {
			const { from, to } = change;
			const madeFolders = missingFolders(to.path);
			return { type: "rename", ...placeOf(from), toLabel: to.label, toPath: to.path, madeFolders };
		}
	}
}

/** The text of a file as an editor holds it, without a byte order mark. */
function textOf(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes);
}

function createdFile(target: PathTarget, after: string | null): KeptFile {
	return { type: "create", ...placeOf(target), after, madeFolders: missingFolders(target.path) };
}

function placeOf({ label, path }: { readonly label: string; readonly path: string }) {
	return { label, path };
}

function capped(text: string): string | null {
	return Buffer.byteLength(text) <= maxKeptBytes ? text : null;
}

/** What cannot be read is deleted anyway, as the user allowed; the trash may have it. */
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

/** Saving may have formatted what was written; the text that is there is the one to compare with later. */
function withText(file: KeptFile, text: string | undefined): KeptFile {
	const isText = file.type === "edit" || (file.type === "create" && file.after !== null);
	return isText && text !== undefined ? { ...file, after: capped(text) } : file;
}
