import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FileSystem, nodeFileSystem } from "../../storage/fileSystem.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { maxPageMemoryCharacters, type pageMemoryRequests } from "../../shared/pulse.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";

export interface PageMemoryDependencies {
	/** Absolute path of the workspace's storage folder. Undefined in a window without one, where only VS Code keeps the memory. */
	readonly folder: string | undefined;
	readonly log: Log;
	readonly files?: Pick<FileSystem, "makeFolder" | "replace">;
}

/** Memory of the chat page on disk. Only the page interprets the text. */
export class PageMemory {
	private readonly log: Log;
	private readonly files: Pick<FileSystem, "replace" | "makeFolder">;
	private readonly file: string | undefined;
	private kept: string | undefined;
	private writing: Promise<void> | undefined;

	/** Reads and writes nothing before the first call. */
	constructor({ folder, log, files = nodeFileSystem }: PageMemoryDependencies) {
		this.log = log;
		this.files = files;
		this.file = folder === undefined ? undefined : join(folder, "chatView.json");
	}

	/** Returns the last saved text, or an empty string if it can't be read. */
	text(): string {
		return this.kept ?? (this.file === undefined ? "" : readText(this.file));
	}

	/** Replaces the saved text. If writing fails, only text that VS Code hasn't stored yet can be lost. */
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

	/** Resolves when the last text is on disk or writing it failed. */
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

/** Synchronous, because the page's document is created synchronously. The file is small except for very long drafts. */
function readText(file: string): string {
	try {
		return readFileSync(file, "utf8").slice(0, maxPageMemoryCharacters);
	} catch {
		// Without it, the page uses the state kept by VS Code.
		return "";
	}
}

/** Returns the element of a document that contains the text; the page finds it by its id. */
export function pageMemoryElement(text: string): string {
	return text === ""
		? ""
		: `<script type="application/json" id="memory">${JSON.stringify(text).replaceAll("<", "\\u003c")}</script>`;
}

export function pageMemoryHandlers(memory: PageMemory): RequestHandlers<typeof pageMemoryRequests> {
	return { keepMemory: ({ text }) => memory.keep(text) };
}
