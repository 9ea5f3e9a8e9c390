import { posix } from "node:path";
import * as vscode from "vscode";
import { splitFrontMatter } from "../../attachments/files/skills.ts";
import { systemClock } from "../../common/async.ts";
import { Disposable } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";

/** A prompt in a workspace folder, at `.cutaway/prompts/NAME.md`. */
export interface UserPrompt {
	/** Name after the `/`: the file's name, prefixed with the folder's if it isn't unique. */
	readonly name: string;
	/** The `description` in the front matter, in one line; empty if there is none. */
	readonly description: string;
	readonly text: string;
	readonly folder: string;
}

const maxPromptBytes = 64 * 1024;

/** The most prompts to read per folder. */
const maxPrompts = 200;

/** The longest displayed description, in UTF-16 units. */
const maxDescription = 200;

/** How long a listing is cached, in ms, because a watcher misses changes made while it was being set up. */
const trustedForMs = 1000;

/** File names of prompts: a single word, which is the prompt's name. */
const fileName = /^([\p{L}\p{N}][\p{L}\p{N}_-]{0,63})\.md$/u;

/** The prompts of the workspace folders. Folders are read for the first list, and again after changes. */
export class UserPrompts extends Disposable {
	private readonly log: Log;
	private watchers: readonly vscode.Disposable[] = [];
	private listed: Promise<readonly UserPrompt[]> | undefined;
	private readAt = 0;

	constructor(log: Log) {
		super();
		this.log = log;
	}

	/** Lists the available prompts; none in an untrusted workspace. */
	list(): Promise<readonly UserPrompt[]> {
		if (!vscode.workspace.isTrusted) {
			return Promise.resolve([]);
		}
		if (this.watchers.length === 0) {
			this.watch();
		}
		const now = systemClock.monotonic();
		if (!this.listed || now - this.readAt > trustedForMs) {
			this.readAt = now;
			this.listed = this.read();
		}
		return this.listed;
	}

	override dispose(): void {
		this.forget();
		super.dispose();
	}

	private watch(): void {
		const watchers = (vscode.workspace.workspaceFolders ?? []).map(folder => {
			const pattern = new vscode.RelativePattern(folder, ".cutaway/prompts/*.md");
			const watcher = vscode.workspace.createFileSystemWatcher(pattern);
			const changed = (): void => {
				this.listed = this.read();
			};
			watcher.onDidCreate(changed);
			watcher.onDidChange(changed);
			watcher.onDidDelete(changed);
			return watcher;
		});
		const folders = vscode.workspace.onDidChangeWorkspaceFolders(() => this.forget());
		this.watchers = [...watchers, folders];
	}

	private forget(): void {
		this.watchers.forEach(watcher => watcher.dispose());
		this.watchers = [];
		this.listed = undefined;
	}

	private async read(): Promise<readonly UserPrompt[]> {
		const folders = vscode.workspace.workspaceFolders ?? [];
		const found = await Promise.all(folders.map(folder => readFolder(folder, this.log)));
		const names = new Set<string>();
		return found.flat().map(prompt => {
			const isTaken = names.has(prompt.name);
			names.add(prompt.name);
			return isTaken ? { ...prompt, name: qualifiedName(prompt) } : prompt;
		});
	}
}

/** Returns a prompt's name prefixed with its folder's, for names that aren't unique. */
export function qualifiedName({ folder, name }: Pick<UserPrompt, "folder" | "name">): string {
	const plain = folder.toLowerCase().replaceAll(/[^\p{L}\p{N}_-]+/gu, "-");
	return `${plain.replace(/^[^\p{L}\p{N}]+/u, "") || "folder"}:${name}`;
}

async function readFolder(folder: vscode.WorkspaceFolder, log: Log): Promise<UserPrompt[]> {
	const place = vscode.Uri.joinPath(folder.uri, ".cutaway", "prompts");
	const files = await listFiles(place);
	const read = await Promise.all(
		files.slice(0, maxPrompts).map(async file => {
			try {
				return await readPrompt(vscode.Uri.joinPath(place, file), folder.name, log);
			} catch (error) {
				log.warn("A prompt could not be read", { file, error: toError(error).message });
				return undefined;
			}
		}),
	);
	return read.filter(prompt => prompt !== undefined);
}

/** Lists only regular files, because a link could lead anywhere. */
async function listFiles(place: vscode.Uri): Promise<readonly string[]> {
	try {
		const folders = [vscode.Uri.joinPath(place, ".."), place];
		const stats = await Promise.all(folders.map(uri => vscode.workspace.fs.stat(uri)));
		if (stats.some(({ type }) => type !== vscode.FileType.Directory)) {
			return [];
		}
		const entries = await vscode.workspace.fs.readDirectory(place);
		return entries
			.filter(([name, type]) => type === vscode.FileType.File && fileName.test(name))
			.map(([name]) => name)
			.sort((a, b) => a.localeCompare(b));
	} catch {
		// Most folders contain no prompts.
		return [];
	}
}

async function readPrompt(
	uri: vscode.Uri,
	folder: string,
	log: Log,
): Promise<UserPrompt | undefined> {
	const { size } = await vscode.workspace.fs.stat(uri);
	const file = posix.basename(uri.path);
	if (size > maxPromptBytes) {
		log.warn("A prompt is too large to be used", { file, bytes: size, most: maxPromptBytes });
		return undefined;
	}
	const bytes = await vscode.workspace.fs.readFile(uri);
	const { description, text } = splitFrontMatter(new TextDecoder().decode(bytes), maxDescription);
	const name = (fileName.exec(file)?.[1] ?? "").toLowerCase();
	return text.trim() === "" ? undefined : { name, description, text: text.trim(), folder };
}
