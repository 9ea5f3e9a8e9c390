import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { placeOfCall } from "../../chat/contract/toolRecord.ts";
import type { ToolPauseReason } from "../../chat/toolLoop/toolLoop.ts";
import type { ChatTools } from "../../chat/turnRun.ts";
import { isAbortError, toError, ToolFailure } from "../../common/errors.ts";
import { type Clock, untilAborted } from "../../common/async.ts";
import { Disposable } from "../../common/disposable.ts";
import type { Log } from "../../common/log.ts";
import { createEditorActions, type ToolsOutside } from "../../editor/vscodeActions.ts";
import { EditPreviews } from "../../editor/editPreview.ts";
import { workspacePaths } from "../../editor/workspaceFiles.ts";
import type { CardLocation } from "../../shared/tools.ts";
import type { ToolPolicy } from "../../tools/gate/acceptCall.ts";
import {
	type Approver,
	Approvals,
	type ApprovalAnswer,
	type ApprovalRequest,
} from "../../tools/gate/approvals.ts";
import {
	CancellableCalls,
	ToolGate,
	type ToolGateDependencies,
} from "../../tools/gate/toolGate.ts";
import { ChangeJournal } from "../../tools/undo/changeJournal.ts";
import { JournalFolder } from "../../tools/undo/journalFolder.ts";
import { createUndoAnswer } from "../../tools/undo/undoAnswer.ts";
import { applyCode } from "../../tools/catalog/write/applyCode.ts";
import { ToolRegistry } from "../../tools/catalog/toolRegistry.ts";
import type { Tool } from "../../tools/contract/tool.ts";
import { AnswerUndo } from "./answerUndo.ts";
import { CodeBlocks } from "./codeBlocks.ts";
import { isConfirmed } from "../base/dialogs.ts";
import { isExcludedPath } from "../base/excludedPaths.ts";
import { chooseTools } from "./chooseTools.ts";
import { ExternalTools, type ExternalToolsDependencies } from "./externalTools.ts";
import type { EditorToolGate } from "./languageModelTools.ts";
import { everyTool, type Settings } from "../base/settings.ts";
import { ToolCardStore } from "./toolCardStore.ts";
import { ToolHistory } from "./toolHistory.ts";
import { toolPlaceMessage } from "../../chat/toolLoop/toolMessages.ts";
import { plainLabel } from "../../common/plainMarkdown.ts";
import { startOf } from "../../common/shortText.ts";

/** The tools' effects outside the editor. `readPage` throws an error whose message explains why there is no page. */
export interface WindowToolsOutside extends Omit<ToolsOutside, "ask" | "callExternal"> {
	/** Attaches an image returned by an external tool to the next message of its chat. */
	attachImage: ExternalToolsDependencies["attach"];
}

/** The window's tools: the gate, the cards for approvals, and the editor. */
export class WindowTools extends Disposable {
	readonly cards: ToolCardStore;
	readonly gate: ToolGate;
	private readonly calls: CancellableCalls;
	private readonly clicks: CancellableCalls;
	readonly editorGate: EditorToolGate;
	readonly history: ToolHistory;
	readonly codeBlocks: CodeBlocks;
	readonly answerUndo: AnswerUndo;
	readonly external: ExternalTools;
	private readonly settings: Settings;
	private readonly own: readonly Tool[];

	constructor(
		settings: Settings,
		{ attachImage, ...outside }: WindowToolsOutside,
		changesFolder: string,
		clock: Clock,
		log: Log,
	) {
		super();
		this.settings = settings;
		this.external = new ExternalTools({ settings, attach: attachImage });
		const folder = new JournalFolder(changesFolder, clock);
		const journal = this.register(new ChangeJournal(folder, clock));
		const own = new ToolRegistry();
		this.own = own.tools;
		const others = (): readonly Tool[] => this.external.list().tools;
		const registry = new ToolRegistry(own.tools, others);
		const clickable = [...own.tools, applyCode, createUndoAnswer(journal, workspacePaths)];
		const withBlocks = new ToolRegistry(clickable, others);
		const previews = this.register(new EditPreviews());
		this.cards = this.register(new ToolCardStore(withBlocks, preview => previews.show(preview)));
		const editor = createEditorActions(workspacePaths, {
			...outside,
			readPage: (...asked) => outside.readPage(...asked).catch(rethrowAsFailure),
			callExternal: (...asked) => this.external.call(...asked),
			ask: (question, signal) => this.cards.askQuestion(question, signal),
		});
		this.register(journal.onDidChange(change => this.cards.noteChange(change)));
		const parts = {
			registry,
			editor,
			paths: workspacePaths,
			policy: createPolicy(settings, name => registry.isOwn(name) || this.external.isChosen(name)),
			journal,
			clock,
			log,
		};
		const kept = { ...parts, previews };
		this.history = new ToolHistory({ ...kept, cards: this.cards });
		this.gate = new ToolGate({ ...parts, approvals: new Approvals(this.cards, clock) });
		this.calls = new CancellableCalls(this.gate);
		this.clicks = new CancellableCalls(
			createClickGate({ ...parts, registry: new ToolRegistry(clickable) }, this.cards),
		);
		this.codeBlocks = this.register(
			new CodeBlocks({
				gate: this.clicks,
				cards: this.cards,
				paths: workspacePaths,
				editor,
				compare: (...sides) => previews.compare(...sides),
				clock,
			}),
		);
		this.answerUndo = new AnswerUndo({ ...kept, calls: this.codeBlocks });
		this.editorGate = createEditorGate(settings, { ...parts, registry: own });
	}

