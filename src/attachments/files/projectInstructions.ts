import { dirname, join } from "node:path";
import { pathInFolder, pathPlatform } from "../../paths/index.ts";
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
	readonly refused?: "outside" | "secret" | "unreadable";
}

/** The most characters of one file that are sent. */
export const maxInstructionCharacters = 32_000;

/** The most files that are sent: those nearest to the root of their folder come first. */
const maxFiles = 8;

/** A folder's own instructions: the first of these that is there. */
const rootNames = ["AGENTS.md", ".github/copilot-instructions.md", "CLAUDE.md"];
/** Below the root only this one counts. @see https://agents.md */
const nestedName = "AGENTS.md";

/**
 * Finds and reads the instructions of the workspace: those of each folder, then those between its root and the files `near`,
 * which is absolute. What is outside the folders, even by a link, or holds a secret is found and not read. Never rejects.
 */
export async function readProjectInstructions(
	folders: readonly string[],
	near: readonly string[],
): Promise<readonly InstructionFile[]> {
	const resolved = await resolveFolders(folders);
	const found: InstructionFile[] = [];
	for (const folder of resolved) {
		for (const names of [rootNames, ...foldersBetween(folder, near).map(nested)]) {
			const file = await firstOf(folder, names, resolved);
			if (file && found.length < maxFiles) {
				found.push(file);
			}
		}
	}
	return found;
}

function nested(folder: string): string[] {
	return [join(folder, nestedName)];
}

/** Folders below the root that hold one of the files, outer ones first, relative. */
function foldersBetween(root: string, near: readonly string[]): readonly string[] {
	const between = new Set<string>();
	for (const path of near) {
		const inside = pathInFolder(root, path, pathPlatform);
		for (let at = dirname(inside ?? "."); at !== "." && at !== "/"; at = dirname(at)) {
			between.add(at);
		}
	}
	return [...between].sort((one, other) => one.length - other.length);
}

async function firstOf(
	folder: string,
	names: readonly string[],
	folders: readonly string[],
): Promise<InstructionFile | undefined> {
	for (const name of names) {
		const path = join(folder, name);
		try {
			const found = await inspectPath(path, folders);
			if (found.type === "file") {
				return await readFile(found.file);
			}
		} catch (error) {
			if (!(error instanceof AttachmentError) || error.kind !== "missing") {
				return { name, path, size: 0, text: "", isCut: false, refused: "unreadable" };
			}
		}
	}
	return undefined;
}

async function readFile(file: InspectedFile): Promise<InstructionFile> {
	const { displayPath: name, path, size, concerns } = file;
	if (concerns.length > 0) {
		const isSecret = concerns.some(({ type }) => type === "sensitive");
		const refused = isSecret ? "secret" : "outside";
		return { name, path, size, text: "", isCut: false, refused };
	}
	const opened = await openResolved(path);
	try {
		const { text, omittedCharacters } = await readText(opened, maxInstructionCharacters);
		return { name, path, size, text, isCut: omittedCharacters > 0 };
	} finally {
		await opened.handle.close();
	}
}
