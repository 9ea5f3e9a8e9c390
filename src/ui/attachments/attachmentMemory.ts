import { join } from "node:path";
import * as z from "zod/mini";
import { type Attachment, textSources } from "../../attachments/contract/attachment.ts";
import type { StoredValue } from "../base/keptValue.ts";
import type {
	AttachedBytes,
	AttachedText,
	ReturnedImage,
} from "../../attachments/contract/attachmentTray.ts";
import type { AttachmentTray } from "../../attachments/tray.ts";
import { attachmentUseSchema } from "../../shared/attachments.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { writeReplaceable } from "../../storage/atomicFile.ts";
import { nodeFileSystem } from "../../storage/fileSystem.ts";

const lines = z.object({ first: z.int(), last: z.int() });

const textFields = {
	name: z.string(),
	path: z.exactOptional(z.string()),
	language: z.exactOptional(z.string()),
	lines: z.exactOptional(lines),
	source: z.exactOptional(z.enum(textSources)),
	address: z.exactOptional(z.string()),
};

/** Name of a content in its folder. */
const contentId = z.uuid();

/** Record of a draft's attachments: their origins, with short texts. Other contents are in files of their own. */
const keptSchema = z.array(
	z.discriminatedUnion("type", [
		z.object({
			type: z.literal("path"),
			/** As it was attached; the folder's path for its files. */
			path: z.string(),
			files: z.array(z.object({ path: z.string(), use: attachmentUseSchema })),
		}),
		z.object({
			type: z.literal("text"),
			content: z.object({ ...textFields, text: z.string() }),
		}),
		z.object({ type: z.literal("longText"), content: z.object(textFields), id: contentId }),
		z.object({ type: z.literal("bytes"), name: z.string(), id: contentId }),
	]),
);
type KeptAttachments = z.infer<typeof keptSchema>;

/** Those of the shown chat alone, or with those of others. */
const memorySchema = z.union([
	keptSchema,
	z.object({ shown: keptSchema, others: z.record(z.string(), keptSchema) }),
]);

/** Origin of an attachment that a reload can restore. */
export type AttachmentOrigin =
	| { readonly type: "bytes"; readonly file: AttachedBytes }
	| { readonly type: "path"; readonly path: string }
	| { readonly type: "text"; readonly text: AttachedText };

/** The longest text to store, in characters, because VS Code keeps it in memory. */
const maxKeptCharacters = 20_000;

/** Contents of a draft's attachments that aren't in a file of the user's: pasted images and long texts. They stay until they are sent or removed. */
export class DraftContents {
	private readonly folder: string | undefined;
	private readonly log: Log;
	private readonly written = new Set<string>();
	private work = Promise.resolve();

	/** Without a folder, as in a window without a workspace, keeps nothing. */
	constructor(folder: string | undefined, log: Log) {
		this.folder = folder;
		this.log = log;
	}

	/** Returns a content; undefined if it isn't there or can't be read. */
	async read(id: string): Promise<Uint8Array | undefined> {
		return this.folder === undefined
			? undefined
			: await nodeFileSystem.read(join(this.folder, id)).catch(() => undefined);
	}

	/** Writes the contents that aren't there and removes all others. If that fails, only a reload loses them. */
	keep(contents: ReadonlyMap<string, Uint8Array | string>): void {
		const { folder, log } = this;
		if (folder === undefined) {
			return;
		}
		this.work = this.work
			.then(() => this.update(folder, contents))
			.catch((error: unknown) =>
				log.warn("The contents of a draft's attachments could not be kept", {
					error: toError(error).message,
				}),
			);
	}

	/** Resolves when all is on disk, or writing it failed. */
	async settled(): Promise<void> {
		await this.work;
	}

	private async update(
		folder: string,
		contents: ReadonlyMap<string, Uint8Array | string>,
	): Promise<void> {
		const isNew = (id: string): boolean => !this.written.has(id);
		if ([...contents.keys()].some(isNew)) {
			await nodeFileSystem.makeFolder(folder);
		}
		for (const [id, content] of contents) {
			if (isNew(id)) {
				await writeReplaceable(join(folder, id), content);
				this.written.add(id);
			}
		}
		for (const name of await nodeFileSystem.names(folder)) {
			if (!contents.has(name)) {
				await nodeFileSystem.remove(join(folder, name));
				this.written.delete(name);
			}
		}
	}
}

export function keepAttachments(
	tray: Pick<AttachmentTray, "attachments" | "aside">,
	originOf: (id: string) => AttachmentOrigin | undefined,
	memory: StoredValue,
	contents: DraftContents,
): void {
	const files = new Map<string, Uint8Array | string>();
	const keptOf = (attachments: readonly Attachment[]): KeptAttachments =>
		describeAttachments(attachments, originOf, files);
	const shown = keptOf(tray.attachments);
	const others = [...tray.aside].flatMap(([chat, attachments]): [string, KeptAttachments][] => {
		const kept = keptOf(attachments);
		return kept.length > 0 ? [[chat, kept]] : [];
	});
	const alone = shown.length > 0 ? shown : undefined;
	memory.set(others.length > 0 ? { shown, others: Object.fromEntries(others) } : alone);
	contents.keep(files);
}

