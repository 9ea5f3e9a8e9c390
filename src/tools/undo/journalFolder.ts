import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Clock } from "../../common/async.ts";
import { parseJson } from "../../common/json.ts";
import { writeAtomically } from "../../storage/atomicFile.ts";
import { sha256 } from "../contract/safeFile.ts";
import { type KeptChange, keptChangeSchema } from "./keptChange.ts";

/** Storage limits: bytes per chat, and how long a chat without changes keeps them, in milliseconds. */
export const maxChatBytes = 20 * 1024 * 1024;
const maxAgeMs = 90 * 24 * 60 * 60 * 1000;

interface KnownFile {
	readonly size: number;
	readonly at: number;
}

/** The files of a journal: one per call, in a folder per chat. */
export class JournalFolder {
	private readonly root: string;
	private readonly clock: Clock;
	private readonly sizes = new Map<string, Map<string, KnownFile>>();
	private isPruned = false;

	/** `root` is an absolute path. Files are accessible by their owner only. */
	constructor(root: string, clock: Clock) {
		this.root = root;
		this.clock = clock;
	}

	/** Writes an entry atomically. Removes the chat's oldest ones above 20 MiB. */
	async write(chatId: string, change: KeptChange): Promise<void> {
		if (!this.isPruned) {
			this.isPruned = true;
			await removeOldChats(this.root, this.clock.now() - maxAgeMs);
		}
		const name = `${fileNameOf(change.callId)}.json`;
		const text = JSON.stringify(change);
		await mkdir(this.folderOf(chatId), { recursive: true, mode: 0o700 });
		await writeAtomically(join(this.folderOf(chatId), name), text);
		const files = await this.known(chatId);
		files.set(name, { size: Buffer.byteLength(text), at: change.at });
		for (const old of surplus(files, name)) {
			await this.removeFile(chatId, old);
		}
	}

	/** Resolves to undefined if it doesn't exist or can't be read. */
	read(chatId: string, callId: string): Promise<KeptChange | undefined> {
		return readChange(join(this.folderOf(chatId), `${fileNameOf(callId)}.json`));
	}

	async list(chatId: string): Promise<readonly KeptChange[]> {
		const names = await namesIn(this.folderOf(chatId));
		const changes = await Promise.all(
			names.map(name => readChange(join(this.folderOf(chatId), name))),
		);
		return changes.filter(change => change !== undefined);
	}

	remove(chatId: string, callId: string): Promise<void> {
		return this.removeFile(chatId, `${fileNameOf(callId)}.json`);
	}

	private folderOf(chatId: string): string {
		return join(this.root, fileNameOf(chatId));
	}

	private async known(chatId: string): Promise<Map<string, KnownFile>> {
		const files = this.sizes.get(chatId) ?? (await filesIn(this.folderOf(chatId)));
		this.sizes.set(chatId, files);
		return files;
	}

	private async removeFile(chatId: string, name: string): Promise<void> {
		(await this.known(chatId)).delete(name);
		await rm(join(this.folderOf(chatId), name), { force: true });
	}
}

/** Converts an id, which may come from a model, to a safe file name. */
function fileNameOf(id: string): string {
	return sha256(id).slice(0, 32);
}

/** Returns the oldest files to remove until the rest fits; never the one just written. */
function surplus(files: ReadonlyMap<string, KnownFile>, written: string): string[] {
	let total = [...files.values()].reduce((sum, { size }) => sum + size, 0);
	const oldest = [...files].sort(([, a], [, b]) => a.at - b.at);
	const names: string[] = [];
	for (const [name, { size }] of oldest) {
		if (total > maxChatBytes && name !== written) {
			total -= size;
			names.push(name);
		}
	}
	return names;
}

async function readChange(path: string): Promise<KeptChange | undefined> {
	// A missing or damaged entry can't be undone.
	const text = await readFile(path, "utf8").catch(() => "");
	return z.safeParse(keptChangeSchema, parseJson(text)).data;
}

async function namesIn(folder: string): Promise<string[]> {
	// There is no folder before a tool has changed anything in the chat.
	const names = await readdir(folder).catch(() => []);
	return names.filter(name => name.endsWith(".json"));
}

async function filesIn(folder: string): Promise<Map<string, KnownFile>> {
	const files = await Promise.all(
		(await namesIn(folder)).map(async name => {
			const { size, mtimeMs } = await stat(join(folder, name));
			return [name, { size, at: mtimeMs }] as const;
		}),
	);
	return new Map(files);
}

async function removeOldChats(root: string, before: number): Promise<void> {
	await mkdir(root, { recursive: true, mode: 0o700 });
	for (const name of await readdir(root)) {
		if ((await stat(join(root, name))).mtimeMs < before) {
			await rm(join(root, name), { recursive: true, force: true });
		}
	}
}
