import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FileSystem, nodeFileSystem } from "../../storage/fileSystem.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { maxPageMemoryCharacters, type pageMemoryRequests } from "../../shared/pageMemory.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";

/** Where a page's memory is kept. */
export interface PageMemoryDependencies {
	/** Absolute path of the workspace's own folder; undefined in a window without one, whose memory is VS Code's alone. */
	readonly folder: string | undefined;
	readonly log: Log;
	readonly files?: Pick<FileSystem, "makeFolder" | "replace">;
}

/** Memory of the chat view's page, on disk. The text is the page's own and nobody else's to read. */
export class PageMemory {
	private readonly log: Log;
	private readonly files: Pick<FileSystem, "replace" | "makeFolder">;
	private readonly file: string | undefined;
	private kept: string | undefined;
	private writing: Promise<void> | undefined;

	/** Makes it; nothing is read or written before it is asked to. */
	constructor({ folder, log, files = nodeFileSystem }: PageMemoryDependencies) {
		this.log = log;
		this.files = files;
		this.file = folder === undefined ? undefined : join(folder, "chatView.json");
	}

	/** The text kept last; empty when there is none that can be read. */
	text(): string {
		return this.kept ?? (this.file === undefined ? "" : readText(this.file));
	}

	/** Keeps a text in place of the one before. A disk that refuses costs nothing but what VS Code has not written yet. */
	keep(text: string): void {
		if (this.file !== undefined) {
			this.kept = text;
			this.writing ??= this.writeAll(this.file)
				.catch((error: unknown) =>
					this.log.warn("What the chat view remembers could not be kept", {
						error: toError(error).message,
					}),
				)
				.finally(() => {
					this.writing = undefined;
				});
		}
	}

	/** Resolves once the text kept last is on disk, or the disk has refused it. */
	async settled(): Promise<void> {
		await this.writing;
	}

	private async writeAll(path: string): Promise<void> {
		await this.files.makeFolder(dirname(path));
		for (let written: string | undefined; this.kept !== undefined && written !== this.kept;) {
			written = this.kept;
			await this.files.replace(path, written);
		}
	}
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
