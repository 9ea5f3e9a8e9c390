import { dirname, join } from "node:path";
import { findHidden, type HiddenText } from "../../common/hiddenText.ts";
import { findSecrets } from "../../common/secretContent.ts";
import type { Exclusion, FileDecoder } from "../contract/attachmentTray.ts";
import { isInDependency } from "../../paths/sensitivePaths.ts";
import { pathInFolder, pathPlatform } from "../../paths/pathForm.ts";
import { AttachmentError } from "../contract/failures.ts";
import { type InspectedFile, inspectPath, resolveFolders } from "./inspect.ts";
import { openResolved } from "./openedFile.ts";
import { readText } from "./readText.ts";

/** A project's instructions for its contributors, as sent to the model. */
export interface ProjectInstruction {
	/** File path relative to its workspace folder. */
	readonly name: string;
	/** Text of at most `maxInstructionCharacters`; empty if it isn't sent. */
	readonly text: string;
}

export interface InstructionFile extends ProjectInstruction {
	readonly path: string;
	/** In bytes. */
	readonly size: number;
	readonly isCut: boolean;
	/** Why it isn't sent. */
	readonly refused?:
		"outside" | "otherName" | "secret" | "hidden" | "ignored" | "unreadable" | "tooMany";
	readonly hidden?: HiddenText;
}

/** The most characters of a file to send. */
export const maxInstructionCharacters = 32_000;

/** The most files to send. Files nearest to the root of their folder come first. */
export const maxInstructionFiles = 8;

/** A folder's instructions: the first of these files that exists. */
const rootNames = ["AGENTS.md", ".github/copilot-instructions.md", "CLAUDE.md"];
/** The only file that counts below the root. @see https://agents.md */
const nestedName = "AGENTS.md";

/**
 * Finds and reads the workspace's instructions: those of each folder, then those between its root and the files `near`, which are absolute. Skips
 * folders of dependencies and ignored files below the root, because they aren't the project's own. Returns a file without its text if it is outside
 * the folders, also through a link, if it has further hard links, may contain secrets or has hidden text, or if it is an ignored file at a root.
 * Never rejects. docs/security.md.
 */
export async function readProjectInstructions(
	folders: readonly string[],
	near: readonly string[],
	decode?: FileDecoder,
	leftOutOf: Exclusion = () => Promise.resolve(new Set()),
): Promise<readonly InstructionFile[]> {
	const resolved = await resolveFolders(folders);
	const found = new Map<string, InstructionFile & { readonly isAtRoot: boolean }>();
	for (const [index, folder] of resolved.entries()) {
		// The editor uses the path as it was opened, which may be a link.
		const between = foldersBetween([folders[index] ?? folder, folder], near);
		for (const names of [rootNames, ...between.map(inner => [join(inner, nestedName)])]) {
			const file = await firstOf(folder, names, resolved, decode);
			// Nested workspace folders may find the same instructions.
			if (file && !found.has(file.path)) {
				found.set(file.path, { ...file, isAtRoot: names === rootNames });
			}
		}
	}
	const leftOut = await leftOutOf([...found.keys()]);
	const files = [...found.values()].flatMap(({ isAtRoot, ...file }) => {
		const isOut = leftOut.has(file.path);
		return isOut ? (isAtRoot ? [withoutText(file, "ignored")] : []) : [file];
	});
	return withinLimit(files, maxInstructionFiles);
}

/** Returns the files with the text of at most `most` of them. */
export function withinLimit<File extends InstructionFile>(
	files: readonly File[],
	most: number,
): readonly File[] {
	const sent = files.filter(({ refused }) => refused === undefined);
	const beyond = new Set(sent.slice(most));
	return files.map(file => (beyond.has(file) ? withoutText(file, "tooMany") : file));
}

export function withoutText<File extends InstructionFile>(
	file: File,
	refused: NonNullable<InstructionFile["refused"]>,
): File {
	return { ...file, text: "", isCut: false, refused };
}

/** Returns the folders from a root down to the files, as relative paths, outer ones first. `roots` are names of the same root. */
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
 * Reads a file of instructions, without its text if that must not be sent. `name` is used if the file can't be read. `folders` must come from
 * `resolveFolders`. Returns undefined if there is no such file. Never rejects.
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
		// Checks the text that will be sent, because the file may have changed since it was inspected.
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
