import { openAtLines, problemsText, targetUri } from "../../editor/workspaceFiles.ts";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { StoredValue } from "../base/keptValue.ts";
import type {
	AddReport,
	AttachedText,
	RenewalOptions,
	ReturnedImage,
} from "../../attachments/contract/attachmentTray.ts";
import type {
	Attachment,
	AttachmentUse,
	TextSource,
} from "../../attachments/contract/attachment.ts";
import type { AttachmentDraft, AttachmentTray } from "../../attachments/tray.ts";
import type { TurnAttachment } from "../../attachments/contract/turnAttachment.ts";
import { type Clock, Coalescer, untilAborted } from "../../common/async.ts";
import { Disposable, Emitter, type Event } from "../../common/disposable.ts";
import type { Log } from "../../common/log.ts";
import { type SelectedText } from "../../editor/selection.ts";
import { readVirtualFile } from "../../editor/documents.ts";
import { type AttachmentsView, maxPicturedImageBytes } from "../../shared/attachments.ts";
import { showText } from "../base/commands.ts";
import { type NamedText, type FetchPage, readPageWithProgress } from "./attachPage.ts";
import { askForConsent, sayWhatIsMissing, showHiddenText } from "./attachmentDialogs.ts";
import {
	type AttachmentOrigin,
	DraftContents,
	keepAttachments,
	restoreAttachments,
	type RecentFiles,
	ReturnedImages,
} from "./attachmentMemory.ts";
import { selectionName, ShownSelection } from "./attachmentOffers.ts";
import { type TransferredFile, attachmentsView } from "./attachmentView.ts";
import { reachableFiles, renewAttachments } from "./renewAttachments.ts";
import { type ChatSettings, composerView } from "../composer/chatSettings.ts";
import { isAskedLocally, type Settings } from "../base/settings.ts";

export interface ChatAttachmentsDependencies {
	readonly tray: AttachmentTray;
	readonly settings: Settings & Pick<ChatSettings, "choose">;
	readonly memory: StoredValue;
	/** Folder for pasted images and long texts of the draft. Undefined in a window without a workspace, where a reload loses them. */
	readonly contentsFolder: string | undefined;
	readonly log: Log;
	readonly recent: Pick<RecentFiles, "uris" | "add">;
	readonly offersSelection?: boolean;
	readonly readPage: FetchPage;
	readonly chooseChat: () => Promise<(() => Promise<NamedText>) | undefined>;
	readonly readChanges: () => Promise<NamedText>;
	readonly clock: Clock;
}

/** Delay between a change of the draft's attachments and storing them, in milliseconds. */
const keepAfterMs = 300;

/** A chat, and whether it has questions. */
interface DraftOwner {
	readonly chatId: string;
	readonly isAsked: boolean;
}

function draftKey({ chatId, isAsked }: DraftOwner): string {
	return isAsked ? chatId : "";
}

/** The attachments of the messages being written, one for each chat. */
export class ChatAttachments extends Disposable {
	private readonly changed = this.register(new Emitter<AttachmentsView>());
	readonly recent: Pick<RecentFiles, "uris" | "add">;
	private readonly dependencies: Pick<
		ChatAttachmentsDependencies,
		"readPage" | "chooseChat" | "readChanges"
	>;
	private readonly tray: AttachmentTray;
	private readonly settings: ChatAttachmentsDependencies["settings"];
	private readonly origins = new Map<string, AttachmentOrigin>();
	private readonly contents: DraftContents;
	private readonly returned: ReturnedImages;
	private readonly keep;
	private readonly selection: ShownSelection | undefined;
	/** Attachments of the message being sent. Others are for the next one. */
	going: readonly string[] = [];
	/** The number of steps that are preparing or recording a message. */
	private sending = 0;
	/** What is being read for the message. */
	private readonly readings = new Set<Promise<unknown>>();
	private neededTools = false;
	readonly onDidChange: Event<AttachmentsView> = this.changed.event;

	/** Creates the composer's attachments and restores those of the draft from before a reload. */
	static async create(dependencies: ChatAttachmentsDependencies): Promise<ChatAttachments> {
		const attachments = new ChatAttachments(dependencies);
		const { tray, memory } = dependencies;
		await restoreAttachments(tray, memory, attachments.contents, (ids, origin) =>
			attachments.remember(ids, origin),
		);
		attachments.register(dependencies.tray.onDidChange(() => attachments.trayChanged()));
		return attachments;
	}