	forChat(): Omit<ChatTools, "service"> {
		const { gate, calls } = this;
		return {
			offered: (...wanted) => gate.offered(...wanted),
			isReader: name => gate.isReader(name),
			run: (...call) => calls.run(...call),
			mayContinue,
		};
	}

	/** Lets the user choose the tools that a model is offered. */
	async choose(): Promise<void> {
		const { settings, external, own } = this;
		const off = settings.get("tools.enabled")
			? placeReason()
			: l10n.t("All tools are off in the settings: turn on Tools: Enabled to use these.");
		await chooseTools({
			settings,
			own,
			external: external.list().tools,
			note: off ?? external.leftOutNote(),
		});
	}

	/** Returns the composer's button for external tools, if there are any. */
	externalView(...wanted: Parameters<ToolGate["offered"]>): ReturnType<ExternalTools["view"]> {
		const { gate } = this;
		return this.external.view(gate.enabledTools(wanted[0]), gate.offered(...wanted));
	}

	/** Returns why the model can't use the tools in this workspace, as a sentence for the user. */
	offReason(): string | undefined {
		return placeReason();
	}

	/** Cancels a running call of a model or a click. The answer continues. */
	cancel({ turnId, cardId }: CardLocation): void {
		const isMeant = (callId: string): boolean => {
			const place = placeOfCall(callId);
			return place.turnId === turnId && place.cardId === cardId;
		};
		this.calls.cancel(isMeant);
		this.clicks.cancel(isMeant);
	}
}

function rethrowAsFailure(error: unknown): never {
	throw isAbortError(error) ? error : new ToolFailure(toError(error).message);
}

/** Returns why nothing may be changed in this workspace by any caller. */
function placeReason(): string | undefined {
	const { isTrusted, workspaceFolders = [] } = vscode.workspace;
	return toolPlaceMessage({ isTrusted, schemes: workspaceFolders.map(({ uri }) => uri.scheme) });
}

/** Creates the gate for the editor's own agents, with Cutaway's own tools only. */
function createEditorGate(
	settings: Settings,
	parts: Omit<ToolGateDependencies, "approvals">,
): EditorToolGate {
	return {
		gate: new ToolGate({ ...parts, approvals: new Approvals(modalApprover, parts.clock) }),
		offReason: () =>
			settings.get("tools.offerToEditor")
				? undefined
				: "The user does not offer them to the editor's agents.",
	};
}

/** Creates the gate for the user's clicks. It ignores disabled tools and always asks for approval. */
function createClickGate(
	parts: Omit<ToolGateDependencies, "approvals">,
	cards: ToolCardStore,
): ToolGate {
	return new ToolGate({
		...parts,
		policy: { ...parts.policy, offReason: placeReason, isOff: () => false },
		approvals: new Approvals(askingEachTime(cards), parts.clock),
	});
}

/** Wraps an approver so that approvals aren't remembered. */
function askingEachTime(approver: Approver): Approver {
	return { ask: (request, signal) => approver.ask({ ...request, canRemember: false }, signal) };
}

/** Creates the policy from trust, the workspace and the user settings. Ignores workspace settings (CVE-2025-53773). */
function createPolicy(settings: Settings, isWanted: (name: string) => boolean): ToolPolicy {
	return {
		offReason: () => {
			if (!settings.get("tools.enabled")) {
				return "The user switched them off.";
			}
			return placeReason();
		},
		isOff: name => {
			const disabled = settings.get("tools.disabled");
			return disabled.includes(name) || disabled.includes(everyTool) || !isWanted(name);
		},
		isExcluded: ({ path }) => isExcludedPath(path),
		asksForReads: () => settings.get("tools.askBeforeReading"),
	};
}

/** Asks in a notification whether the model may continue; anything but “Continue” stops it. */
async function mayContinue(reason: ToolPauseReason, signal: AbortSignal): Promise<boolean> {
	const goOn = l10n.t("Continue");
	const answer = vscode.window.showWarningMessage(pauseSentence(reason), goOn, l10n.t("Stop"));
	return (await untilAborted(Promise.resolve(answer), signal)) === goOn;
}

function pauseSentence(reason: ToolPauseReason): string {
	const sentences: Record<ToolPauseReason, string> = {
		rounds: l10n.t(
			"The model has called tools 25 times in a row. Each further round may cost money.",
		),
		badCalls: l10n.t(
			"The model made three tool calls in a row that couldn't run. Each further round may cost money.",
		),
		otherService: l10n.t(
			"Another service is connected now. Continuing sends it this chat and may cost money.",
		),
	};
	return sentences[reason];
}

/** The most characters of a dialog's detail, in UTF-16 code units, so that its buttons stay on the screen. */
const maxDetailLength = 2000;

/** Asks in a modal dialog that cancels by default, for calls without a card in the chat. */
export const modalApprover: Approver = {
	ask: async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
		const question = plainLabel(`${request.tool.title}: ${request.summary}`);
		const { fingerprint } = request;
		return (await isConfirmed(question, l10n.t("Allow"), detailOf(request)))
			? { type: "allow", fingerprint, scope: "once" }
			: { type: "deny" };
	},
};

/** Returns the details. States first what is truncated, where no text of a model can precede it. */
function detailOf({ warnings, files, argumentsText }: ApprovalRequest): string {
	const text = [...warnings, ...files, argumentsText].join("\n");
	const shown = startOf(text, maxDetailLength);
	const count = text.length - shown.length;
	return count === 0
		? text
		: `${l10n.t("The last {0} characters of this request aren't shown.", count)}\n\n${shown}…`;
}
