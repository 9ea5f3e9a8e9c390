import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { ChatLibrary } from "../../chat/library/chatLibrary.ts";
import type { Lazy } from "../../common/async.ts";
import { Disposable } from "../../common/disposable.ts";
import { namedFiles, namedFileUri } from "../../editor/workspaceFiles.ts";
import type { ChatController } from "../chat/chatController.ts";
import type { QuickActionDependencies } from "../editor/quickActions.ts";
import { type Finding, findingsIn } from "./findings.ts";

export interface ReviewCommentsDependencies {
	readonly chat: Lazy<Pick<ChatController, "picture" | "open" | "codeBlocks" | "blockPlace">>;
	readonly chatView: Pick<QuickActionDependencies["chatView"], "open">;
	readonly library: Pick<ChatLibrary, "get" | "onDidChange">;
}

/** A finding at its lines of a workspace file. */
interface PlacedFinding {
	readonly finding: Finding;
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
	readonly threads = new Map<vscode.CommentThread, PlacedFinding>();
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
	 * selected if they are unchanged, so that they can be replaced where the structure of the code doesn't show its place.
	 */
	async apply(clicked: unknown): Promise<void> {
		const [thread, { finding, uri, range, lines }] = this.find(clicked);
		const { fix } = finding;
		if (!fix) {
			return;
		}
		const controller = await this.dependencies.chat.get();
		await controller.open(this.origin.chatId);
		await this.dependencies.chatView.open();
		const document = await vscode.workspace.openTextDocument(uri);
		const selection = document.getText(range) === lines ? { selection: range } : {};
		await vscode.window.showTextDocument(document, selection);
		const place = controller.blockPlace(this.origin.turnId);
		await controller.codeBlocks.apply(place, fix, () => this.remove(thread));
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
		if (this.threads.size > 0) {
			const chat = await this.dependencies.library.get(this.origin.chatId);
			if (!chat || chat.deletedAt !== undefined) {
				this.dismissAll();
			}
		}
	}
}

/** Returns a finding at its lines; undefined if the file has no label or no such line, or isn't text. */
async function locate(
	finding: Finding,
	label: string | undefined,
): Promise<PlacedFinding | undefined> {
	const uri = label === undefined ? undefined : namedFileUri(label);
	if (!uri) {
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
	const range = document.validateRange(
		new vscode.Range(line - 1, 0, endLine - 1, Number.MAX_SAFE_INTEGER),
	);
	return { finding, uri, range, lines: document.getText(range) };
}