/** Returns the record of one message's attachments. Adds to `files` what goes into files of its own. */
function describeAttachments(
	attachments: readonly Attachment[],
	originOf: (id: string) => AttachmentOrigin | undefined,
	files: Map<string, Uint8Array | string>,
): KeptAttachments {
	const paths = new Map<string, Extract<KeptAttachments[number], { type: "path" }>>();
	const kept: KeptAttachments = [];
	for (const attachment of attachments) {
		const { id } = attachment;
		const origin = originOf(id);
		if (origin?.type === "bytes") {
			files.set(id, origin.file.bytes);
			kept.push({ type: "bytes", name: origin.file.name, id });
		} else if (origin?.type === "text" && origin.text.text.length <= maxKeptCharacters) {
			kept.push({ type: "text", content: origin.text });
		} else if (origin?.type === "text") {
			const { text, ...content } = origin.text;
			files.set(id, text);
			kept.push({ type: "longText", content, id });
		} else if (origin?.type === "path") {
			const entry = paths.get(origin.path) ?? { type: "path", path: origin.path, files: [] };
			if (!paths.has(origin.path)) {
				paths.set(origin.path, entry);
				kept.push(entry);
			}
			entry.files.push({ path: attachment.displayPath, use: attachment.use });
		}
	}
	return kept;
}

/** Restores stored attachments that still exist. Those that need consent wait for it again, so no prompt appears at startup. */
export async function restoreAttachments(
	tray: AttachmentTray,
	memory: StoredValue,
	contents: DraftContents,
	remember: (ids: readonly string[], origin: AttachmentOrigin) => void,
): Promise<void> {
	const { data = [] } = z.safeParse(memorySchema, memory.get());
	const { shown, others } = Array.isArray(data) ? { shown: data, others: {} } : data;
	for (const [chat, kept] of Object.entries(others)) {
		await restoreDraft(kept, tray, contents, remember);
		tray.setAside(chat);
	}
	await restoreDraft(shown, tray, contents, remember);
}

async function restoreDraft(
	kept: KeptAttachments,
	tray: AttachmentTray,
	contents: DraftContents,
	remember: (ids: readonly string[], origin: AttachmentOrigin) => void,
): Promise<void> {
	for (const entry of kept) {
		if (entry.type === "path") {
			remember(await restorePath(tray, entry), { type: "path", path: entry.path });
			continue;
		}
		const origin = await restoreContent(entry, contents);
		const id =
			origin?.type === "text"
				? await tray.addText(origin.text)
				: origin && tray.addBytes(origin.file);
		if (origin && id !== undefined) {
			remember([id], origin);
		}
	}
}

async function restoreContent(
	entry: Exclude<KeptAttachments[number], { type: "path" }>,
	contents: DraftContents,
): Promise<Exclude<AttachmentOrigin, { type: "path" }> | undefined> {
	if (entry.type === "text") {
		return { type: "text", text: entry.content };
	}
	const bytes = await contents.read(entry.id);
	if (bytes === undefined) {
		return undefined;
	}
	return entry.type === "bytes"
		? { type: "bytes", file: { name: entry.name, bytes } }
		: { type: "text", text: { ...entry.content, text: Buffer.from(bytes).toString("utf8") } };
}

/** Attaches a stored path, without files that are new or no longer exist. */
async function restorePath(
	tray: AttachmentTray,
	{ path, files }: Extract<KeptAttachments[number], { type: "path" }>,
): Promise<readonly string[]> {
	const { ids } = await tray.addPaths([path]);
	const uses = new Map(files.map(file => [file.path, file.use]));
	const added = tray.attachments.filter(({ id }) => ids.includes(id));
	const gone = added.filter(
		({ displayPath, state }) =>
			!uses.has(displayPath) || (state.type === "failed" && state.failure.kind === "missing"),
	);
	tray.remove(gone.map(({ id }) => id));
	const stayed = added.filter(attachment => !gone.includes(attachment));
	for (const { id, displayPath, use: current } of stayed) {
		const kept = uses.get(displayPath);
		if (kept && kept !== current) {
			tray.setUse(id, kept);
		}
	}
	return stayed.map(({ id }) => id);
}

const maxRecent = 10;

const schema = z.array(z.string());

/** Recently attached files, stored in `memory`. Invalid data is ignored. */
export class RecentFiles {
	private readonly memory: StoredValue;

	constructor(memory: StoredValue) {
		this.memory = memory;
	}

	/** Their URIs, latest first. */
	get uris(): readonly string[] {
		const kept = z.safeParse(schema, this.memory.get());
		return kept.success ? kept.data : [];
	}

	add(uri: string): void {
		this.memory.set([uri, ...this.uris.filter(other => other !== uri)].slice(0, maxRecent));
	}
}

/** The most images to keep for chats that aren't shown. */
const maxAside = 16;

/** Images that tools returned. They are attached once the chat that called is shown. */
export class ReturnedImages {
	private readonly tray: Pick<AttachmentTray, "addBytes">;
	private shownChat: string | undefined;
	private aside: readonly ReturnedImage[] = [];

	constructor(tray: ReturnedImages["tray"]) {
		this.tray = tray;
	}

	/** Attaches an image, or keeps it until its chat is shown. Returns whether there was room. */
	add(image: ReturnedImage): boolean {
		if (image.chatId !== this.shownChat) {
			this.aside = [...this.aside, image].slice(-maxAside);
			return true;
		}
		return this.tray.addBytes(image) !== undefined;
	}

	/** Attaches the images of this chat. */
	show(chatId: string): void {
		if (chatId === this.shownChat) {
			return;
		}
		this.shownChat = chatId;
		const images = this.aside;
		this.aside = [];
		images.forEach(image => this.add(image));
	}
}
