import { charactersPerToken } from "../common/modelSetup.ts";
import { Coalescer } from "../common/async.ts";
import { Disposable, Emitter, type Event } from "../common/disposable.ts";
import { toError } from "../common/errors.ts";
import { findEntries, findEntry, type PathSearch } from "./addPaths.ts";
import type {
	Attachment,
	AttachmentState,
	AttachmentUse,
	TextBudget,
} from "./contract/attachment.ts";
import {
	type AttachmentLimits,
	defaultAttachmentLimits,
	type AddReport,
	type AttachedBytes,
	type AttachedText,
	type AttachmentTrayDependencies,
	type Preparation,
	type RenewalOptions,
} from "./contract/attachmentTray.ts";
import { inspectTextPath, resolveFolders } from "./files/inspect.ts";
import { openResolved } from "./files/openedFile.ts";
import { DocumentReadings } from "./documentReadings.ts";
import { TrayUploads } from "./trayUploads.ts";
import { prepareEntries } from "./preparation.ts";
import { Renewals } from "./renewals.ts";
import { bytesEntry, warningKey, idleState, textEntry, type TrayEntry } from "./trayEntry.ts";
import type { TurnAttachment } from "./contract/turnAttachment.ts";

const progressMs = 100;

/** The most chats that aren't shown to keep attachments for. */
const maxAside = 200;

/** Attachments of one message. */
export interface AttachmentDraft {
	entries: readonly TrayEntry[];
}

/** Attachments of the message being written in each chat, one of which is shown. Emits change events and has no UI. */
export class AttachmentTray extends Disposable {
	private readonly changed = this.register(new Emitter<void>(error => this.listenerFailed(error)));
	/** Fires after changes, during uploads at most ten times a second. */
	readonly onDidChange: Event<void> = this.changed.event;
	private readonly dependencies: AttachmentTrayDependencies;
	private readonly limits: AttachmentLimits;
	private readonly uploads: TrayUploads;
	private readonly documents: DocumentReadings;
	private readonly renewals: Renewals;
	private readonly progress: Coalescer;
	/** The shown message. What was begun for it is attached to it even after another one is shown. */
	draft: AttachmentDraft = { entries: [] };
	/** Those of other chats that have attachments. */
	private readonly others = new Map<string, AttachmentDraft>();

	constructor(dependencies: AttachmentTrayDependencies) {
		super();
		this.dependencies = dependencies;
		this.limits = { ...defaultAttachmentLimits, ...dependencies.limits };
		this.uploads = new TrayUploads(dependencies, this.limits, (entry, state) =>
			this.setState(entry, state),
		);
		this.documents = new DocumentReadings(dependencies, this.limits, (entry, state) =>
			this.setState(entry, state),
		);
		this.renewals = new Renewals(dependencies, this.uploads);
		this.progress = this.register(
			new Coalescer(progressMs, () => this.changed.fire(), dependencies.clock),
		);
	}

	/** In the order they were attached. */
	get attachments(): readonly Attachment[] {
		return this.entries.map(({ picture }) => picture);
	}

	private get entries(): readonly TrayEntry[] {
		return this.draft.entries;
	}

	private get drafts(): readonly AttachmentDraft[] {
		return [this.draft, ...this.others.values()];
	}

	/** The attachments of the chats that aren't shown. */
	get aside(): ReadonlyMap<string, readonly Attachment[]> {
		return new Map(
			[...this.others].map(([chat, { entries }]) => [chat, entries.map(({ picture }) => picture)]),
		);
	}

	/** Shows the attachments of the message in the chat `to` and keeps the shown ones for the chat `from`. */
	show(to: string, from: string): void {
		if (to === from) {
			return;
		}
		this.setAside(from);
		this.draft = this.others.get(to) ?? this.draft;
		this.others.delete(to);
		this.changed.fire();
	}

	/** Keeps the shown attachments for a chat that isn't shown. */
	setAside(chat: string): void {
		this.others.delete(chat);
		this.others.set(chat, this.draft);
		this.draft = { entries: [] };
		if (this.others.size > maxAside) {
			const all = [...this.others];
			const [oldest = chat, draft] =
				all.find(([, { entries }]) => entries.length === 0) ?? all[0] ?? [];
			draft?.entries.forEach(entry => this.stop(entry));
			this.others.delete(oldest);
		}
	}

	get budget(): TextBudget {
		return textBudgetOf(this.attachments, this.limits);
	}

	/** Attaches files, and the files of folders. A failure becomes an attachment in the state `failed`. Doesn't attach a file twice. Never throws. */
	async addPaths(paths: readonly string[], draft = this.draft): Promise<AddReport> {
		const { entries, folders } = await findEntries(paths, await this.search());
		const ids: string[] = [];
		let leftOut = 0;
		for (const entry of entries) {
			const id = this.add(entry, draft);
			if (id === undefined) {
				leftOut += 1;
			} else if (!ids.includes(id)) {
				ids.push(id);
			}
		}
		this.changed.fire();
		return { ids, folders, leftOut };
	}

