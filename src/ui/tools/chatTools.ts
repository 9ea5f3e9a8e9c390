import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { placeOfCall } from "../../chat/turn/toolRecord.ts";
import type { ToolPauseReason } from "../../chat/tools/toolLoop.ts";
import type { ChatTools } from "../../chat/turnRun.ts";
import { assertNever } from "../../common/assertNever.ts";
import type { Clock } from "../../common/async.ts";
import { Disposable } from "../../common/disposable.ts";
import { isAbortError, toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { untilAborted } from "../../common/untilAborted.ts";
import { createEditorActions } from "../../editor/editorActions.ts";
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
import { CancellableCalls } from "../../tools/gate/cancellableCalls.ts";
import { ToolGate, type ToolGateDependencies } from "../../tools/gate/toolGate.ts";
import { ChangeJournal } from "../../tools/undo/changeJournal.ts";
import { JournalFolder } from "../../tools/undo/journalFolder.ts";
import { createUndoAnswer } from "../../tools/undo/undoAnswer.ts";
import { applyCode } from "../../tools/catalog/codeBlock.ts";
import { ToolRegistry } from "../../tools/catalog/toolRegistry.ts";
import type { EditorActions } from "../../tools/tool/editorActions.ts";
import type { Tool } from "../../tools/tool/tool.ts";
import { ToolFailure } from "../../tools/tool/toolFailure.ts";
import { AnswerUndo } from "./answerUndo.ts";
import { CodeBlocks } from "./codeBlocks.ts";
import { isExcludedPath } from "../base/excludedPaths.ts";
import { ExternalTools, type ExternalToolsDependencies } from "./externalTools.ts";
import type { EditorToolGate } from "./languageModelTools.ts";
import type { Settings } from "../base/settings.ts";
import { ToolCardStore } from "./toolCardStore.ts";
import { ToolHistory } from "./toolHistory.ts";
import { toolPlaceMessage } from "./toolPlace.ts";
import { plainLabel } from "../../common/plainLabel.ts";

/** What the tools do outside of the editor. `readPage` throws an error whose message says in a sentence why there is no page. */
export interface WindowToolsOutside extends Pick<
	EditorActions,
	"videoCost" | "generateVideo" | "readPage"
> {
	/** Attaches an image that a tool of somebody else returned to the next question. */
	attachImage: ExternalToolsDependencies["attach"];
}

/** The tools of this window: the gate, the cards where a user answers, and the editor behind both. */
export class WindowTools extends Disposable {
	readonly cards: ToolCardStore;
	readonly gate: ToolGate;
	private readonly calls: CancellableCalls;
	private readonly clicks: CancellableCalls;
	/** The same tools for the editor's own agents. */
	readonly editorGate: EditorToolGate;
	/** Changes by tools in the chat that is shown. */
	readonly history: ToolHistory;
	/** Actions on code blocks. */
	readonly codeBlocks: CodeBlocks;
	/** Undoes what answers changed. */
	readonly answerUndo: AnswerUndo;
	/** Tools of MCP servers and other extensions. */
	readonly external: ExternalTools;

	constructor(
		settings: Settings,
		{ attachImage, ...outside }: WindowToolsOutside,
		changesFolder: string,
		clock: Clock,
		log: Log,
	) {
		super();
		this.external = new ExternalTools({ settings, attach: attachImage });
		const folder = new JournalFolder(changesFolder, clock);
		const journal = this.register(new ChangeJournal(folder, clock));
		const own = new ToolRegistry();
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

	/** Returns the tools for a chat session. */
	forChat(): Omit<ChatTools, "service"> {
		const { gate, calls } = this;
		return {
			offered: (...wanted) => gate.offered(...wanted),
			isReader: name => gate.isReader(name),
			run: (...call) => calls.run(...call),
			mayContinue,
		};
	}

	/** Gives the composer its button for the tools of others; nothing where there are none. */
	externalView(...wanted: Parameters<ToolGate["offered"]>): ReturnType<ExternalTools["view"]> {
		const { gate } = this;
		return this.external.view(gate.wanted(wanted[0]), gate.offered(...wanted));
	}

	/** Why the model cannot use the editor where this window is open, as a sentence for the user. */
	offReason(): string | undefined {
		return placeReason();
	}

	/** Ends a running call of a model or of a click; the answer it belongs to goes on. */
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

/** Why nothing may be changed here, whoever wants it. */
function placeReason(): string | undefined {
	const { isTrusted, workspaceFolders = [] } = vscode.workspace;
	return toolPlaceMessage({ isTrusted, schemes: workspaceFolders.map(({ uri }) => uri.scheme) });
}

/** The gate of the editor's own agents, which has Cutaway's own tools alone. */
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

/** The gate of what a user clicks: no switch of a tool concerns it, and every click is asked about. */
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

/** The same approver for what is never remembered. */
function askingEachTime(approver: Approver): Approver {
	return { ask: (request, signal) => approver.ask({ ...request, canRemember: false }, signal) };
}

/** Policy of trust, the workspace and the user's own settings; a workspace's settings have no say (CVE-2025-53773). */
function createPolicy(settings: Settings, isWanted: (name: string) => boolean): ToolPolicy {
	return {
		offReason: () => {
			if (!settings.get("tools.enabled")) {
				return "The user switched them off.";
			}
			return placeReason();
		},
		isOff: name => settings.get("tools.disabled").includes(name) || !isWanted(name),
		isExcluded: ({ path }) => isExcludedPath(path),
		asksForReads: () => settings.get("tools.askBeforeReading"),
	};
}

/** Asks in the editor's own words whether the model may go on; anything but «Continue» stops it. */
async function mayContinue(reason: ToolPauseReason, signal: AbortSignal): Promise<boolean> {
	const goOn = l10n.t("Continue");
	const answer = vscode.window.showWarningMessage(pauseSentence(reason), goOn, l10n.t("Stop"));
	return (await untilAborted(Promise.resolve(answer), signal)) === goOn;
}

function pauseSentence(reason: ToolPauseReason): string {
	switch (reason) {
		case "rounds":
			return l10n.t(
				"The model has called tools 25 times in a row. Each further round may cost money.",
			);
		case "badCalls":
			return l10n.t(
				"The model made three tool calls in a row that couldn't run. Each further round may cost money.",
			);
		case "otherService":
			return l10n.t(
				"Another service is connected now. Continuing sends it this chat and may cost money.",
			);
		default:
			return assertNever(reason);
	}
}

/** How much a dialogue shows below its question, in UTF-16 code units; its buttons must stay on the screen. */
const maxDetailLength = 2000;

/** Asks in a dialogue of the editor, whose default is to cancel; for calls that have no card in the chat. */
export const modalApprover: Approver = {
	ask: async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
		const allow = l10n.t("Allow");
		const answer = await vscode.window.showWarningMessage(
			plainLabel(`${request.tool.title}: ${request.summary}`),
			{ modal: true, detail: detailOf(request) },
			allow,
		);
		const { fingerprint } = request;
		return answer === allow ? { type: "allow", fingerprint, scope: "once" } : { type: "deny" };
	},
};

/** States what is cut, and first, where nothing that a model wrote can come before it. */
function detailOf({ warnings, files, argumentsText }: ApprovalRequest): string {
	const text = [...warnings, ...files, argumentsText].join("\n");
	const shown = text.slice(0, maxDetailLength).replace(/[\uD800-\uDBFF]$/, "");
	const count = text.length - shown.length;
	return count === 0
		? text
		: `${l10n.t("The last {0} characters of this request aren't shown.", count)}\n\n${shown}…`;
}
