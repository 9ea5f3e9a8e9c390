import * as z from "zod/mini";
import { textSources } from "../../attachments/attachment/attachment.ts";
import type { KeptValue } from "../base/keptValue.ts";
import type { AttachedText } from "../../attachments/attachment/attachmentTray.ts";
import type { AttachmentTray } from "../../attachments/tray.ts";
import { attachmentUseSchema } from "../../shared/attachments.ts";

const lines = z.object({ first: z.int(), last: z.int() });

/** Record of a draft's attachments: their origins without content. */
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
			content: z.object({
				name: z.string(),
				text: z.string(),
				path: z.exactOptional(z.string()),
				language: z.exactOptional(z.string()),
				lines: z.exactOptional(lines),
				source: z.exactOptional(z.enum(textSources)),
				address: z.exactOptional(z.string()),
			}),
		}),
	]),
);
type KeptAttachments = z.infer<typeof keptSchema>;

/** Origin of an attachment that a reload can restore. Bytes without a file have none. */
export type AttachmentOrigin =
	| { readonly type: "path"; readonly path: string }
	| { readonly type: "text"; readonly text: AttachedText };

/** The longest text to store, in characters, because VS Code keeps it in memory. */
const maxKeptCharacters = 20_000;

export function keepAttachments(
	tray: Pick<AttachmentTray, "attachments">,
	originOf: (id: string) => AttachmentOrigin | undefined,
	memory: KeptValue,
): void {
	const paths = new Map<string, Extract<KeptAttachments[number], { type: "path" }>>();
	const kept: KeptAttachments = [];
	for (const attachment of tray.attachments) {
		const origin = originOf(attachment.id);
		if (origin?.type === "text" && origin.text.text.length <= maxKeptCharacters) {
			kept.push({ type: "text", content: origin.text });
		} else if (origin?.type === "path") {
			const entry = paths.get(origin.path) ?? { type: "path", path: origin.path, files: [] };
			if (!paths.has(origin.path)) {
				paths.set(origin.path, entry);
				kept.push(entry);
			}
			entry.files.push({ path: attachment.displayPath, use: attachment.use });
		}
	}
	memory.set(kept.length > 0 ? kept : undefined);
}

/** Restores stored attachments that still exist. Those that need consent wait for it again, so no prompt appears at startup. */
export async function restoreAttachments(
	tray: AttachmentTray,
	memory: KeptValue,
	remember: (ids: readonly string[], origin: AttachmentOrigin) => void,
): Promise<void> {
	const kept = z.safeParse(keptSchema, memory.get());
	for (const entry of kept.success ? kept.data : []) {
		if (entry.type === "text") {
			const id = await tray.addText(entry.content);
			remember(id === undefined ? [] : [id], { type: "text", text: entry.content });
		} else {
			remember(await restorePath(tray, entry), { type: "path", path: entry.path });
		}
	}
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
	private readonly memory: KeptValue;

	constructor(memory: KeptValue) {
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
