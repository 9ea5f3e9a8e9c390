import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../../common/async.ts";
import { assertNever } from "../../common/errors.ts";
import { withoutHidden } from "../../common/hiddenText.ts";
import { insertAtCursor } from "../../editor/applyChanges.ts";
import { namedFiles, openNamedFile } from "../../editor/workspaceFiles.ts";
import type { attachmentRequests } from "../../shared/attachments.ts";
import type { ChatRequests } from "../../shared/chat.ts";
import type { queueRequests } from "../../shared/queue.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import type { VideoAction } from "../../shared/videoCard.ts";
import { addedAddresses } from "../../shared/webAddresses.ts";
import type { JobOrigin } from "../../video/job/videoJob.ts";
import { AttachmentOffers, type OfferedThing } from "../attachments/attachmentOffers.ts";
import { pickAttachment } from "../attachments/attachmentPick.ts";
import { AttachmentTransfers } from "../attachments/attachmentView.ts";
import type { ChatAttachments } from "../attachments/chatAttachments.ts";
import type { ChatController } from "../chat/chatController.ts";

/** Creates the handlers of actions on questions, answers and tool calls. `controller` returns that of the shown chat. */
export function turnHandlers(controller: () => Promise<ChatController>) {
	const ask = async (use: (chat: ChatController) => unknown): Promise<void> => {
		await use(await controller());
	};
	return {
		duplicateChat: ({ turnId }) => ask(chat => chat.duplicate(turnId)),
		retryTurn: ({ turnId, model }) => ask(({ again }) => again.retry(turnId, model)),
		editQuestion: ({ turnId, text, without }) =>
			ask(chat => {
				chat.noteTyped(addedAddresses(chat.sourceOf(turnId, -1), text));
				return chat.again.edit(turnId, text, without);
			}),
		showVersion: ({ turnId, step }) => ask(({ again }) => again.showVersion(turnId, step)),
		runAction: ({ turnId, action }) => ask(({ again }) => again.runAction(turnId, action)),
		answerTool: answer => ask(({ tools }) => tools.cards.answer(answer)),
		showProposal: place => ask(({ tools }) => tools.cards.showProposal(place)),
		answerQuestion: answer => ask(({ tools }) => tools.cards.answerQuestion(answer)),
		cancelTool: place => ask(({ tools }) => tools.cancel(place)),
		undoTool: place => ask(({ tools }) => tools.history.undo(place)),
		undoAnswer: async ({ turnId, isOnwards }) => ({
			isDone: await (await controller()).undoAnswer(turnId, isOnwards),
		}),
		showChangedFiles: () => ask(({ tools }) => tools.history.showChangedFiles()),
		copyMessage: ({ turnId, index }) =>
			ask(chat => {
				const text = chat.sourceOf(turnId, index);
				return vscode.env.clipboard.writeText(index < 0 ? text : withoutHidden(text));
			}),
	} satisfies Partial<RequestHandlers<ChatRequests>>;
}

/** Creates the handlers of requests about code blocks and files that answers name. */
export function codeHandlers(
	controller: () => Promise<Pick<ChatController, "codeBlocks" | "codeBlockOrigin">>,
) {
	return {
		nameFiles: async ({ paths }) => ({
			labels: (await namedFiles(paths)).map(label => label ?? null),
		}),
		openFile: async ({ label, line, endLine }) => {
			if (!(await openNamedFile(label, line, endLine))) {
				throw new Error(l10n.t("{0} is no longer in the workspace.", label));
			}
		},
		copyCode: async ({ text }) => vscode.env.clipboard.writeText(text),
		insertCode: ({ text }) => insertAtCursor(text),
		applyCode: async ({ turnId, ...block }) => {
			const current = await controller();
			await current.codeBlocks.apply(current.codeBlockOrigin(turnId), block);
		},
		createFileFromCode: async ({ turnId, ...block }) => {
			const current = await controller();
			await current.codeBlocks.createFile(current.codeBlockOrigin(turnId), block);
		},
	} satisfies Partial<RequestHandlers<ChatRequests>>;
}

/** Creates the handlers of requests about queued messages. */
export function queueHandlers(
	chatOf: () => Promise<ChatController>,
): RequestHandlers<typeof queueRequests> {
	const ask = async (use: (chat: ChatController) => Promise<void>): Promise<void> =>
		use(await chatOf());
	return {
		queueMessage: ({ text, typed = [] }) =>
			ask(chat => {
				chat.noteTyped(typed);
				return chat.queue.add(text);
			}),
		editQueued: ({ id, text }) =>
			ask(chat => {
				const { text: before = "" } = chat.queue.view().items.find(item => item.id === id) ?? {};
				chat.noteTyped(addedAddresses(before, text));
				return chat.queue.edit(id, text);
			}),
		holdQueued: ({ id }) => ask(({ queue }) => queue.hold(id ?? undefined)),
		moveQueued: ({ id, step }) => ask(({ queue }) => queue.move(id, step)),
		removeQueued: ({ id }) => ask(({ queue }) => queue.remove(id)),
		restoreQueued: () => ask(({ queue }) => queue.restore()),
		sendQueuedNow: () => ask(chat => chat.queue.sendNow(() => chat.stop())),
		resumeQueue: () => ask(({ queue }) => queue.resume()),
	};
}

