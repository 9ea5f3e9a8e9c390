import { randomUUID } from "node:crypto";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { CodeBlockCalls } from "../../chat/chatSession.ts";
import type { RequestedCall } from "../../chat/toolLoop/requestedCalls.ts";
import { timedCall } from "../../chat/toolLoop/toolLoop.ts";
import { clickRound, toolCallId } from "../../chat/contract/toolRecord.ts";
import type { Turn } from "../../chat/contract/turn.ts";
import type { Clock } from "../../common/async.ts";
import { Disposable } from "../../common/disposable.ts";
import { isAbortError } from "../../common/errors.ts";
import { placeBlock, suggestedFileName } from "../../tools/catalog/write/applyCode.ts";
import { blockPath, type CodeBlock } from "../../tools/catalog/write/blockPath.ts";
import { textOfNewFile } from "../../tools/codePlacement/placeCode.ts";
import { readableText } from "../../tools/contract/resultText.ts";
import { plainReading } from "../../paths/plainReading.ts";
import { type PathTarget, type WorkspacePaths, resolveTarget } from "../../paths/resolveTarget.ts";
import { refusalWords } from "../../paths/pathForm.ts";
import type { ToolResult } from "../../tools/gate/acceptCall.ts";
import type { ToolGate } from "../../tools/gate/toolGate.ts";
import type { EditorActions } from "../../tools/contract/editorActions.ts";
import type { ToolCardStore } from "./toolCardStore.ts";

export interface CodeBlocksDependencies {
	/** Runs `apply_code` and `create_file`, and asks for approval every time. */
	readonly gate: Pick<ToolGate, "run">;
	readonly cards: Pick<ToolCardStore, "note">;
	readonly paths: () => WorkspacePaths;
	readonly editor: Pick<EditorActions, "activeDocument" | "readText" | "symbols">;
	readonly compare: (label: string, text: string, path: string, title: string) => Promise<void>;
	readonly clock: Clock;
}

/** A code block, and its file if that is known without reading the block. */
type BlockForFile = CodeBlock & { readonly path?: string };

/** The question of a code block. */
export interface BlockOrigin {
	readonly chatId: string;
	readonly turn: Turn;
	/** Records the click in the chat. */
	readonly log: Pick<CodeBlockCalls, "add" | "begin" | "end">;
}

/** Applies code blocks to files through the same gate as a model's calls: path rules, a diff, an approval card. Approvals aren't remembered. */
export class CodeBlocks extends Disposable {
	private readonly dependencies: CodeBlocksDependencies;
	private running = new AbortController();

	constructor(dependencies: CodeBlocksDependencies) {
		super();
		this.dependencies = dependencies;
	}

