import * as vscode from "vscode";
import { ToolFailure } from "../common/errors.ts";

/** The used part of the Git extension's API, version 1. */
interface GitApi {
	readonly git: { readonly path: string };
	readonly repositories: readonly GitRepository[];
	/** Returns null for a file outside of the repositories. */
	getRepository(uri: vscode.Uri): GitRepository | null;
}

export interface GitRepository {
	readonly rootUri: vscode.Uri;
	readonly inputBox: { value: string };
}

/** Returns the path of the Git program, or undefined if there is none. */
export async function gitProgram(): Promise<string | undefined> {
	return (await gitApi().catch(() => undefined))?.git.path;
}

/** Throws `ToolFailure` if the Git extension or Git is missing. */
export async function gitApi(): Promise<GitApi> {
	const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
	if (!extension) {
		throw new ToolFailure("The editor's Git extension is not there.");
	}
	return apiOf(await extension.activate());
}

/** The extension's `getAPI` throws if Git is missing or disabled. */
function apiOf(exports: { getAPI(version: 1): GitApi }): GitApi {
	try {
		return exports.getAPI(1);
	} catch {
		throw new ToolFailure("Git is not there, or is switched off in the editor.");
	}
}
