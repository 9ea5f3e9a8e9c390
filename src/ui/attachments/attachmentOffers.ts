import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type Clock, Coalescer } from "../../common/async.ts";
import { Disposable, Emitter, type Event } from "../../common/disposable.ts";
import {
	problemsText,
	labelInWorkspace,
	listWorkspaceFiles,
	openUris,
	type WorkspaceFile,
} from "../../editor/workspaceFiles.ts";
import { openRepositories } from "../../editor/gitChanges.ts";
import { type SelectedText, selectedText } from "../../editor/selection.ts";
import type { AttachmentOffer } from "../../shared/attachments.ts";
import { pageAddress } from "./attachPage.ts";
import { bestMatches } from "../base/fuzzyMatch.ts";

export type OfferedThing =
	| { readonly type: "uri"; readonly uri: vscode.Uri }
	| { readonly type: "selection"; readonly selection: SelectedText }
	| { readonly type: "problems" }
	| { readonly type: "changes" }
	| { readonly type: "page"; readonly address: string }
	| { readonly type: "chat" };

interface Candidate {
	readonly kind: AttachmentOffer["kind"];
	/** Text compared with the query; ends with the label. */
	readonly text: string;
	readonly label: string;
	readonly detail: string;
	readonly thing: OfferedThing;
}

const maxOffers = 20;

/** The most offers to remember: those of lists that may still be visible. */
const maxRemembered = 400;

/** How long a list of files is cached, in milliseconds; meant for typing one name. */
const listLifeMs = 10_000;

/** Completions for `@`: files, folders, the selection, the workspace's problems and changes, and an earlier chat. */
export class AttachmentOffers {
	private readonly clock: Clock;
	private readonly memory = new OfferMemory();
	private listed: Promise<readonly Candidate[]> | undefined;
	private listedAt = -Infinity;
	private changes: readonly Candidate[] = [];

	constructor(clock: Clock) {
		this.clock = clock;
	}

	/** Returns the offers that match a query, best first. */
	async complete(query: string): Promise<AttachmentOffer[]> {
		const address = pageAddress(query);
		if (address !== undefined) {
			const detail = l10n.t("Attach page");
			const thing = { type: "page", address } as const;
			return [this.offerOf({ kind: "page", text: query, label: query, detail, thing })];
		}
		const all = await this.candidates();
		const found = bestMatches(query, all, ({ text }) => text, maxOffers);
		return found.map(({ candidate, match }) => this.offerOf(candidate, match.positions));
	}

	/** `positions` are the characters of the candidate's text that match the query. */
	private offerOf(candidate: Candidate, positions: readonly number[] = []): AttachmentOffer {
		const { kind, label, detail, text } = candidate;
		const shift = text.length - label.length;
		const matches = positions.map(position => position - shift).filter(position => position >= 0);
		return { id: this.memory.add(candidate), kind, label, detail, matches };
	}

	/** Returns the content of an offer, or undefined if its id wasn't issued recently. */
	find(id: string): OfferedThing | undefined {
		return this.memory.find(id);
	}

	private async candidates(): Promise<readonly Candidate[]> {
		// Git's extension may take long to start. The list doesn't wait for it.
		void openRepositories().then(
			({ length }) =>
				(this.changes = length > 0 ? [plain("changes", l10n.t("Uncommitted changes"))] : []),
			() => (this.changes = []),
		);
		const now = this.clock.monotonic();
		if (!this.listed || now - this.listedAt > listLifeMs) {
			this.listedAt = now;
			this.listed = listWorkspaceFiles(new vscode.CancellationTokenSource().token).then(
				listCandidates,
			);
		}
		const open = openUris().map(uri => pathCandidate("file", { uri, path: labelInWorkspace(uri) }));
		const known = new Set(open.map(({ text }) => text));
		const others = (await this.listed).filter(({ text }) => !known.has(text));
		const { count } = problemsText(vscode.languages.getDiagnostics());
		const detail = count === 1 ? l10n.t("1 problem") : l10n.t("{0} problems", count);
		const problems = [plain("problems", detail)];
		const chat = plain("chat", l10n.t("An earlier chat"));
		// Without problems, the offer is last and can't be accepted.
		const [first, last] = count > 0 ? [problems, []] : [[], problems];
		return [...selections(), ...first, ...this.changes, ...open, chat, ...last, ...others];
	}
}

