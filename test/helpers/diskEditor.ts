import {
	closeSync,
	constants,
	existsSync,
	fstatSync,
	ftruncateSync,
	mkdirSync,
	openSync,
	renameSync,
	unlinkSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { dirname, matchesGlob, relative } from "node:path";
import { DocumentError, type DocumentReader } from "../../src/documents/documentText.ts";
import { ToolFailure } from "../../src/common/errors.ts";
import { applyHunks } from "../../src/tools/contract/edits.ts";
import type {
	ActiveDocument,
	EditorActions,
	FileChange,
	FileDiff,
	FileLocation,
	FileSymbol,
	OpenTab,
	Problem,
	ToolVideoRequest,
	VisitedPage,
} from "../../src/tools/contract/editorActions.ts";
import type { ExternalTool } from "../../src/tools/catalog/externalToolList.ts";
import type { PathTarget } from "../../src/paths/resolveTarget.ts";
import { readDocumentOf, readTarget } from "../../src/tools/contract/safeFile.ts";
import { pathsBelow } from "./pathsBelow.ts";

/** What an editor on real files was made to do. */
export interface DiskEditor extends EditorActions {
	/** Every effect, in order: `read PATH`, `edit PATH`, `create PATH`, `video PROMPT` and so on. */
	readonly effects: string[];
	/** The effects that change something. */
	readonly changes: () => string[];
	active: ActiveDocument | undefined;
	open_: OpenTab[];
	problems_: Problem[];
	symbols_: FileSymbol[];
	references_: FileLocation[];
	diffs_: FileDiff[];
	answer: string | undefined;
	/** Reads documents; without one, every document is damaged. */
	documentReader: DocumentReader;
	/** What comes of a visit to an address, where it is not a page of one word. */
	readonly pages: Map<string, VisitedPage>;
	/** Tools of others that can be called, and what each returns. */
	external: readonly ExternalTool[];
	externalResult: string;
	/** Labels of files that may not be changed. */
	readonly readOnly: Set<string>;
	/** Labels of files that a change leaves unsaved. */
	unsaved: string[];
}

/** An editor without a window: it reads and writes the files below `folder`, and only those it is handed as targets. */
export function createDiskEditor(folder: string): DiskEditor {
	const effects: string[] = [];
	const editor: DiskEditor = {
		effects,
		changes: () => effects.filter(effect => !/^(read|list|open|ask) /.test(effect)),
		active: undefined,
		pages: new Map(),
		external: [],
		externalResult: "Echo",
		open_: [],
		problems_: [],
		symbols_: [],
		references_: [],
		diffs_: [],
		answer: undefined,
		documentReader: () => Promise.reject(new DocumentError("damaged", "It is damaged.")),
		readOnly: new Set(),
		unsaved: [],
		activeDocument: () => editor.active,
		openFiles: () => editor.open_,
		readText: target => {
			effects.push(`read ${target.path}`);
			return Promise.resolve({ text: textOf(target), languageId: "plaintext", notes: [] });
		},
		readDocument: async (target, order, signal) => {
			effects.push(`read ${target.path}`);
			return await readDocumentOf(editor.documentReader, target, order, signal);
		},
		listFiles: (glob, limit) => {
			effects.push(`list ${glob}`);
			const paths = pathsBelow(folder).map(({ path }) => path);
			return Promise.resolve(
				paths.filter(path => matchesGlob(relative(folder, path), glob)).slice(0, limit),
			);
		},
		problems: target =>
			editor.problems_.filter(({ path }) => target === undefined || path === target.path),
		symbols: () => Promise.resolve(editor.symbols_),
		references: () => Promise.resolve(editor.references_),
		gitDiff: () => Promise.resolve(editor.diffs_),
		mustBeChangeable: ({ label }) => {
			if (editor.readOnly.has(label)) {
				throw new ToolFailure(`${label} is read-only in the editor. Nothing was changed.`);
			}
		},
		mustBeSavable: () => Promise.resolve(),
		change: changes => {
			verifyAll(changes);
			changes.forEach(change => effects.push(makeChange(change)));
			return Promise.resolve(editor.unsaved);
		},
		open: target => {
			effects.push(`open ${target.path}`);
			return Promise.resolve();
		},
		ask: ({ text }) => {
			effects.push(`ask ${text}`);
			return Promise.resolve(editor.answer);
		},
		// A service that may charge and tells no price, which is what a model may do most harm with.
		videoCost: () => Promise.resolve("This may cost money."),
		videoShape: () => undefined,
		generateVideo: ({ prompt }: ToolVideoRequest) => {
			effects.push(`video ${prompt}`);
			return Promise.resolve("generation-1");
		},
		callExternal: ({ name, digest, input }) => {
			if (!editor.external.some(tool => tool.listedName === name && tool.digest === digest)) {
				throw new ToolFailure("The tool is gone or was changed. It was not called.");
			}
			effects.push(`call ${name} ${JSON.stringify(input)}`);
			return Promise.resolve(editor.externalResult);
		},
		readPage: address => {
			effects.push(`visit ${address}`);
			return Promise.resolve(editor.pages.get(address) ?? { title: "Page", text: "Word" });
		},
	};
	return editor;
}

function textOf(target: PathTarget): string {
	return Buffer.from(readTarget(target)).toString("utf8");
}

function openSame(target: PathTarget, flags: number): number {
	let descriptor: number;
	try {
		descriptor = openSync(target.path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	} catch {
		throw new ToolFailure("The file is not there any more.", true);
	}
	const { dev, ino } = fstatSync(descriptor, { bigint: true });
	if (`${dev}:${ino}` !== target.identity) {
		closeSync(descriptor);
		throw new ToolFailure("Another file is in its place.", true);
	}
	return descriptor;
}

function verifyAll(changes: readonly FileChange[]): void {
	for (const change of changes) {
		if (change.type === "edit" && textOf(change.target) !== change.before) {
			throw new ToolFailure("The file changed.", true);
		}
		if (change.type === "create" && existsSync(change.target.path)) {
			throw new ToolFailure("Something is there already.", true);
		}
	}
}

function makeChange(change: FileChange): string {
	switch (change.type) {
		case "edit": {
			const descriptor = openSame(change.target, constants.O_RDWR);
			ftruncateSync(descriptor);
			writeSync(descriptor, applyHunks(change.before, change.hunks));
			closeSync(descriptor);
			return `edit ${change.target.path}`;
		}
		case "create":
			mkdirSync(dirname(change.target.path), { recursive: true });
			writeFileSync(change.target.path, change.text, { flag: "wx" });
			return `create ${change.target.path}`;
		case "restore":
			mkdirSync(dirname(change.target.path), { recursive: true });
			writeFileSync(change.target.path, change.bytes, { flag: "wx" });
			return `restore ${change.target.path}`;
		case "rename":
			mkdirSync(dirname(change.to.path), { recursive: true });
			renameSync(change.from.path, change.to.path);
			return `rename ${change.from.path} ${change.to.path}`;
		case "delete":
			unlinkSync(change.target.path);
			return `delete ${change.target.path}`;
	}
}