	private constructor(dependencies: ChatAttachmentsDependencies) {
		super();
		const { tray, settings, memory, recent, clock, offersSelection } = dependencies;
		this.contents = new DraftContents(dependencies.contentsFolder, dependencies.log);
		this.dependencies = dependencies;
		this.recent = recent;
		this.tray = this.register(tray);
		this.returned = new ReturnedImages(tray);
		this.settings = settings;
		const keep = (): void =>
			keepAttachments(tray, id => this.origins.get(id), memory, this.contents);
		this.keep = this.register(new Coalescer(keepAfterMs, keep, clock));
		this.register(settings.onDidChange(() => this.trayChanged()));
		if (offersSelection) {
			this.selection = this.register(new ShownSelection(clock));
			this.register(this.selection.onDidChange(() => this.changed.fire(this.view())));
		}
	}

	/** Whether something is being read that the next message will wait for. */
	get isReading(): boolean {
		return this.readings.size > 0;
	}

	/** Returns everything to be sent with the next message. */
	view(): AttachmentsView {
		const { tray } = this;
		const { model, models, canUseServerTools } = composerView(this.settings);
		const modelWithTools = models.find(name => name !== model && name.includes("tools")) ?? null;
		return attachmentsView(tray, {
			modelWithTools: canUseServerTools ? null : modelWithTools,
			maySeeImages: isAskedLocally(this.settings, model),
			isSending: this.sending > 0,
			canOpen: id => this.origins.get(id)?.type === "text" || tray.pathOf(id) !== undefined,
			selection: this.selection?.current && selectionName(this.selection.current),
		});
	}

	/** Attaches the selection that the composer offers, if there still is one. */
	async addShownSelection(): Promise<void> {
		this.selection?.look();
		if (this.selection?.current) {
			await this.addSelection(this.selection.current);
		}
	}

	/** Attaches files and folders; sending waits for them. Asks about files that may contain secrets or are outside the workspace. */
	async addUris(uris: readonly vscode.Uri[]): Promise<void> {
		await this.whileSendingWaits(this.addPaths(uris));
	}

	private async addPaths(uris: readonly vscode.Uri[]): Promise<void> {
		const reports: AddReport[] = [];
		const { draft } = this.tray;
		for (const uri of uris) {
			if (uri.scheme === "file") {
				const report = await this.tray.addPaths([uri.fsPath], draft);
				this.remember(report.ids, { type: "path", path: uri.fsPath });
				reports.push(report);
				this.recent.add(uri.toString());
			} else {
				this.addBytes(await readVirtualFile(uri), draft);
			}
		}
		await this.settle(reports.flatMap(({ ids }) => ids));
		sayWhatIsMissing(reports);
	}

	async addSelection(selection: SelectedText): Promise<void> {
		const uri = vscode.Uri.parse(selection.uri);
		const document = vscode.workspace.textDocuments.find(
			candidate => candidate.uri.toString() === selection.uri,
		);
		await this.addText({
			name: selectionName(selection),
			text: selection.text,
			...(uri.scheme === "file" ? { path: uri.fsPath } : {}),
			...(document ? { language: document.languageId } : {}),
			lines: { first: selection.startLine + 1, last: selection.endLine + 1 },
		});
	}

	async addProblems(): Promise<void> {
		const { text, count } = problemsText(vscode.languages.getDiagnostics());
		if (count === 0) {
			throw new Error(l10n.t("There are no problems to attach."));
		}
		await this.addText({ name: "problems", text, source: "problems" });
	}

	/** Attaches a web page's text, read now; sending waits for it. Throws an error with a message for the user if there is no page. */
	async addPage(address: string): Promise<void> {
		const page = readPageWithProgress(this.dependencies.readPage, address);
		const { draft } = this.tray;
		await this.whileSendingWaits(page.then(read => this.addNamed(read, "page", draft)));
	}

	/** Attaches an earlier chat; sending waits for it once the user has chosen it. */
	async addChat(): Promise<void> {
		const { draft } = this.tray;
		const read = await this.dependencies.chooseChat();
		if (read) {
			await this.whileSendingWaits(read().then(chat => this.addNamed(chat, "chat", draft)));
		}
	}

	/** Attaches the uncommitted changes; sending waits for them. Throws an error with a message for the user if there are none. */
	async addChanges(): Promise<void> {
		const changes = this.dependencies.readChanges();
		const { draft } = this.tray;
		await this.whileSendingWaits(
			changes.then(read => this.addText({ ...read, language: "diff", source: "changes" }, draft)),
		);
	}

