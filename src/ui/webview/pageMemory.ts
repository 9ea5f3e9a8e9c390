import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FileSystem, nodeFileSystem } from "../../storage/index.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import {
	maxPageMemoryCharacters,
	type pageMemoryRequests,
	type RequestHandlers,
} from "../../shared/index.ts";

/** What the chat view's page had kept for it, on disk. The text is the page's own and nobody else's to read. */
export interface PageMemory {
	/** The text kept last; empty when there is none that can be read. */
	text(): string;
	/** Keeps a text in place of the one before. A disk that refuses costs nothing but what VS Code has not written yet. */
	keep(text: string): void;
	/** Resolves once the text kept last is on disk, or the disk has refused it. */
	settled(): Promise<void>;
}

/** Where a page's memory is kept. */
export interface PageMemoryOptions {
	/** Absolute path of the workspace's own folder; undefined in a window without one, whose memory is VS Code's alone. */
	readonly folder: string | undefined;
	readonly log: Log;
	readonly files?: Pick<FileSystem, "makeFolder" | "replace">;
}

/** Makes it; nothing is read or written before it is asked to. */
export function createPageMemory({
	folder,
	log,
	files = nodeFileSystem,
}: PageMemoryOptions): PageMemory {
	const file = folder === undefined ? undefined : join(folder, "chatView.json");
	let kept: string | undefined;
	let writing: Promise<void> | undefined;
	const write = async (path: string): Promise<void> => {
		await files.makeFolder(dirname(path));
		for (let written: string | undefined; kept !== undefined && written !== kept;) {
			written = kept;
			await files.replace(path, written);
		}
	};
	return {
		text: () => kept ?? (file === undefined ? "" : readText(file)),
		keep: text => {
			if (file !== undefined) {
				kept = text;
				writing ??= write(file)
					.catch((error: unknown) =>
						log.warn("What the chat view remembers could not be kept", {
							error: toError(error).message,
						}),
					)
					.finally(() => {
						writing = undefined;
					});
			}
		},
		settled: async () => writing,
	};
}

/** Read at once, because the page's document is made at once; the file is small but for very long drafts. */
function readText(file: string): string {
	try {
		return readFileSync(file, "utf8").slice(0, maxPageMemoryCharacters);
	} catch {
		// A page without a memory begins with what VS Code kept of it.
		return "";
	}
}

/** The element of a document that holds the text; the page looks for it by its id. */
export function pageMemoryElement(text: string): string {
	return text === ""
		? ""
		: `<script type="application/json" id="memory">${JSON.stringify(text).replaceAll("<", "\\u003c")}</script>`;
}

/** Takes what the page has kept for it. */
export function pageMemoryHandlers(memory: PageMemory): RequestHandlers<typeof pageMemoryRequests> {
	return {
		keepMemory: ({ text }) => {
			memory.keep(text);
			return {};
		},
	};
}