class OfferMemory {
	private readonly ids = new Map<string, string>();
	private readonly things = new Map<string, OfferedThing>();
	private nextId = 0;

	/** Returns an offer's id. The same content keeps its id, so that it stays selected when the list is updated. */
	add({ kind, text, thing }: Candidate): string {
		const { ids, things } = this;
		const key = `${kind} ${text}`;
		const id = ids.get(key) ?? `offer-${this.nextId++}`;
		// Moves it to the end, because the oldest offers are removed.
		ids.delete(key);
		ids.set(key, id);
		things.set(id, thing);
		const [oldest] = ids;
		if (oldest && ids.size > maxRemembered) {
			ids.delete(oldest[0]);
			things.delete(oldest[1]);
		}
		return id;
	}

	find(id: string): OfferedThing | undefined {
		return this.things.get(id);
	}
}

/** Returns the offer of the selection, if there is one. */
function selections(): readonly Candidate[] {
	const selection = selectedText(vscode.window.activeTextEditor);
	return selection ? [selectionCandidate(selection)] : [];
}

function selectionCandidate(selection: SelectedText): Candidate {
	const label = selectionName(selection);
	return {
		kind: "selection",
		text: `selection ${label}`,
		label,
		detail: l10n.t("Selection"),
		thing: { type: "selection", selection },
	};
}

/** Returns a selection's name: its file and lines, such as “cart.ts:36-42”, as in VS Code's own attachments. */
export function selectionName({ name, startLine, endLine }: SelectedText): string {
	const lines = startLine === endLine ? `${startLine + 1}` : `${startLine + 1}-${endLine + 1}`;
	return `${name}:${lines}`;
}

/** Delay between the last change of a selection and offering it, in milliseconds. */
const selectionMs = 250;

/** The selection of the last used editor, as the composer offers it. */
export class ShownSelection extends Disposable {
	private readonly changed = this.register(new Emitter<void>());
	current: SelectedText | undefined;
	/** Fires when other lines are selected, or none. */
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(clock: Clock) {
		super();
		const later = this.register(new Coalescer(selectionMs, () => this.look(), clock));
		this.register(vscode.window.onDidChangeTextEditorSelection(() => later.schedule()));
		this.register(vscode.window.onDidChangeActiveTextEditor(() => later.schedule()));
		later.schedule();
	}

	look(): void {
		const before = this.current && selectionName(this.current);
		this.current = selectedText(vscode.window.activeTextEditor);
		if ((this.current && selectionName(this.current)) !== before) {
			this.changed.fire();
		}
	}
}

/** Returns the candidate of a kind that has only one. */
function plain(kind: "problems" | "changes" | "chat", detail: string): Candidate {
	return { kind, text: kind, label: kind, detail, thing: { type: kind } };
}

/** Returns the files, then the folders that contain them. */
function listCandidates(files: readonly WorkspaceFile[]): readonly Candidate[] {
	return [
		...files.map(file => pathCandidate("file", file)),
		...foldersOf(files).map(folder => pathCandidate("folder", folder)),
	];
}

function pathCandidate(kind: "file" | "folder", { uri, path }: WorkspaceFile): Candidate {
	const cut = path.lastIndexOf("/") + 1;
	return {
		kind,
		text: path,
		label: path.slice(cut),
		detail: path.slice(0, Math.max(0, cut - 1)),
		thing: { type: "uri", uri },
	};
}

/** Returns the folders that contain the files, without duplicates. */
function foldersOf(files: readonly WorkspaceFile[]): readonly WorkspaceFile[] {
	const folders = new Map<string, WorkspaceFile>();
	for (const { uri, path } of files) {
		let parent = { uri, path };
		for (
			let cut = path.lastIndexOf("/");
			cut > 0 && !folders.has(path.slice(0, cut));
			cut = parent.path.lastIndexOf("/")
		) {
			parent = { uri: vscode.Uri.joinPath(parent.uri, ".."), path: path.slice(0, cut) };
			folders.set(parent.path, parent);
		}
	}
	return [...folders.values()].filter(({ uri }) => !isWorkspaceRoot(uri));
}

/** With several workspace folders, a path starts with the folder's name, which means the folder. */
function isWorkspaceRoot(uri: vscode.Uri): boolean {
	return (vscode.workspace.workspaceFolders ?? []).some(
		folder => folder.uri.toString() === uri.toString(),
	);
}
