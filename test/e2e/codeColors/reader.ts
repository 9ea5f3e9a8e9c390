/**
 * An extension that does what `wanted.json` beside the user's settings asks: sets settings, opens a document, and writes the colors that a clip of the
 * whole document would have to `colors.json`, again until something else is asked.
 */
import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { colorKey, codeTextsOf } from "../../../src/clip/codeTexts.ts";
import { delay, systemClock } from "../../../src/common/async.ts";
import { formatLogLine, logOf } from "../../../src/common/log.ts";
import { ClipLooksReader } from "../../../src/ui/clipLooks/clipLooksReader.ts";
import { createFakeSettings } from "../../helpers/fakeSettings.ts";

/** What the test asks for. */
export interface Wanted {
	readonly number: number;
	readonly uri: string;
	readonly settings: Readonly<Record<string, unknown>>;
}

/** The scheme of a file system that is on no disk for the editor: the files of the folder in `virtualFolder` beside the user's settings. */
const virtualScheme = "shop";

/** How often an unchanged question is answered again: language servers start late. */
const answerMs = 1_500;

const notes: string[] = [];

const log = logOf((_, message, details) => void notes.push(formatLogLine(message, details)));

export function activate(context: vscode.ExtensionContext): void {
	const folder = dirname(dirname(context.globalStorageUri.fsPath));
	const own = vscode.extensions.getExtension("cutaway.cutaway")?.extensionUri;
	const dist = (...names: readonly string[]): string =>
		own ? vscode.Uri.joinPath(own, "dist", ...names).fsPath : "";
	const reader = new ClipLooksReader({
		settings: createFakeSettings(),
		log,
		clock: systemClock,
		colorsFile: dist("codeColors.js"),
		oniguruma: dist("video", "onig.wasm.br"),
	});
	const provider = vscode.workspace.registerFileSystemProvider(
		virtualScheme,
		virtualFiles(join(folder, "virtualFolder")),
		{ isReadonly: true },
	);
	context.subscriptions.push(provider);
	void answer(folder, reader);
}

async function answer(folder: string, reader: ClipLooksReader): Promise<never> {
	let done = -1;
	let answeredAt = 0;
	for (;;) {
		await delay(20);
		const wanted = await readWanted(folder);
		const isNew = wanted !== undefined && wanted.number !== done;
		if (wanted && (isNew || systemClock.monotonic() - answeredAt > answerMs)) {
			try {
				await (isNew ? show(wanted) : showAgain());
				const found = await colorsOf(reader);
				const file = join(folder, "colors.json");
				await writeFile(`${file}.new`, JSON.stringify({ ...found, number: wanted.number, notes }));
				await rename(`${file}.new`, file);
				done = wanted.number;
			} catch (error) {
				notes.push(String(error));
			}
			answeredAt = systemClock.monotonic();
		}
	}
}

async function readWanted(folder: string): Promise<Wanted | undefined> {
	try {
		return JSON.parse(await readFile(join(folder, "wanted.json"), "utf8"));
	} catch {
		// Nothing is asked yet, or the file is being written.
		return undefined;
	}
}

/** The editor gives up a line for which its time did not suffice, as on a busy machine. */
async function showAgain(): Promise<void> {
	await vscode.commands.executeCommand("editor.action.forceRetokenize");
}

async function show({ settings, uri }: Wanted): Promise<void> {
	notes.length = 0;
	for (const [name, value] of Object.entries(settings)) {
		const all = vscode.workspace.getConfiguration();
		if (JSON.stringify(all.inspect(name)?.globalValue) !== JSON.stringify(value)) {
			await all.update(name, value, vscode.ConfigurationTarget.Global);
		}
	}
	const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
	await vscode.window.showTextDocument(document);
}

async function colorsOf(reader: ClipLooksReader): Promise<object> {
	const document = vscode.window.activeTextEditor?.document;
	const name = document?.uri.path.slice(document.uri.path.lastIndexOf("/") + 1);
	const code = document?.getText().trimEnd() ?? "";
	const prompt = `~~~~${document?.languageId} title="${name}" line=1\n${code}\n~~~~`;
	const looks = await reader.read([prompt]);
	const [text] = codeTextsOf(prompt, looks.tabSize);
	const isTrusted = vscode.workspace.isTrusted;
	return { isTrusted, lines: text?.lines, colors: looks.colors?.[colorKey(text?.lines ?? [])] };
}

function virtualFiles(folder: string): vscode.FileSystemProvider {
	const nothing = new vscode.Disposable(() => {});
	const refuse = (): never => {
		throw vscode.FileSystemError.NoPermissions();
	};
	const found = async <T>(uri: vscode.Uri, read: (path: string) => Promise<T>): Promise<T> => {
		try {
			return await read(join(folder, ...uri.path.split("/")));
		} catch {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
	};
	return {
		onDidChangeFile: () => nothing,
		watch: () => nothing,
		stat: uri =>
			found(uri, async path => {
				const { size, ctimeMs: ctime, mtimeMs: mtime, ...entry } = await stat(path);
				const isFolder = (entry.mode & 16384) !== 0;
				return {
					size,
					ctime,
					mtime,
					type: isFolder ? vscode.FileType.Directory : vscode.FileType.File,
				};
			}),
		readDirectory: uri =>
			found(uri, async path => (await readdir(path)).map(name => [name, vscode.FileType.File])),
		readFile: uri => found(uri, path => readFile(path)),
		createDirectory: refuse,
		writeFile: refuse,
		delete: refuse,
		rename: refuse,
	};
}