	/**
	 * Proposes a block as a change of its file, of the file it names, or of the open file. Asks for the place if it isn't clear, and does nothing if the
	 * user cancels. Throws an error with a message for the user if there is no file. `onApplied` runs after the user allowed the change.
	 */
	async apply(place: BlockOrigin, block: BlockForFile, onApplied?: () => void): Promise<void> {
		const { path: named, code } = this.pathAndCode(block);
		const asked = named ?? openPath();
		const isDiff = isCalledDiff(block);
		const resolution = resolveTarget(asked, this.dependencies.paths());
		if (named !== undefined && resolution.ok && resolution.target.kind === "missing") {
			await this.createFile(place, block);
			return;
		}
		if (!resolution.ok) {
			// Passes a rejected path on, because the gate reports the reason.
			this.start(place, "apply_code", { path: asked, code, isDiff });
			return;
		}
		const { target } = resolution;
		const { signal } = this.running;
		const answer = await this.askPlace(target, { code, isDiff }, signal);
		if (signal.aborted || answer === "nowhere") {
			return;
		}
		if (answer === "newFile") {
			const [language = ""] = /^\s*[\w+#-]+/.exec(block.info) ?? [];
			const path = suggestedFileName(language);
			await this.createFile(place, { text: code, info: language, path });
		} else if (answer === "compare") {
			const title = l10n.t("Code block ↔ {0}", target.label);
			await this.dependencies.compare(target.label, code, target.path, title);
		} else {
			const input = {
				path: target.label,
				code,
				isDiff,
				...(answer === "own" ? {} : { place: answer }),
			};
			this.start(place, "apply_code", input, onApplied);
		}
	}

	/** Returns a block's place by its structure, or as the user chooses. */
	private async askPlace(
		target: PathTarget,
		code: { readonly code: string; readonly isDiff: boolean },
		signal: AbortSignal,
	): Promise<PlaceAnswer> {
		const { editor, clock, paths } = this.dependencies;
		const text = await readableText(editor, target);
		const placement =
			text === undefined
				? undefined
				: await placeBlock(target, text, code, { editor, clock, signal });
		if (placement?.type !== "unclear") {
			return "own";
		}
		const active = editor.activeDocument();
		const seen = active?.path === undefined ? undefined : resolveTarget(active.path, paths());
		const isActive = seen?.ok === true && seen.target.path === target.path;
		const isSelected =
			isActive && active !== undefined && active.selection.start < active.selection.end;
		const items: (vscode.QuickPickItem & { readonly answer: PlaceAnswer })[] = [
			...(isActive && !placement.isPart
				? [
						{
							label: isSelected ? l10n.t("In place of the selection") : l10n.t("At the cursor"),
							answer: "cursor" as const,
						},
					]
				: []),
			...(placement.isPart
				? []
				: [
						{ label: l10n.t("At the end of the file"), answer: "end" as const },
						{ label: l10n.t("As a new file…"), answer: "newFile" as const },
					]),
			{
				label: l10n.t("Compare with the whole file"),
				description: l10n.t("Changes nothing"),
				answer: "compare",
			},
			...(placement.isPart
				? []
				: [
						{
							label: l10n.t("Replace the whole file"),
							description: l10n.t("Everything else in the file is deleted"),
							answer: "whole" as const,
						},
					]),
		];
		const picked = await vscode.window.showQuickPick(items, {
			title: l10n.t("Where does this code go in {0}?", target.label),
			placeHolder: placement.isPart
				? l10n.t("The block leaves code out, and its place isn't in the file")
				: l10n.t("Nothing changes before you allow it"),
		});
		return picked?.answer ?? "nowhere";
	}

	/** Asks for a path and proposes the file. Does nothing if the user cancels. */
	async createFile(place: BlockOrigin, block: BlockForFile): Promise<void> {
		const { path: named, code } =
			block.path === undefined ? blockPath(block) : { path: block.path, code: block.text };
		const value = named ?? suggestedFileName(block.info);
		const path = await vscode.window.showInputBox({
			title: l10n.t("New File"),
			prompt: l10n.t("Path in the workspace; missing folders are created"),
			value,
			valueSelection: [value.lastIndexOf("/") + 1, value.lastIndexOf(".")],
			validateInput: asked => this.refusalOf(asked),
		});
		if (path === undefined) {
			return;
		}
		const text = textOfNewFile(code, path, isCalledDiff(block));
		if (text === undefined) {
			throw new Error(
				l10n.t(
					"This block is a patch of lines that aren't there. Apply it to the file that has them.",
				),
			);
		}
		this.start(place, "create_file", { path, text: text.endsWith("\n") ? text : `${text}\n` });
	}

	stop(): void {
		this.running.abort();
		this.running = new AbortController();
	}

	override dispose(): void {
		this.stop();
		super.dispose();
	}

	/** Returns the file that a block is for, and its code without the line that names it. The end of the open file's path names the open file. */
	private pathAndCode(block: BlockForFile): ReturnType<typeof blockPath> {
		if (block.path !== undefined) {
			return { path: block.path, code: block.text };
		}
		const paths = this.dependencies.paths();
		const meant = (path: string): PathTarget | undefined => {
			const resolution = resolveTarget(path, paths);
			return resolution.ok && resolution.target.kind === "file"
				? resolution.target
				: plainReading(path, paths);
		};
		const isFile = (path: string): boolean => meant(path)?.kind === "file";
		const open = openUri()?.fsPath.replaceAll("\\", "/");
		const isOpenFile = (path: string): boolean =>
			open?.endsWith(`/${path.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "")}`) === true;
		const found = blockPath(block, path => isFile(path) || isOpenFile(path));
		const target = found.path === undefined ? undefined : meant(found.path);
		if (target?.kind === "file") {
			return { path: target.label, code: found.code };
		}
		return found.path !== undefined && open !== undefined && isOpenFile(found.path)
			? { path: open, code: found.code }
			: found;
	}

	private refusalOf(path: string): string | undefined {
		const resolution = resolveTarget(path, this.dependencies.paths());
		if (!resolution.ok) {
			return refusalWords(resolution.refusal);
		}
		return resolution.target.kind === "missing" ? undefined : refusalWords("exists");
	}

	/** Doesn't wait for the approval, so the click ends when its card is shown. */
	private start(
		place: BlockOrigin,
		name: string,
		input: Readonly<Record<string, unknown>>,
		onDone?: () => void,
	): void {
		void this.run(place, name, input).then(result => result?.state === "done" && onDone?.());
	}

	/** Runs the user's call below an answer, on its own card. Resolves to undefined if it was stopped. */
	async run(
		{ chatId, turn, log }: BlockOrigin,
		name: string,
		values: Readonly<Record<string, unknown>>,
	): Promise<ToolResult | undefined> {
		const { gate, cards, clock } = this.dependencies;
		const cardId = `code-${randomUUID()}`;
		const input = JSON.stringify(values);
		const call: RequestedCall = { form: "tool", id: cardId, name, arguments: input };
		const { signal } = this.running;
		const { id: turnId, attempt } = turn;
		const callId = toolCallId({ turnId, attempt, round: clickRound, cardId });
		log.add({ callId, name, arguments: input, after: turn.messages.length });
		cards.note(turn, call, { state: "waiting" });
		try {
			const result = await timedCall(
				clock,
				progress => cards.note(turn, call, progress),
				onProgress =>
					gate.run({ callId, chatId, turnId, name, arguments: input }, log, signal, onProgress),
			);
			log.end({ ...result, callId });
			cards.note(turn, call, result);
			return result;
		} catch (error) {
			if (!isAbortError(error)) {
				throw error;
			}
			cards.note(turn, call, { state: "stopped" });
			return undefined;
		}
	}
}

/** Place of a block: by its structure, as the user chose, or not in this file. */
type PlaceAnswer = "own" | "cursor" | "end" | "whole" | "newFile" | "compare" | "nowhere";

/** Whether the answer calls a block a diff. */
function isCalledDiff({ info }: CodeBlock): boolean {
	return /^\s*(?:diff|patch|udiff)\b/i.test(info);
}

/** Returns the file of the active editor, or of one beside it. */
function openUri(): vscode.Uri | undefined {
	const active = vscode.window.activeTextEditor;
	return (active ? [active] : vscode.window.visibleTextEditors)
		.map(({ document }) => document.uri)
		.find(({ scheme }) => scheme === "file");
}

/** Returns the path of the open file. Throws an error with a message for the user if none is on disk. */
function openPath(): string {
	const onDisk = openUri();
	if (!onDisk) {
		const active = vscode.window.activeTextEditor?.document;
		throw new Error(
			(vscode.window.activeNotebookEditor ?? active?.uri.scheme === "vscode-notebook-cell")
				? l10n.t("Apply doesn't change notebooks. Copy the code, and paste it into a cell.")
				: active?.isUntitled
					? l10n.t("Save the file in an open folder first, or choose “Insert at cursor”.")
					: l10n.t("Open the file to change, or choose “New file”."),
		);
	}
	return onDisk.fsPath;
}
