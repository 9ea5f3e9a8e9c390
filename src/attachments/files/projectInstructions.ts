import { dirname, join } from "node:path";
import { findHidden, type HiddenText } from "../../common/hiddenText.ts";
import { findSecrets } from "../../common/secretContent.ts";
import type { FileDecoder } from "../attachment/attachmentTray.ts";
import { isInDependency } from "../../paths/sensitivePaths.ts";
import { pathInFolder, pathPlatform } from "../../paths/pathForm.ts";
import { AttachmentError } from "../attachment/attachmentError.ts";
import { type InspectedFile, inspectPath, resolveFolders } from "./inspect.ts";
import { openResolved } from "./openFile.ts";
import { readText } from "./readText.ts";

/** Instructions of a project for those who work on it, as they are sent. */
export interface ProjectInstruction {
	/** The path of their file, relative to its workspace folder. */
	readonly name: string;
	/** At most `maxInstructionCharacters` of its text; empty where it is not sent. */
	readonly text: string;
}

/** A file of instructions, as it was found. */
export interface InstructionFile extends ProjectInstruction {
	readonly path: string;
	/** Bytes. */
	readonly size: number;
	readonly isCut: boolean;
	/** Why it is not sent. */
	readonly refused?:
		"outside" | "otherName" | "secret" | "hidden" | "ignored" | "unreadable" | "tooMany";
	/** What is hidden in its text, where it is refused for that. */
	readonly hidden?: HiddenText;
}

/** Whether Git ignores a file, or the settings exclude it; for absolute paths without links. */
export type IsLeftOut = (path: string) => boolean;

/** The most characters of one file that are sent. */
export const maxInstructionCharacters = 32_000;

/** The most files that are sent: those nearest to the root of their folder come first. */
export const maxInstructionFiles = 8;

/** A folder's own instructions: the first of these that is there. */
const rootNames = ["AGENTS.md", ".github/copilot-instructions.md", "CLAUDE.md"];
/** Below the root only this one counts. @see https://agents.md */
const nestedName = "AGENTS.md";

/**
 * Finds and reads the instructions of the workspace: those of each folder, then those between its root and the files `near`,
 * which is absolute. What is below a folder of dependencies or is left out is passed over, because nobody of the project
 * wrote it. A file that is outside the folders, even by a link, that has another name on disk, that may contain secrets or
 * has hidden text, or one of a folder itself that is left out, is found and its text not kept. Never rejects.
 * docs/security.md, T34, T41.
 */
export async function readProjectInstructions(
	folders: readonly string[],
	near: readonly string[],
	decode?: FileDecoder,
	isLeftOut: IsLeftOut = () => false,
): Promise<readonly InstructionFile[]> {
	const resolved = await resolveFolders(folders);
	const found = new Map<string, InstructionFile>();
	for (const [index, folder] of resolved.entries()) {
		// The editor knows the files by the folder that was opened, which may be a link.
		const between = foldersBetween([folders[index] ?? folder, folder], near);
		for (const names of [rootNames, ...between.map(nested)]) {
			const file = await firstOf(folder, names, resolved, decode);
			const isOut = file !== undefined && isLeftOut(file.path);
			// A workspace folder inside another one has its instructions once.
			if (file && !found.has(file.path) && !(isOut && names !== rootNames)) {
				found.set(file.path, isOut ? withoutText(file, "ignored") : file);
			}
		}
	}
	return withinLimit([...found.values()]);
}

function withinLimit(files: readonly InstructionFile[]): readonly InstructionFile[] {
	let sent = 0;
	return files.map((file): InstructionFile => {
		sent += file.refused === undefined ? 1 : 0;
		return file.refused === undefined && sent > maxInstructionFiles
			? withoutText(file, "tooMany")
			: file;
	});
}

/** A file whose text is not sent. */
export function withoutText(
	file: InstructionFile,
	refused: NonNullable<InstructionFile["refused"]>,
): InstructionFile {
	return { ...file, text: "", isCut: false, refused };
}

function nested(folder: string): string[] {
	return [join(folder, nestedName)];
}

/** Folders below a root, which goes by several names, that hold one of the files; outer ones first, relative. */
function foldersBetween(roots: readonly string[], near: readonly string[]): readonly string[] {
	const between = new Set<string>();
	for (const path of near) {
		const [inside] = roots.flatMap(root => pathInFolder(root, path, pathPlatform) ?? []);
		for (let at = dirname(inside ?? "."); at !== "." && at !== "/"; at = dirname(at)) {
			between.add(at);
		}
	}
	return [...between]
		.filter(folder => !isInDependency(folder))
		.sort((one, other) => one.length - other.length);
}

async function firstOf(
	folder: string,
	names: readonly string[],
	folders: readonly string[],
	decode: FileDecoder | undefined,
): Promise<InstructionFile | undefined> {
	for (const name of names) {
		const file = await readInstructionFile(join(folder, name), name, folders, decode);
		if (file) {
			return file;
		}
	}
	return undefined;
}

/**
 * Reads one file of instructions, whose text is not kept where it must not be sent; `name` is what it is called where it can't be
 * read. `folders` are those of `resolveFolders`. Undefined where there is no such file. Never rejects.
 */
export async function readInstructionFile(
	path: string,
	name: string,
	folders: readonly string[],
	decode?: FileDecoder,
): Promise<InstructionFile | undefined> {
	try {
		const found = await inspectPath(path, folders);
		return found.type === "file" ? await readFile(found.file, decode) : undefined;
	} catch (error) {
		return error instanceof AttachmentError && error.kind === "missing"
			? undefined
			: { name, path, size: 0, text: "", isCut: false, refused: "unreadable" };
	}
}

const refusals = {
	sensitive: "secret",
	outsideWorkspace: "outside",
	hardLink: "otherName",
} as const satisfies Record<InspectedFile["concerns"][number]["type"], InstructionFile["refused"]>;

async function readFile(
	file: InspectedFile,
	decode: FileDecoder | undefined,
): Promise<InstructionFile> {
	const { displayPath: name, path, size, concerns } = file;
	const [concern] = concerns;
	const found = { name, path, size, text: "", isCut: false };
	if (concern) {
		return { ...found, refused: refusals[concern.type] };
	}
	const opened = await openResolved(path);
	try {
		const { text, omittedCharacters } = await readText(opened, {
			maxCharacters: maxInstructionCharacters,
			decode,
		});
		// What is sent is judged, too: the file may have changed since it was inspected.
		if (opened.isHardLinked || findSecrets(text).length > 0) {
			return { ...found, refused: opened.isHardLinked ? "otherName" : "secret" };
		}
		const hidden = findHidden(text);
		return hidden
			? { ...found, refused: "hidden", hidden }
			: { ...found, text, isCut: omittedCharacters > 0 };
	} finally {
		await opened.handle.close();
	}
}
