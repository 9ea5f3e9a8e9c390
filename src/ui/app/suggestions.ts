import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../../common/async.ts";
import { Disposable, type IDisposable } from "../../common/disposable.ts";
import { gitFileDiff } from "../../editor/gitChanges.ts";
import { nameOf, selectedText, type SelectedText } from "../../editor/selection.ts";
import { isUserDocument } from "../../editor/userDocuments.ts";
import { findFiles } from "../../editor/workspaceFiles.ts";
import { selectionName } from "../attachments/attachmentOffers.ts";
import type { ChatController } from "../chat/chatController.ts";
import { composerView, type ChatSuggestion } from "../composer/chatSettings.ts";
import { askWith } from "../editor/quickActions.ts";
import { askForReview, type ReviewDependencies, reviewableDiff } from "../scm/reviewChanges.ts";

/** Delay between the last change in the editor and an update of the suggestions, in milliseconds. */
const restMs = 150;

const sampleTable = `month,product,orders,revenue
January,Notebook,41,205.00
January,Pen,120,180.00
February,Notebook,38,190.00
February,Pen,164,246.00
March,Notebook,77,385.00
March,Pen,131,196.50
`;

interface UncommittedChange {
	readonly isAny: boolean;
	/** What may be sent of it without a question, and its lines. */
	readonly sent: string;
	readonly lines: number;
}

interface EditorFacts extends UncommittedChange {
	readonly uri: vscode.Uri;
	readonly name: string;
	/** Whether the text is prose. Tests are suggested for code only. */
	readonly isProse: boolean;
	readonly selection: SelectedText | undefined;
}

/** Follows the active editor, and suggests actions for it in the chat. */
export class Suggestions extends Disposable {
	private readonly dependencies: ReviewDependencies;
	private readonly controller: ChatController;
	private timer: IDisposable | undefined;
	/** The change of the active editor's file, cached until it may have changed, because it runs Git and masks secrets. */
	private change: { readonly uri: string; readonly found: Promise<UncommittedChange> } | undefined;
	private round = 0;
	private shown = "";

	constructor(dependencies: ReviewDependencies, controller: ChatController, clock: Clock) {
		super();
		this.dependencies = dependencies;
		this.controller = controller;
		const soon = (): void => {
			this.timer?.dispose();
			this.timer = clock.setTimer(restMs, () => void this.look());
		};
		const other = (): void => {
			this.change = undefined;
			soon();
		};
		this.register(vscode.window.onDidChangeActiveTextEditor(other));
		this.register(vscode.window.onDidChangeTextEditorSelection(soon));
		this.register(vscode.workspace.onDidSaveTextDocument(other));
		this.register(
			vscode.workspace.onDidChangeConfiguration(change => {
				// What is excluded isn't sent without a question.
				if (["files.exclude", "search.exclude"].some(name => change.affectsConfiguration(name))) {
					other();
				}
			}),
		);
		this.register(
			controller.onDidChange(changes => {
				if (changes.some(({ type }) => type === "reset")) {
					soon();
				}
			}),
		);
		// What is offered without a model differs.
		this.register(controller.settings.onDidChange(soon));
		this.register({ dispose: () => this.timer?.dispose() });
		void this.look();
	}

	refresh(): void {
		this.change = undefined;
		void this.look();
	}

	/** Suggests actions for the active editor if the chat shows suggestions. Never rejects. */
	private async look(): Promise<void> {
		const { settings } = this.controller;
		if (!settings.isNew && composerView(settings).isDemo !== true) {
			return;
		}
		this.round += 1;
		const { round } = this;
		const facts = await this.factsOf(vscode.window.activeTextEditor);
		const suggestions =
			composerView(settings).isDemo === true
				? await this.withoutModel(facts)
				: this.withModel(facts);
		const shown = suggestions.map(({ label }) => label).join("\n");
		if (round === this.round && shown !== this.shown) {
			this.shown = shown;
			settings.setEnvironment({ suggestions });
		}
	}

	private async factsOf(editor: vscode.TextEditor | undefined): Promise<EditorFacts | undefined> {
		// Logs, reports and storyboards are shown in editors, too.
		if (!editor || !isUserDocument(editor.document)) {
			return undefined;
		}
		const { uri } = editor.document;
		if (this.change?.uri !== uri.toString()) {
			this.change = { uri: uri.toString(), found: changeOf(uri) };
		}
		return {
			uri,
			name: nameOf(uri),
			isProse: /^(?:markdown|plaintext|csv)$/.test(editor.document.languageId),
			selection: selectedText(editor),
			...(await this.change.found),
		};
	}

	private withModel(facts: EditorFacts | undefined): readonly ChatSuggestion[] {
		return [...(facts ? this.aboutCode(facts) : this.withoutCode()), clipOf(facts)];
	}

