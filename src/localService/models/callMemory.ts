import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { ToolCall } from "../../client/contract/schemas.ts";
import type { Clock } from "../../common/async.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { writeAtomically } from "../../storage/atomicFile.ts";
import type { WireMessage } from "../openai/wireRequest.ts";

/** The most messages kept in memory and on disk; the oldest are removed first. */
const maxKept = 500;
const maxBytes = 1024 * 1024;
const lifetimeMs = 7 * 24 * 60 * 60 * 1000;
/** The folder is cleaned with the first write and after every 50 writes. */
const sweepEvery = 50;

/** Files of messages, including temporary ones. */
const filePattern = /^[A-Za-z0-9_-]{43}\.json(?:\.[0-9a-f-]{36}\.tmp)?$/;
const messageSchema = z.looseObject({ role: z.string() });

/**
 * Stores messages with tool calls as the model sent them, because some servers need data back with the results that Cutaway's interface can't
 * transport, such as a signature of the thinking.
 */
export class CallMemory {
	private readonly folder: string | undefined;
	private readonly clock: Clock;
	private readonly log: Log;
	private readonly kept = new Map<string, WireMessage>();
	private writes = 0;

	/** Uses a folder that other services of this user may share, created with the first message. Without a folder, keeps messages only in memory. */
	constructor(folder: string | undefined, clock: Clock, log: Log) {
		this.folder = folder;
		this.clock = clock;
		this.log = log;
	}

	/** Stores a message. Never rejects: if writing fails, the message is kept in memory. */
	async keep(model: string, calls: readonly ToolCall[], message: WireMessage): Promise<void> {
		const key = keyOf(model, calls);
		this.remember(key, message);
		const text = JSON.stringify(message);
		if (this.folder === undefined || Buffer.byteLength(text) > maxBytes) {
			return;
		}
		try {
			await mkdir(this.folder, { recursive: true, mode: 0o700 });
			await writeAtomically(join(this.folder, `${key}.json`), text);
			if (this.writes % sweepEvery === 0) {
				await sweep(this.folder, this.clock.now());
			}
			this.writes += 1;
		} catch (error) {
			this.log.warn("A model's call could not be kept on disk", { error: toError(error).message });
		}
	}

	/** Finds the messages of a conversation's calls. Each list contains the calls of one message. */
	async recall(
		model: string,
		conversation: readonly (readonly ToolCall[])[],
	): Promise<(calls: readonly ToolCall[]) => WireMessage | undefined> {
		await Promise.all(conversation.slice(-maxKept).map(calls => this.find(keyOf(model, calls))));
		return calls => this.kept.get(keyOf(model, calls));
	}

	private remember(key: string, message: WireMessage): void {
		this.kept.set(key, message);
		for (const oldest of [...this.kept.keys()].slice(0, Math.max(0, this.kept.size - maxKept))) {
			this.kept.delete(oldest);
		}
	}

	private async find(key: string): Promise<void> {
		const found =
			this.folder && !this.kept.has(key)
				? await read(this.folder, key, this.clock.now())
				: undefined;
		if (found) {
			this.remember(key, found);
		}
	}
}

/** Includes names and arguments, because some servers count ids from 1 in every answer. */
function keyOf(model: string, calls: readonly ToolCall[]): string {
	const named = calls.map(({ id, function: { name, arguments: input } }) => [id, name, input]);
	return createHash("sha256")
		.update(JSON.stringify([model, named]))
		.digest("base64url");
}

async function read(folder: string, key: string, now: number): Promise<WireMessage | undefined> {
	const file = join(folder, `${key}.json`);
	try {
		const { mtimeMs, size } = await stat(file);
		return now - mtimeMs < lifetimeMs && size <= maxBytes
			? messageSchema.safeParse(JSON.parse(await readFile(file, "utf8"))).data
			: undefined;
	} catch {
		// Missing or damaged messages are lost. The calls are then sent as text.
		return undefined;
	}
}

async function sweep(folder: string, now: number): Promise<void> {
	const names = (await readdir(folder)).filter(name => filePattern.test(name));
	const files = await Promise.all(
		names.map(async name => {
			const path = join(folder, name);
			const at = await stat(path).then(
				({ mtimeMs }) => mtimeMs,
				() => 0,
			);
			return { path, at };
		}),
	);
	const newestFirst = files.toSorted((one, other) => other.at - one.at);
	const gone = newestFirst.filter(({ at }, index) => index >= maxKept || now - at >= lifetimeMs);
	await Promise.all(gone.map(({ path }) => rm(path, { force: true })));
}
