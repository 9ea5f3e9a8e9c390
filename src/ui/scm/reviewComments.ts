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
import { type Finding, findingsIn, onlyPlace, withHead } from "../tools/findings.ts";
import { type ReviewedLines, reviewedLines, reviewedText } from "./reviewedLines.ts";

export interface ReviewCommentsDependencies {
	readonly chat: Lazy<
		Pick<
			ChatController,
			"picture" | "shown" | "open" | "codeBlocks" | "codeBlockOrigin" | "answered"
		>
	>;
	readonly chatView: Pick<QuickActionDependencies["chatView"], "open">;
	readonly library: Pick<ChatLibrary, "get" | "onDidChange">;
	readonly log: Pick<Log, "warn">;
}

/** A finding at its lines of a workspace file. */
interface PlacedFinding {
	readonly finding: Finding;
	readonly path: string;
	readonly uri: vscode.Uri;
	readonly range: vscode.Range;
	/** The text of the lines when the finding was shown. Undefined if other lines were reviewed. */
	readonly lines: string | undefined;
}

/** Shows the findings of one review as comments in the editor, until they are dismissed or applied, or their chat is deleted. */
export class ReviewComments extends Disposable {
	private readonly dependencies: ReviewCommentsDependencies;
	private readonly controller: vscode.CommentController;
	private readonly threads = new Map<vscode.CommentThread, PlacedFinding>();
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
	 * first; without a click, only if no editor shows another one. Throws an error with a message for the user if there is none.
	 */
	async show(asked: unknown, { isAsked } = { isAsked: true }): Promise<void> {
		const controller = await this.dependencies.chat.get();
		const { chatId, turns } = controller.picture();
		const turn = asked === undefined ? turns.at(-1) : turns.find(({ id }) => id === asked);
		const findings = findingsIn(turn?.messages.map(({ text }) => text).join("\n\n") ?? "");
		const sent = turn ? controller.codeBlockOrigin(turn.id).turn.attachments : [];
		const seen = reviewedLines(sent.flatMap(each => (each.kind === "text" ? [each.text] : [])));
		const labels = await namedFiles(findings.map(({ path }) => path));
		const placed = await Promise.all(
			findings.map((each, index) => locate(each, labels[index], seen)),
		);
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
			const [number, count] = [index + 1, shown.length];
			const label =
				each.lines === undefined
					? l10n.t("Finding {0} of {1}, but these aren't the reviewed lines", number, count)
					: l10n.t("Finding {0} of {1}", number, count);
			this.startThread(each, label);
		}
		if (!isAsked && vscode.window.visibleTextEditors.length > 0) {
			// The user may be writing there.
			return;
		}
		const { start } = first.range;
		const editor = await vscode.window.showTextDocument(first.uri, { preserveFocus: !isAsked });
		editor.selection = new vscode.Selection(start, start);
		// Leaves room for the comment below.
		editor.revealRange(first.range, vscode.TextEditorRevealType.AtTop);
		if (isAsked && shown.length < findings.length) {
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

	/** Shows the findings of an answer once it is complete, unless its chat is left before. Never throws. */
	async showOnceComplete(turnId: string): Promise<void> {
		try {
			const controller = await this.dependencies.chat.get();
			if ((await controller.answered(turnId)) > 0) {
				await this.show(turnId, { isAsked: false });
			}
		} catch (error) {
			this.dependencies.log.warn("The findings of a review could not be shown", {
				error: toError(error).message,
			});
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
		const selection = lines === undefined ? undefined : rangeOf(document, lines);
		await vscode.window.showTextDocument(document, selection ? { selection } : {});
		const place = controller.codeBlockOrigin(this.origin.turnId);
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
		const body = new vscode.MarkdownString(withHead(placed.finding.text));
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

/**
 * Returns a finding at the lines that were reviewed, wherever the file has them now, or else at those it names; undefined if the file has no label or
 * no such line, or isn't text.
 */
async function locate(
	finding: Finding,
	label: string | undefined,
	seen: ReviewedLines,
): Promise<PlacedFinding | undefined> {
	const uri = label === undefined ? undefined : namedFileUri(label);
	if (label === undefined || !uri) {
		return undefined;
	}
	const document = await vscode.workspace.openTextDocument(uri).then(
		opened => opened,
		() => undefined,
	);
	if (!document) {
		return undefined;
	}
	const { line, endLine = line } = finding;
	const named = wholeLines(document, line - 1, endLine - 1);
	const namedText = document.getText(named);
	const reviewed = reviewedText(seen, finding);
	const isThere = reviewed === undefined || reviewed === namedText.replaceAll("\r\n", "\n");
	const moved = isThere || reviewed === "" ? undefined : rangeOf(document, reviewed);
	if (!moved && line > document.lineCount) {
		return undefined;
	}
	const range = moved ?? named;
	const lines = isThere || moved ? document.getText(range) : undefined;
	return { finding, path: label, uri, range, lines };
}

/** Returns the range of lines that are in exactly one place of a document. */
function rangeOf(document: vscode.TextDocument, lines: string): vscode.Range | undefined {
	const first = onlyPlace(document.getText(), lines);
	return first === undefined
		? undefined
		: wholeLines(document, first, first + lines.split("\n").length - 1);
}

function wholeLines(document: vscode.TextDocument, first: number, last: number): vscode.Range {
	return document.validateRange(new vscode.Range(first, 0, last, Number.MAX_SAFE_INTEGER));
}
