import * as vscode from "vscode";
import type { FilePlace, FileSymbol } from "../tools/tool/index.ts";
import type { Target } from "../paths/index.ts";
import { targetUri } from "./targetUri.ts";

/** The symbols of a file as its language's extension sees them, in the order of the file. */
export async function symbols(target: Target): Promise<readonly FileSymbol[]> {
	const found = await vscode.commands.executeCommand<
		readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
	>("vscode.executeDocumentSymbolProvider", targetUri(target));
	return (found ?? []).flatMap(symbol => flatten(symbol, 0));
}

/** Where the symbol at a place is used. Lines and columns are counted from 1. */
export async function references(
	target: Target,
	line: number,
	column: number,
): Promise<readonly FilePlace[]> {
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
	// What the editor hands out of a tree has a `location` as well, so that the children tell the two apart.
	return "children" in symbol
		? [
				{ name, kind, line: symbol.selectionRange.start.line + 1, depth },
				...symbol.children.flatMap(child => flatten(child, depth + 1)),
			]
		: [{ name, kind, line: symbol.location.range.start.line + 1, depth }];
}