	private async whileSendingWaits<T>(reading: Promise<T>): Promise<T> {
		this.readings.add(reading);
		return await reading.finally(() => this.readings.delete(reading));
	}

	/** Opens an attachment's file at the attached lines. Shows a text without a file as it will be sent. */
	async open(id: string): Promise<void> {
		const origin = this.origins.get(id);
		const text = origin?.type === "text" ? origin.text : undefined;
		const path = text?.path ?? this.tray.pathOf(id);
		if (path !== undefined) {
			await openAtLines(targetUri({ path }), text?.lines?.first, text?.lines?.last);
		} else if (text) {
			await showText(text.name, text.text);
		}
	}

	private async addNamed(
		named: NamedText | undefined,
		source: TextSource,
		draft: AttachmentDraft,
	): Promise<void> {
		if (named) {
			await this.addText({ ...named, language: "markdown", source }, draft);
		}
	}

	/** Attaches the attachments of an earlier question again, for editing and sending it. */
	async addAgain(attachments: readonly TurnAttachment[]): Promise<void> {
		const uris: vscode.Uri[] = [];
		for (const attachment of attachments) {
			if (attachment.kind === "text") {
				const { name, text, language, lines, source, path } = attachment;
				const address = source === "page" ? path : undefined;
				await this.addText({ name, text, language, lines, source, address });
			} else if (attachment.kind === "file" && attachment.resolvedPath !== undefined) {
				uris.push(vscode.Uri.file(attachment.resolvedPath));
			}
		}
		await this.addUris(uris);
	}

	addBytes(file: TransferredFile, draft = this.tray.draft): void {
		const id = this.tray.addBytes(file, draft);
		if (id === undefined) {
			throw tooManyAttachments();
		}
		this.remember([id], { type: "bytes", file });
	}

	/** Resolves when the draft's attachments are kept for a reload. */
	async kept(): Promise<void> {
		this.keep.flushNow();
		await this.contents.settled();
	}

	/** Attaches an image that a tool returned to the next message of the chat that called. */
	addReturned(image: ReturnedImage): void {
		if (!this.returned.add(image)) {
			throw tooManyAttachments();
		}
	}

	/**
	 * Shows the attachments of a chat's next message. Those of the chat that was left, and images that tools returned in other chats, wait for those.
	 * Chats without questions share theirs, as they share their text.
	 */
	showChat(shown: DraftOwner, left?: DraftOwner): void {
		if (left) {
			this.tray.show(draftKey(shown), draftKey(left));
			// What a chat switched off stays so when it is shown.
			this.neededTools = this.needsTools();
		}
		this.returned.show(shown.chatId);
	}

	async confirm(id: string): Promise<void> {
		const attachment = this.find(id);
		if (attachment?.state.type === "needsConfirmation" && (await askForConsent([attachment]))) {
			this.tray.confirm([id]);
		}
	}

	async showHidden(id: string): Promise<void> {
		const attachment = this.find(id);
		if (attachment) {
			await showHiddenText(attachment);
		}
	}

	/** Returns an attached image as base64; null if it can't be shown. */
	async image(id: string): Promise<string | null> {
		const bytes = await this.tray.imageBytes(id, maxPicturedImageBytes);
		return bytes ? Buffer.from(bytes).toString("base64") : null;
	}

	remove(ids: readonly string[]): void {
		this.tray.remove(ids);
	}

	/** Inspects a failed attachment again, and uploads it again if that failed. */
	async retry(id: string): Promise<void> {
		await this.tray.retry(id);
	}

	setUse(ids: readonly string[], use: AttachmentUse): void {
		ids.forEach(id => this.tray.setUse(id, use));
	}

	/** Marks a message as being sent until `step` ends. A page that is reloaded meanwhile reads the mark and keeps the message. */
	async whileSending<T>(step: () => Promise<T>): Promise<T> {
		this.setSending(true);
		try {
			return await step();
		} finally {
			this.setSending(false);
		}
	}

