import * as vscode from "vscode";

export interface PlacedFile {
	readonly uri: vscode.Uri;
	/** Whether it was created now. */
	readonly isNew: boolean;
}

/**
 * Returns the URI of a file in a folder with these bytes: an existing one with this name or a numbered form of it, or a new one with the first free
 * name. Creates the folder; changes no existing file. Rejects if nothing can be written.
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

/** Returns a file's metadata, or undefined if it doesn't exist. */
export async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
	try {
		return await vscode.workspace.fs.stat(uri);
	} catch {
		return undefined;
	}
}
