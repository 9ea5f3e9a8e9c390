import * as z from "zod/mini";
import type { KeptValue } from "../base/keptValue.ts";
import type { AttachedText } from "../../attachments/attachment/attachmentTray.ts";
import type { AttachmentTray } from "../../attachments/tray.ts";

const use = z.enum(["read", "codeInterpreter"]);
const lines = z.object({ first: z.int(), last: z.int() });

/** Record of the attachments of a draft: where they came from, not their bytes. */
const keptSchema = z.array(
	z.discriminatedUnion("type", [
		z.object({
			type: z.literal("path"),
			/** As it was attached; a folder's for the files in it. */
			path: z.string(),
			/** The files that were still there, by the path shown, each with its use. */
			files: z.array(z.object({ path: z.string(), use })),
		}),
		z.object({
			type: z.literal("text"),
			content: z.object({
				name: z.string(),
				text: z.string(),
				path: z.exactOptional(z.string()),
				language: z.exactOptional(z.string()),
				lines: z.exactOptional(lines),
			}),
		}),
	]),
);
type KeptAttachments = z.infer<typeof keptSchema>;

/** Where an attachment came from, as far as a reload needs to know; bytes that have no file come from nowhere. */
export type AttachmentOrigin =
	| { readonly type: "path"; readonly path: string }
	| { readonly type: "text"; readonly text: AttachedText };

/** The longest text that is kept, in characters; VS Code keeps all of it in memory. */
const maxKeptCharacters = 20_000;

/** Keeps what the tray holds. */
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

/**
 * Attaches again what was kept and still exists. Whatever needs a user's consent waits for it again: nothing is asked at the
 * start of a window.
 */
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

/** Attaches a kept path and takes off again what was not among its files, or is gone. */
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