	/** Reads and uploads all attachments, or throws the reason; then nothing was sent. Throws `AbortError` if stopped. */
	async prepare(
		earlier: readonly TurnAttachment[],
		signal: AbortSignal,
	): Promise<readonly TurnAttachment[]> {
		this.setSending(true);
		try {
			await untilAborted(Promise.all(this.readings), signal);
			await this.settle(this.tray.attachments.map(({ id }) => id));
			this.refuseWithoutTools();
			this.going = this.tray.attachments.map(({ id }) => id);
			const reachable = reachableFiles(earlier, this.settings, this.needsTools());
			let result = await this.tray.prepare({ earlier: reachable, signal });
			// Reading may have revealed a secret.
			const isAsking = ({ id, state }: Attachment): boolean =>
				this.going.includes(id) && state.type === "needsConfirmation";
			if (result.type === "blocked" && this.tray.attachments.some(isAsking)) {
				await this.settle(result.ids);
				result = await this.tray.prepare({ earlier: reachable, signal });
			}
			if (result.type === "prepared") {
				return result.attachments;
			}
			throw new Error(blockedSentence(result.ids.flatMap(id => this.find(id)?.name ?? [])));
		} finally {
			this.setSending(false);
		}
	}

	/** Renews the attachments of a question that is asked again. Throws like `renewAttachments`. */
	async renew(
		attachments: readonly TurnAttachment[],
		options: Required<RenewalOptions>,
	): Promise<readonly TurnAttachment[]> {
		this.setSending(true);
		try {
			const earlier = reachableFiles(options.earlier, this.settings, this.needsTools());
			return await renewAttachments(this.tray, attachments, { ...options, earlier });
		} finally {
			this.setSending(false);
		}
	}

	clear(): void {
		this.tray.remove(this.going);
	}

	/** Attaches a text without a file; sending waits for it. Returns its id, or undefined if the user declined. Throws if too much is attached. */
	async addText(text: AttachedText, draft = this.tray.draft): Promise<string | undefined> {
		return await this.whileSendingWaits(this.addAndSettle(text, draft));
	}

	private async addAndSettle(
		text: AttachedText,
		draft: AttachmentDraft,
	): Promise<string | undefined> {
		const id = await this.tray.addText(text, draft);
		if (id === undefined) {
			throw tooManyAttachments();
		}
		this.remember([id], { type: "text", text });
		await this.settle([id]);
		return this.find(id)?.id;
	}

	/** Asks for the consent that attachments need. Removes those without it. */
	private async settle(ids: readonly string[]): Promise<void> {
		const waiting = this.tray.attachments.filter(
			({ id, state }) => ids.includes(id) && state.type === "needsConfirmation",
		);
		const waitingIds = waiting.map(({ id }) => id);
		if (await askForConsent(waiting)) {
			this.tray.confirm(waitingIds);
		} else {
			this.tray.remove(waitingIds);
		}
	}

	private refuseWithoutTools(): void {
		const { canUseServerTools } = composerView(this.settings);
		if (!canUseServerTools && this.needsTools()) {
			throw new Error(
				l10n.t("This model can't open files. Choose another model, or remove the files."),
			);
		}
	}

	private needsTools(): boolean {
		return this.tray.attachments.some(({ use }) => use === "codeInterpreter");
	}

	private find(id: string): Attachment | undefined {
		return this.tray.attachments.find(attachment => attachment.id === id);
	}

	private remember(ids: readonly string[], origin: AttachmentOrigin): void {
		ids.filter(id => !this.origins.has(id)).forEach(id => this.origins.set(id, origin));
	}

	private setSending(isSending: boolean): void {
		this.sending += isSending ? 1 : -1;
		this.trayChanged();
	}

	private trayChanged(): void {
		this.turnToolsOn();
		this.keep.schedule();
		this.changed.fire(this.view());
	}

	/** Enables the code interpreter in this chat when a file for it is attached, unless the user has disabled it again. */
	private turnToolsOn(): void {
		const { canUseServerTools, codeInterpreter } = composerView(this.settings);
		const needsTools = canUseServerTools && this.needsTools();
		if (needsTools && !this.neededTools && !codeInterpreter) {
			const tools = this.settings.get("chat.serverTools");
			// If this fails, the request enables it because of its files.
			this.settings
				.choose("chat.serverTools", [...tools, "code_interpreter"])
				.catch(() => undefined);
		}
		this.neededTools = needsTools;
	}
}

function tooManyAttachments(): Error {
	return new Error(l10n.t("This message has the maximum number of attachments."));
}

/** The most attachments that the message about blocked ones names. */
const maxNamed = 3;

/** Returns the message about attachments with these names that prevented sending. */
function blockedSentence(names: readonly string[]): string {
	const rest = names.length - maxNamed;
	const shown = [...names.slice(0, maxNamed), ...(rest > 0 ? [l10n.t("and {0} more", rest)] : [])];
	return l10n.t("Not sent: {0} couldn't be attached. See above.", shown.join(", "));
}