	/** Attaches a text. Returns its id, or undefined if the limit is reached. */
	async addText(text: AttachedText, draft = this.draft): Promise<string | undefined> {
		const { workspaceFolders } = await this.search();
		const file =
			text.path === undefined ? undefined : await inspectTextPath(text.path, workspaceFolders);
		const id = this.add(textEntry(text, file), draft);
		this.changed.fire();
		return id;
	}

	/** Attaches bytes. Returns their id, or undefined if the limit is reached. */
	addBytes(bytes: AttachedBytes, draft = this.draft): string | undefined {
		const id = this.add(bytesEntry(bytes), draft);
		this.changed.fire();
		return id;
	}

	/** Records the user's consent to the current warnings of these attachments. */
	confirm(ids: readonly string[]): void {
		for (const entry of this.withIds(ids)) {
			entry.confirmed = new Set(entry.picture.concerns.map(warningKey));
			if (entry.picture.state.type === "needsConfirmation") {
				this.rest(entry);
			}
		}
		this.changed.fire();
	}

	/** Changes the use to one of `possibleUses`. Ignores any other. */
	setUse(id: string, use: AttachmentUse): void {
		for (const entry of this.withIds([id])) {
			if (entry.picture.possibleUses.includes(use) && entry.picture.use !== use) {
				entry.upload?.abort.abort();
				entry.upload = undefined;
				this.documents.cancel(entry);
				entry.picture = { ...entry.picture, use };
				this.rest(entry);
			}
		}
		this.changed.fire();
	}

	/** Removes attachments and cancels their uploads. */
	remove(ids: readonly string[]): void {
		const removed = this.withIds(ids);
		for (const draft of this.drafts) {
			draft.entries = draft.entries.filter(entry => !removed.includes(entry));
		}
		removed.forEach(entry => this.stop(entry));
		this.changed.fire();
	}

	clear(): void {
		this.remove(this.entries.map(({ id }) => id));
	}

	/** Uploads attachments for `codeInterpreter` without a message, as after a failure. Resolves when all have finished or failed. */
	async upload(ids: readonly string[]): Promise<void> {
		const entries = this.withIds(ids).filter(
			({ picture }) =>
				picture.use === "codeInterpreter" &&
				picture.state.type !== "needsConfirmation" &&
				picture.state.type !== "failed",
		);
		await Promise.all(entries.map(entry => this.uploads.upload(entry)));
	}

	/** Returns the bytes of an attached image of at most `maxBytes`; undefined for anything else, unreadable or without consent. */
	async imageBytes(id: string, maxBytes: number): Promise<Uint8Array | undefined> {
		const [entry] = this.withIds([id]);
		const { origin, picture } = entry ?? {};
		const isShown =
			picture?.mimeType.startsWith("image/") &&
			picture.size <= maxBytes &&
			!["needsConfirmation", "failed"].includes(picture.state.type);
		if (!isShown || origin?.type === "text") {
			return undefined;
		}
		if (origin?.type === "bytes") {
			return origin.bytes;
		}
		try {
			return origin?.resolved === undefined
				? undefined
				: await readWhole(origin.resolved, maxBytes);
		} catch {
			// Sending it reports the reason.
			return undefined;
		}
	}

	/** Returns the path of an attached file, with links resolved; undefined for anything else, or a file that wasn't found. */
	pathOf(id: string): string | undefined {
		const origin = this.withIds([id])[0]?.origin;
		return origin?.type === "path" ? origin.resolved : undefined;
	}

	/** Cancels an upload. The attachment is then `ready`. */
	cancel(id: string): void {
		this.withIds([id]).forEach(entry => entry.upload?.abort.abort());
	}

	/** Inspects a failed attachment again, and uploads it if the upload had failed. */
	async retry(id: string): Promise<void> {
		const [entry] = this.withIds([id]);
		if (entry?.picture.state.type !== "failed") {
			return;
		}
		const { hasUploadFailed } = entry;
		await this.lookAgain(entry);
		if (hasUploadFailed) {
			await this.upload([id]);
		}
	}

	/**
	 * Prepares the attachments for sending: reads texts and uploads the files that the current service doesn't have. `earlier` are the attachments of
	 * earlier turns, oldest first, set if `code_interpreter` will be on. Those the service lacks are uploaded again and included in the result. Throws
	 * only `AbortError`.
	 */
	async prepare({
		earlier = [],
		signal,
	}: {
		readonly earlier?: readonly TurnAttachment[];
		readonly signal?: AbortSignal;
	} = {}): Promise<Preparation> {
		const waiting = this.entries.filter(({ picture: { state } }) =>
			["needsConfirmation", "failed"].includes(state.type),
		);
		if (waiting.length > 0) {
			return { type: "blocked", ids: waiting.map(({ id }) => id) };
		}
		const prepared = await prepareEntries(this.entries, {
			limits: this.limits,
			unsavedText: this.dependencies.unsavedText,
			decode: this.dependencies.decode,
			uploads: this.uploads,
			documents: this.documents,
			signal,
			isAttached: entry => this.withIds([entry.id]).length > 0,
		});
		if (prepared.type === "blocked") {
			this.changed.fire();
			return prepared;
		}
		if (earlier.length === 0) {
			return prepared;
		}
		const carried = await this.renewals.changesOf(earlier, signal);
		return { type: "prepared", attachments: [...carried, ...prepared.attachments] };
	}

