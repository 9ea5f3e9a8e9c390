import * as vscode from "vscode";
import { withoutHidden } from "../../common/hiddenText.ts";
import { addedAddresses } from "../../shared/webAddresses.ts";
import type { ChatRequests } from "../../shared/chat.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import type { ChatController } from "../chat/chatController.ts";
import * as l10n from "@vscode/l10n";
import { insertAtCursor } from "../../editor/insertText.ts";
import { namedFiles, openNamedFile } from "../../editor/namedFiles.ts";
import type { queueRequests } from "../../shared/queue.ts";
import type { VideoAction } from "../../shared/video.ts";
import type { JobOrigin } from "../../video/job/videoJob.ts";

/** Handles what a user does with a question, its answer and the calls of tools in it; `controller` has the chat that is shown. */
export function turnHandlers(controller: () => Promise<ChatController>) {
	const ask = async (use: (chat: ChatController) => unknown): Promise<Record<string, never>> => {
		await use(await controller());
		return {};
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
		answerTool: answer => ask(chat => chat.answerTool(answer)),
		showProposal: place => ask(({ tools }) => tools.cards.showProposal(place)),
		answerQuestion: answer => ask(chat => chat.answerQuestion(answer)),
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

/** Requests of the view about code blocks and the files that answers name. */
export function codeHandlers(
	controller: () => Promise<Pick<ChatController, "codeBlocks" | "blockPlace">>,
) {
	return {
		nameFiles: async ({ paths }) => ({
			labels: (await namedFiles(paths)).map(label => label ?? null),
		}),
		openFile: async ({ label, line, endLine }) => {
			if (!(await openNamedFile(label, line, endLine))) {
				throw new Error(l10n.t("{0} is no longer in the workspace.", label));
			}
			return {};
		},
		copyCode: async ({ text }) => {
			await vscode.env.clipboard.writeText(text);
			return {};
		},
		insertCode: async ({ text }) => {
			await insertAtCursor(text);
			return {};
		},
		applyCode: async ({ turnId, ...block }) => {
			const current = await controller();
			await current.codeBlocks.apply(current.blockPlace(turnId), block);
			return {};
		},
		createFileFromCode: async ({ turnId, ...block }) => {
			const current = await controller();
			await current.codeBlocks.createFile(current.blockPlace(turnId), block);
			return {};
		},
	} satisfies Partial<RequestHandlers<ChatRequests>>;
}

/** Handles requests about queued messages. */
export function queueHandlers(
	chatOf: () => Promise<ChatController>,
): RequestHandlers<typeof queueRequests> {
	const ask = async (
		use: (chat: ChatController) => Promise<void>,
	): Promise<Record<string, never>> => {
		await use(await chatOf());
		return {};
	};
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
		sendQueuedNow: async () => {
			const chat = await chatOf();
			await chat.queue.sendNow(() => chat.stop());
			return {};
		},
		resumeQueue: () => ask(({ queue }) => queue.resume()),
	};
}

/** Requests of the view to the videos; each throws the sentence when it fails. */
export interface ChatVideos {
	/** Begins a video from text of the chat; the user accepts it in the last step. */
	readonly generate: (text: string, place: JobOrigin) => Promise<void>;
	/** Begins a video from words that belong to no question, and asks for some when there are none; whether it was started. */
	readonly make: (text: string) => Promise<boolean>;
	readonly open: (jobId: string) => Promise<void>;
	/** The bytes of a clip as base64; null where there is none to play in a card. */
	readonly clip: (jobId: string) => Promise<string | null>;
	readonly run: (jobId: string, action: VideoAction) => Promise<void>;
	/** Offers everything that can be done with a video. */
	readonly choose: (jobId: string) => Promise<void>;
}

/** Handles what a user does with videos in the chat. */
export function chatVideoHandlers(
	videos: ChatVideos,
	controller: () => Promise<Pick<ChatController, "placeOf">>,
	onSight: (jobIds: readonly string[]) => void,
) {
	const done = async (step: Promise<void>): Promise<Record<string, never>> => {
		await step;
		return {};
	};
	return {
		generateVideo: async ({ turnId, text }) =>
			done(videos.generate(text.trim(), (await controller()).placeOf(turnId))),
		videoClip: async ({ jobId }) => ({ base64: await videos.clip(jobId) }),
		openVideo: ({ jobId }) => done(videos.open(jobId)),
		runVideoAction: ({ jobId, action }) => done(videos.run(jobId, action)),
		videosInSight: ({ jobIds }) => {
			onSight(jobIds);
			return {};
		},
		chooseVideoAction: ({ jobId }) => done(videos.choose(jobId)),
	} satisfies Partial<RequestHandlers<ChatRequests>>;
}
