import * as vscode from "vscode";

/** A file in its place. */
export interface PlacedFile {
	readonly uri: vscode.Uri;
	/** Whether it was not there before. */
	readonly isNew: boolean;
}

/**
 * Resolves with the address of a file in a folder that holds these bytes: one that is there under this name or a numbered form
 * of it, or one that is written under the first of them that is free. Makes the folder; changes no file that is there. Rejects
 * when nothing can be written.
 */
export async function placeFile(
	folder: vscode.Uri,
	name: string,
	bytes: Uint8Array,
): Promise<PlacedFile> {
	const { fs } = vscode.workspace;
	await fs.createDirectory(folder);
	const dot = name.lastIndexOf(".");
	for (let number = 1; ; number++) {
		const free = number === 1 ? name : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
		const target = vscode.Uri.joinPath(folder, free);
		const found = await statOf(target);
		if (!found) {
			await fs.writeFile(target, bytes);
			return { uri: target, isNew: true };
		}
		const isLikely = found.type === vscode.FileType.File && found.size === bytes.length;
		if (isLikely && Buffer.from(await fs.readFile(target)).equals(bytes)) {
			return { uri: target, isNew: false };
		}
	}
}

/** Says what is at an address; undefined for nothing. */
export async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
	try {
		return await vscode.workspace.fs.stat(uri);
	} catch {
		return undefined;
	}
}