	/**
	 * Updates the attachments of a repeated message for the current service. Uploads missing files again if their content is unchanged, and turns others
	 * into `lostFile`. Returns the same list if nothing changed. Throws only `AbortError`.
	 */
	renew(
		attachments: readonly TurnAttachment[],
		options: RenewalOptions = {},
	): Promise<readonly TurnAttachment[]> {
		return this.renewals.renew(attachments, options);
	}

	override dispose(): void {
		this.drafts.forEach(({ entries }) => entries.forEach(entry => this.stop(entry)));
		super.dispose();
	}

	/** Adds an entry unless its file is attached. Returns its id, or undefined if the limit is reached. */
	private add(entry: TrayEntry, draft: AttachmentDraft): string | undefined {
		const { origin } = entry;
		const known = draft.entries.find(
			other =>
				origin.type === "path" &&
				other.origin.type === "path" &&
				(other.origin.resolved ?? other.origin.path) === (origin.resolved ?? origin.path),
		);
		if (known) {
			return known.id;
		}
		if (draft.entries.length >= this.limits.maxAttachments) {
			return undefined;
		}
		draft.entries = [...draft.entries, entry];
		if (entry.picture.state.type !== "failed") {
			this.rest(entry);
		}
		return entry.id;
	}

	/** Inspects a file again. The user's consent stays valid only for the same file and warnings. */
	private async lookAgain(entry: TrayEntry): Promise<void> {
		entry.hasUploadFailed = false;
		this.documents.cancel(entry);
		const { origin, picture } = entry;
		if (origin.type === "path") {
			const found = await findEntry(origin.path, await this.search(), picture.folder);
			const isSameFile = found.origin.type === "path" && found.origin.resolved === origin.resolved;
			entry.confirmed = isSameFile ? entry.confirmed : new Set();
			entry.origin = found.origin;
			const { possibleUses } = found.picture;
			const use = possibleUses.includes(picture.use) ? picture.use : found.picture.use;
			entry.picture = { ...found.picture, id: entry.id, use };
		}
		if (entry.picture.state.type !== "failed" || origin.type !== "path") {
			this.rest(entry);
		}
		this.changed.fire();
	}

	private rest(entry: TrayEntry): void {
		entry.picture = { ...entry.picture, state: idleState(entry, this.limits) };
		this.documents.start(entry);
	}

	private stop(entry: TrayEntry): void {
		entry.upload?.abort.abort();
		this.documents.cancel(entry);
	}

	private setState(entry: TrayEntry, state: AttachmentState): void {
		const isSameStep = isProgress(entry.picture.state, state);
		entry.picture = { ...entry.picture, state };
		if (!this.entries.includes(entry)) {
			return;
		}
		if (isSameStep) {
			this.progress.schedule();
		} else {
			this.changed.fire();
		}
	}

	private withIds(ids: readonly string[]): readonly TrayEntry[] {
		return this.drafts.flatMap(({ entries }) => entries.filter(({ id }) => ids.includes(id)));
	}

	private async search(): Promise<PathSearch> {
		const { workspaceFolders, excluded, decode } = this.dependencies;
		return {
			decode,
			workspaceFolders: await resolveFolders(workspaceFolders()),
			limits: this.limits,
			excluded: excluded ?? (() => Promise.resolve(new Set())),
		};
	}

	private listenerFailed(error: unknown): void {
		this.dependencies.log.error("A listener of the attachments failed", {
			error: toError(error).message,
		});
	}
}

/** Returns a file's content, or undefined if it is now larger than `maxBytes`. */
async function readWhole(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
	const file = await openResolved(path);
	try {
		return file.size <= maxBytes ? await file.handle.readFile() : undefined;
	} finally {
		await file.handle.close();
	}
}

/** Whether only the number of bytes changed. */
function isProgress(before: AttachmentState, after: AttachmentState): boolean {
	return before.type === "uploading" && after.type === "uploading"
		? before.retryInMs === after.retryInMs
		: before.type === after.type;
}

/** Estimates the amount of text at one character per byte, limited per attachment. A document counts once it was read. */
function textBudgetOf(
	attachments: readonly Pick<Attachment, "use" | "size" | "document">[],
	limits: Pick<AttachmentLimits, "maxTextCharacters" | "maxAllTextCharacters">,
): TextBudget {
	const characters = attachments
		.filter(({ use }) => use === "read")
		.map(({ size, document }) => (document ? (document.text?.text.length ?? 0) : size))
		.reduce((sum, length) => sum + Math.min(length, limits.maxTextCharacters), 0);
	return {
		characters,
		tokens: Math.ceil(characters / charactersPerToken),
		maxCharacters: limits.maxAllTextCharacters,
	};
}
