import * as vscode from "vscode";
import type {
	EditorActions,
	Problem,
	FileLocation,
	FileSymbol,
} from "../tools/contract/editorActions.ts";
import type { WorkspacePaths, PathTarget } from "../paths/resolveTarget.ts";
import type { DocumentReader } from "../documents/documentText.ts";
import { readDocumentOf } from "../tools/contract/safeFile.ts";
import { applyChanges, mustBeChangeable, mustBeSavable } from "./applyChanges.ts";
import { activeDocument, openFiles, readText, showLines } from "./documents.ts";
import { gitDiff } from "./gitChanges.ts";
import { targetUri, findFiles, understandGlob } from "./workspaceFiles.ts";

export interface ToolsOutside extends Pick<
	EditorActions,
	"ask" | "videoCost" | "videoShape" | "generateVideo" | "readPage" | "callExternal"
> {
	readonly readDocument: DocumentReader;
}

/** Implements the tools' access to the editor. `outside` contains the actions that other modules implement. */
export function createEditorActions(
	paths: () => WorkspacePaths,
	{ readDocument, ...outside }: ToolsOutside,
): EditorActions {
	return {
		activeDocument,
		openFiles,
		readText: target => readText(target, paths()),
		readDocument: (target, order, signal) => readDocumentOf(readDocument, target, order, signal),
		listFiles: (glob, limit, signal) => listFiles(glob, limit, signal, paths()),
		problems,
		symbols,
		references,
		gitDiff,
		mustBeChangeable: target => mustBeChangeable(target, paths()),
		mustBeSavable: change => mustBeSavable(change, paths()),
		change: changes => applyChanges(changes, paths()),
		open: showLines,
		...outside,
	};
}

const severities = ["error", "warning", "info", "hint"] as const;

/** Returns the editor's problems for one file or all files, most severe first. */
function problems(target: PathTarget | undefined): Problem[] {
	const all: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[] = target
		? [[targetUri(target), vscode.languages.getDiagnostics(targetUri(target))]]
		: vscode.languages.getDiagnostics();
	return all
		.filter(([uri]) => uri.scheme === "file")
		.flatMap(([uri, diagnostics]) =>
			diagnostics.map(({ range, severity, source, message }) => ({
				path: uri.fsPath,
				line: range.start.line + 1,
				column: range.start.character + 1,
				severity: severities[severity] ?? "info",
				source: source ?? "",
				message,
			})),
		)
		.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

/** Returns a file's symbols from its language extension, in document order. */
async function symbols(target: PathTarget): Promise<readonly FileSymbol[]> {
	const found = await vscode.commands.executeCommand<
		readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
	>("vscode.executeDocumentSymbolProvider", targetUri(target));
	return (found ?? []).flatMap(symbol => flatten(symbol, 0));
}

/** Finds the references of the symbol at a position. Lines and columns are counted from 1. */
async function references(
	target: PathTarget,
	line: number,
	column: number,
): Promise<readonly FileLocation[]> {
	const found = await vscode.commands.executeCommand<readonly vscode.Location[] | undefined>(
		"vscode.executeReferenceProvider",
		targetUri(target),
		new vscode.Position(line - 1, column - 1),
	);
	return (found ?? [])
		.filter(({ uri }) => uri.scheme === "file")
		.map(({ uri, range }) => ({
			path: uri.fsPath,
			line: range.start.line + 1,
			column: range.start.character + 1,
		}));
}

function flatten(
	symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
	depth: number,
): FileSymbol[] {
	const { name } = symbol;
	const kind = vscode.SymbolKind[symbol.kind].toLowerCase();
	// Symbols from a tree also have a `location`, so `children` is checked instead.
	const isTree = "children" in symbol;
	const { start, end } = isTree ? symbol.range : symbol.location.range;
	const line = (isTree ? symbol.selectionRange.start : start).line + 1;
	return [
		{ name, kind, line, first: start.line + 1, last: end.line + 1, depth },
		...(isTree ? symbol.children.flatMap(child => flatten(child, depth + 1)) : []),
	];
}

/** Returns absolute paths of files that match a glob, at most `limit`, without files that `files.exclude`, `search.exclude` or Git excludes. */
async function listFiles(
	glob: string,
	limit: number,
	signal: AbortSignal,
	paths: WorkspacePaths,
): Promise<readonly string[]> {
	const meant = understandGlob(glob, paths);
	if (meant.type === "file") {
		return [meant.path];
	}
	const source = new vscode.CancellationTokenSource();
	const onAbort = (): void => source.cancel();
	signal.addEventListener("abort", onAbort, { once: true });
	try {
		const uris = await findFiles(meant.glob, limit, source.token, meant.folder, signal);
		return uris.filter(({ scheme }) => scheme === "file").map(({ fsPath }) => fsPath);
	} finally {
		signal.removeEventListener("abort", onAbort);
		source.dispose();
	}
}