	private aboutCode(facts: EditorFacts): readonly ChatSuggestion[] {
		const { uri, name, selection, isProse, sent, lines } = facts;
		const place = selection ? selectionName(selection) : name;
		const explain: ChatSuggestion = {
			id: "explain",
			label: l10n.t("Explain {0}", place),
			run: () =>
				selection
					? run("cutaway.explainSelection")
					: this.ask(l10n.t("Explain this file."), attachments => attachments.addUris([uri])),
		};
		if (lines > 0) {
			const review: ChatSuggestion = {
				id: "review",
				label:
					lines === 1 ? l10n.t("Review 1 changed line") : l10n.t("Review {0} changed lines", lines),
				run: () => askForReview(this.dependencies, `${name}.diff`, sent),
			};
			return [explain, review];
		}
		const writeTests: ChatSuggestion = {
			id: "tests",
			label: l10n.t("Write tests for {0}", place),
			run: () =>
				selection
					? run("cutaway.writeTestsForSelection")
					: this.ask(
							l10n.t("Write tests for this file, in the style of the tests that this project has."),
							attachments => attachments.addUris([uri]),
						),
		};
		return isProse ? [explain] : [explain, writeTests];
	}

	private withoutCode(): readonly ChatSuggestion[] {
		const project: ChatSuggestion = {
			id: "explain",
			label: l10n.t("Explain this project"),
			run: () => this.send(l10n.t("What is this project about, and where should I begin to read?")),
		};
		return vscode.workspace.workspaceFolders?.length ? [project, this.help()] : [this.help()];
	}

	/** Suggests only what needs no model. */
	private async withoutModel(facts: EditorFacts | undefined): Promise<readonly ChatSuggestion[]> {
		const sampleEdit: ChatSuggestion = {
			id: "sampleEdit",
			label: l10n.t("Show a sample edit"),
			// The demo supports English only.
			run: () => this.send("Show a sample edit of the selection"),
		};
		const table = await findTable();
		const python: ChatSuggestion = {
			id: "python",
			label: table ? l10n.t("Run Python on {0}", nameOf(table)) : l10n.t("Run Python on a table"),
			run: () =>
				this.ask(l10n.t("What is in this table?"), attachments =>
					table
						? attachments.addUris([table])
						: attachments.addBytes({
								name: "sample.csv",
								bytes: new TextEncoder().encode(sampleTable),
							}),
				),
		};
		return [clipOf(facts), ...(facts?.selection ? [sampleEdit] : []), python, this.help()];
	}

	private help(): ChatSuggestion {
		const question = l10n.t("What can you do?");
		return { id: "help", label: question, run: () => this.send(question) };
	}

	private async send(text: string): Promise<void> {
		await this.controller.send(text);
	}

	private async ask(question: string, attach: Parameters<typeof askWith>[2]): Promise<void> {
		await askWith(this.dependencies, question, attach);
	}
}

/** Without Git there is none. */
async function changeOf(uri: vscode.Uri): Promise<UncommittedChange> {
	const diff = await gitFileDiff(uri).catch(() => undefined);
	const sent = diff ? reviewableDiff(uri.fsPath, diff) : "";
	return { isAny: /^@@ /m.test(diff ?? ""), sent, lines: changedLines(sent) };
}

/** Finds a table of the workspace, without those that the user's settings and Git exclude. */
async function findTable(): Promise<vscode.Uri | undefined> {
	const { token } = new vscode.CancellationTokenSource();
	const [table] = await findFiles("**/*.{csv,tsv}", 1, token).catch(() => []);
	return table;
}

/** The most lines of an open file that one clip shows without scrolling. */
const maxClipLines = 24;

/** Selects the file's first lines, so that the user sees what the clip is of. */
async function clipOfFile(uri: vscode.Uri): Promise<void> {
	const document = await vscode.workspace.openTextDocument(uri);
	const last = document.lineAt(Math.min(document.lineCount, maxClipLines) - 1);
	const selection = new vscode.Range(new vscode.Position(0, 0), last.range.end);
	await vscode.window.showTextDocument(document, { selection });
	await run("cutaway.generateVideoFromSelection");
}

/** Suggests a clip of the change, otherwise of the selection or the open file, otherwise of the sample. */
function clipOf(facts?: EditorFacts): ChatSuggestion {
	const clip = (label: string, work: () => Promise<void>): ChatSuggestion => ({
		id: "clip",
		label,
		run: work,
	});
	if (facts?.isAny) {
		return clip(l10n.t("Make a clip of this change"), () => run("cutaway.generateVideoOfChange"));
	}
	if (facts) {
		const { selection, name, uri } = facts;
		return clip(l10n.t("Make a clip of {0}", selection ? selectionName(selection) : name), () =>
			selection ? run("cutaway.generateVideoFromSelection") : clipOfFile(uri),
		);
	}
	return clip(l10n.t("Make a clip of a sample"), async () => {
		await run("cutaway.openSample");
		await run("cutaway.generateVideoFromSelection");
	});
}

async function run(command: string): Promise<void> {
	await vscode.commands.executeCommand(command);
}

/** Counts the changed lines. A modified line counts once. */
export function changedLines(diff: string): number {
	const count = (sign: string): number =>
		diff.split("\n").filter(line => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
			.length;
	return Math.max(count("+"), count("-"));
}