/** The view's requests about videos. Each throws an error with a message for the user if it fails. */
export interface ChatVideos {
	/** Starts a video from text of the chat. The user confirms the last step. */
	readonly generate: (text: string, place: JobOrigin) => Promise<void>;
	/** Starts a video from a text without a question, or asks for a prompt if it is empty. Resolves to whether it was started. */
	readonly make: (text: string) => Promise<boolean>;
	readonly open: (jobId: string) => Promise<void>;
	/** Returns the bytes of a clip as base64; null if there is none that a card can play. */
	readonly clip: (jobId: string) => Promise<string | null>;
	readonly run: (jobId: string, action: VideoAction) => Promise<void>;
	readonly choose: (jobId: string) => Promise<void>;
}

export function chatVideoHandlers(
	videos: ChatVideos,
	controller: () => Promise<Pick<ChatController, "jobOrigin">>,
	onSight: (jobIds: readonly string[]) => void,
) {
	return {
		generateVideo: async ({ turnId, text }) =>
			videos.generate(text.trim(), (await controller()).jobOrigin(turnId)),
		videoClip: async ({ jobId }) => ({ base64: await videos.clip(jobId) }),
		openVideo: ({ jobId }) => videos.open(jobId),
		runVideoAction: ({ jobId, action }) => videos.run(jobId, action),
		videosInSight: ({ jobIds }) => onSight(jobIds),
		chooseVideoAction: ({ jobId }) => videos.choose(jobId),
	} satisfies Partial<RequestHandlers<ChatRequests>>;
}

/** Creates the handlers of the chat view's requests about attachments. */
export function attachmentHandlers(
	attachments: () => Promise<ChatAttachments>,
	clock: Clock,
): RequestHandlers<typeof attachmentRequests> {
	const offers = new AttachmentOffers(clock);
	const transfers = new AttachmentTransfers();
	const ask = async (use: (attachments: ChatAttachments) => unknown): Promise<void> => {
		await use(await attachments());
	};
	return {
		attachFiles: () => ask(current => pickAttachment(current, current.recent)),
		completeAttachment: async ({ query }) => ({ offers: await offers.complete(query) }),
		attachSelection: () => ask(current => current.addShownSelection()),
		attachOffer: ({ id }) => ask(current => attachThing(current, offers.find(id))),
		attachAddresses: ({ addresses }) =>
			ask(current => current.addUris(addresses.map(address => droppedUri(address)))),
		beginTransfer: file => ({ id: transfers.begin(file) }),
		transfer: ({ id, bytes }) => transfers.take(id, bytes),
		endTransfer: ({ id }) => ask(current => current.addBytes(transfers.end(id))),
		removeAttachments: ({ ids }) => ask(current => current.remove(ids)),
		confirmAttachment: ({ id }) => ask(current => current.confirm(id)),
		showHidden: ({ id }) => ask(current => current.showHidden(id)),
		openAttachment: ({ id }) => ask(current => current.open(id)),
		attachedImage: async ({ id }) => ({ base64: await (await attachments()).image(id) }),
		retryAttachment: ({ id }) => ask(current => current.retry(id)),
		setAttachmentUse: ({ ids, use }) => ask(current => current.setUse(ids, use)),
	};
}

async function attachThing(
	attachments: ChatAttachments,
	thing: OfferedThing | undefined,
): Promise<void> {
	switch (thing?.type) {
		case "uri":
			return attachments.addUris([thing.uri]);
		case "selection":
			return attachments.addSelection(thing.selection);
		case "problems":
			return attachments.addProblems();
		case "changes":
			return attachments.addChanges();
		case "page":
			return attachments.addPage(thing.address);
		case "chat":
			return attachments.addChat();
		case undefined:
			throw new Error(l10n.t("This is no longer available."));
		default:
			return assertNever(thing);
	}
}

/**
 * Converts a dropped URI to a file. The page's claim is untrusted: the file gets the same checks as any other, and requires consent if it is outside
 * the workspace (docs/security.md). Throws if it isn't a file.
 */
export function droppedUri(address: string): vscode.Uri {
	const uri = vscode.Uri.parse(address);
	if (uri.scheme === "file") {
		return uri;
	}
	// The extension runs on the remote machine, whose files are local to it.
	if (uri.scheme === "vscode-remote") {
		return vscode.Uri.file(uri.path);
	}
	const isOfWorkspace = (vscode.workspace.workspaceFolders ?? []).some(
		folder => folder.uri.scheme === uri.scheme && folder.uri.authority === uri.authority,
	);
	if (!isOfWorkspace) {
		throw new Error(l10n.t("Only files can be attached."));
	}
	return uri;
}
