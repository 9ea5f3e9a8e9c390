import { problemsText } from "../../editor/workspaceFiles.ts";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type SelectedText, selectedText } from "../../editor/selection.ts";
import { type CodeTarget, isCodeTarget } from "./lightBulb.ts";
import type { Lazy } from "../../common/async.ts";
import type { ChatController } from "../chat/chatController.ts";
import type { ChatView } from "../chatView/chatView.ts";

/** Questions about code in the editor's menu and the light bulb. */
export type QuickAction = "explain" | "fix" | "document" | "writeTests";

export interface QuickActionDependencies {
	readonly chat: Lazy<Pick<ChatController, "picture" | "attachments" | "send">>;
	readonly chatView: Pick<ChatView, "fill" | "open">;
}

/** Lines before and after problems to include if nothing is selected. */
const linesAround = 10;

/** Asks about the selected code, or about the target of a code action, like `askWith`. */
export async function runQuickAction(
	dependencies: QuickActionDependencies,
	action: QuickAction,
	argument: unknown,
): Promise<void> {
	const target = isCodeTarget(argument) ? argument : activeTarget();
	const selection = target && (await codeOf(target));
	if (!target || !selection) {
		void vscode.window.showInformationMessage(l10n.t("Select some text in an editor first."));
		return;
	}
	const question = questionOf(action, problemsOf(target), target.diagnostics.length > 0);
	await askWith(dependencies, question, attachments => attachments.addSelection(selection));
}

/**
 * Asks a question with a visible attachment. If an answer is running or anything else is attached, only inserts the text into the composer, so that
 * nothing is queued unseen or sent by accident. Resolves to the id of the question's turn if it was sent.
 */
export async function askWith(
	{ chat, chatView }: QuickActionDependencies,
	question: string,
	attach: (attachments: ChatController["attachments"]) => unknown,
): Promise<string | undefined> {
	const controller = await chat.get();
	const { turns, attachments } = controller.picture();
	const isFree =
		turns.at(-1)?.status.state !== "streaming" &&
		!attachments.isSending &&
		!controller.attachments.isReading &&
		attachments.items.length === 0;
	await attach(controller.attachments);
	if (controller.attachments.view().items.length === attachments.items.length) {
		// The user declined to attach this.
		return undefined;
	}
	if (!isFree) {
		await chatView.fill(question);
		return undefined;
	}
	await chatView.open();
	try {
		return await controller.send(question);
	} catch (error) {
		await chatView.fill(question);
		throw error;
	}
}

function activeTarget(): CodeTarget | undefined {
	const editor = vscode.window.activeTextEditor;
	const selections = (editor?.selections ?? []).filter(({ isEmpty }) => !isEmpty);
	const [first, ...others] = selections;
	return editor && first
		? {
				uri: editor.document.uri,
				range: others.reduce<vscode.Range>((all, next) => all.union(next), first),
				diagnostics: [],
			}
		: undefined;
}

/** Returns a target's text: the selections in its editor, or whole lines around problems. */
async function codeOf({ uri, range, diagnostics }: CodeTarget): Promise<SelectedText | undefined> {
	const editor = vscode.window.activeTextEditor;
	if (diagnostics.length === 0 && editor?.document.uri.toString() === uri.toString()) {
		return selectedText(editor);
	}
	const document = await vscode.workspace.openTextDocument(uri);
	const around = new vscode.Range(
		Math.max(0, range.start.line - (diagnostics.length === 0 ? 0 : linesAround)),
		0,
		range.end.line + (diagnostics.length === 0 ? 0 : linesAround),
		Number.MAX_SAFE_INTEGER,
	);
	return selectedText({ document, selections: [document.validateRange(around)] });
}

interface Problems {
	readonly text: string;
	readonly count: number;
}

/** Returns VS Code's problems for the code: those of the code action, or all that touch the selection. */
function problemsOf({ uri, range, diagnostics }: CodeTarget): Problems {
	const touching = vscode.languages
		.getDiagnostics(uri)
		.filter(problem => problem.range.intersection(range) !== undefined)
		.filter(({ severity }) => severity !== vscode.DiagnosticSeverity.Hint);
	return problemsText([[uri, diagnostics.length > 0 ? diagnostics : touching]]);
}

function questionOf(action: QuickAction, problems: Problems, isAboutProblems: boolean): string {
	const questions: Record<QuickAction, string> = {
		explain: isAboutProblems
			? `${l10n.t("Explain what is wrong in the attached code and how to fix it:")}\n\n${problems.text}`
			: l10n.t("Explain the selected code."),
		fix:
			problems.count > 0
				? `${l10n.t("Fix what is wrong in the attached code:")}\n\n${problems.text}`
				: l10n.t("Find what is wrong with the selected code, and fix it."),
		document: l10n.t(
			"Write documentation comments for the selected code, in its language's usual form. Change nothing else.",
		),
		writeTests: l10n.t(
			"Write tests for the selected code, in the style of the tests that this project has.",
		),
	};
	return questions[action];
}
