import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChatLibrary } from "../../chat/library/chatLibrary.ts";
import type { Lazy } from "../../common/async.ts";
import { Disposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { namedFiles, namedFileUri } from "../../editor/workspaceFiles.ts";
import type { ChatController } from "../chat/chatController.ts";
import type { QuickActionDependencies } from "../editor/quickActions.ts";
import { type Finding, findingsIn, onlyPlace } from "./findings.ts";

export interface ReviewCommentsDependencies {
	readonly chat: Lazy<
		Pick<ChatController, "picture" | "shown" | "open" | "codeBlocks" | "blockPlace">
	>;
	readonly chatView: Pick<QuickActionDependencies["chatView"], "open">;
	readonly library: Pick<ChatLibrary, "get" | "onDidChange">;
	readonly log: Pick<Log, "warn">;
}

/** A finding at its lines of a workspace file. */
interface PlacedFinding {
	readonly finding: Finding;
	/** Label of the file. */
	readonly path: string;
	readonly uri: vscode.Uri;
	readonly range: vscode.Range;
	/** The text of the lines when the finding was shown. */
	readonly lines: string;
}

/** Shows the findings of one review as comments in the editor, until they are dismissed or applied, or their chat is deleted. */
export class ReviewComments extends Disposable {
	private readonly dependencies: ReviewCommentsDependencies;
	private readonly controller: vscode.CommentController;
	/** The comments with their findings. */
	private readonly threads = new Map<vscode.CommentThread, PlacedFinding>();
	/** The chat and the question of the review. */
	private origin = { chatId: "", turnId: "" };

	constructor(dependencies: ReviewCommentsDependencies) {
		super();
		this.dependencies = dependencies;
		this.controller = this.register(
			vscode.comments.createCommentController("cutaway.review", l10n.t("Cutaway Review")),
		);
		this.register(dependencies.library.onDidChange(() => void this.dropDeleted()));
	}

	/**
	 * Shows the findings in the answer to a question of the shown chat, or in the last answer, in place of those of another review. Opens the file of the
	 * first. Throws an error with a message for the user if there is none.
	 */
	async show(asked: unknown): Promise<void> {
		const { chatId, turns } = (await this.dependencies.chat.get()).picture();
		const turn = asked === undefined ? turns.at(-1) : turns.find(({ id }) => id === asked);
		const findings = findingsIn(turn?.messages.map(({ text }) => text).join("\n\n") ?? "");
		const labels = await namedFiles(findings.map(({ path }) => path));
		const placed = await Promise.all(findings.map((each, index) => locate(each, labels[index])));
		const [first, ...others] = placed.filter(each => each !== undefined);
		if (!turn || !first) {
			throw new Error(
				l10n.t(
					"This answer names no line of a file in the workspace, so there is nothing to show.",
				),
			);
		}
		this.dismissAll();
		this.origin = { chatId, turnId: turn.id };
		const shown = [first, ...others];
		for (const [index, each] of shown.entries()) {
			this.startThread(each, l10n.t("Finding {0} of {1}", index + 1, shown.length));
		}
		const { start } = first.range;
		const editor = await vscode.window.showTextDocument(first.uri);
		editor.selection = new vscode.Selection(start, start);
		// Leaves room for the comment below.
		editor.revealRange(first.range, vscode.TextEditorRevealType.AtTop);
		if (shown.length < findings.length) {
			const { length } = findings;
			void vscode.window.showInformationMessage(
				l10n.t(
					"{0} of {1} findings are shown. The others name no line of a file in the workspace.",
					shown.length,
					length,
				),
			);
		}
	}

	/**
	 * Proposes the code of a finding on a card in its chat, like Apply on a code block, and removes the comment once it is applied. Its lines are
	 * selected if the file still has them, in one place only, so that they can be replaced where the structure of the code doesn't show its place. Throws
	 * an error with a message for the user if another chat would have to stop its answer.
	 */
	async apply(clicked: unknown): Promise<void> {
		const [thread, { finding, path, uri, lines }] = this.find(clicked);
		const { fix } = finding;
		if (!fix) {
			return;
		}
		const controller = await this.dependencies.chat.get();
		const { id, isAnswering } = controller.shown;
		if (isAnswering && id !== this.origin.chatId) {
			throw new Error(l10n.t("An answer is still running. Stop it or wait until it's complete."));
		}
		await controller.open(this.origin.chatId);
		await this.dependencies.chatView.open();
		const document = await vscode.workspace.openTextDocument(uri);
		const first = onlyPlace(document.getText(), lines);
		const last = (first ?? 0) + lines.split("\n").length - 1;
		const found = first === undefined ? {} : { selection: wholeLines(document, first, last) };
		await vscode.window.showTextDocument(document, found);
		const place = controller.blockPlace(this.origin.turnId);
		await controller.codeBlocks.apply(place, { ...fix, path }, () => this.remove(thread));
	}

	/** Removes the comment of a finding. */
	dismiss(clicked: unknown): void {
		this.remove(this.find(clicked)[0]);
	}

	/** Removes the comments of all findings. */
	dismissAll(): void {
		for (const thread of this.threads.keys()) {
			this.remove(thread);
		}
	}

	override dispose(): void {
		this.dismissAll();
		super.dispose();
	}

	private startThread(placed: PlacedFinding, label: string): void {
		const body = new vscode.MarkdownString(placed.finding.text);
		// The defaults, which must hold for a model's text.
		body.isTrusted = false;
		body.supportHtml = false;
		const author = { name: "Cutaway" };
		const comment = { body, author, mode: vscode.CommentMode.Preview };
		const thread = this.controller.createCommentThread(placed.uri, placed.range, [comment]);
		thread.label = label;
		thread.canReply = false;
		thread.contextValue = placed.finding.fix ? "fix" : "note";
		thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
		this.threads.set(thread, placed);
	}

	/** Returns the thread whose button was clicked. Throws an error with a message for the user if it is gone. */
	private find(clicked: unknown): readonly [vscode.CommentThread, PlacedFinding] {
		const found = [...this.threads].find(([thread]) => thread === clicked);
		if (!found) {
			throw new Error(l10n.t("This is no longer available."));
		}
		return found;
	}

	private remove(thread: vscode.CommentThread): void {
		thread.dispose();
		this.threads.delete(thread);
	}

	private async dropDeleted(): Promise<void> {
		const { library, log } = this.dependencies;
		const { chatId } = this.origin;
		try {
			const chat = this.threads.size > 0 ? await library.get(chatId) : undefined;
			if ((!chat || chat.deletedAt !== undefined) && this.origin.chatId === chatId) {
				this.dismissAll();
			}
		} catch (error) {
			log.warn("The chat of a review could not be read", { error: toError(error).message });
		}
	}
}

/** Returns a finding at its lines; undefined if the file has no label or no such line, or isn't text. */
async function locate(
	finding: Finding,
	label: string | undefined,
): Promise<PlacedFinding | undefined> {
	const uri = label === undefined ? undefined : namedFileUri(label);
	if (label === undefined || !uri) {
		return undefined;
	}
	const document = await vscode.workspace.openTextDocument(uri).then(
		opened => opened,
		() => undefined,
	);
	if (!document || finding.line > document.lineCount) {
		return undefined;
	}
	const { line, endLine = line } = finding;
	const range = wholeLines(document, line - 1, endLine - 1);
	return { finding, path: label, uri, range, lines: document.getText(range) };
}

function wholeLines(document: vscode.TextDocument, first: number, last: number): vscode.Range {
	return document.validateRange(new vscode.Range(first, 0, last, Number.MAX_SAFE_INTEGER));
}
