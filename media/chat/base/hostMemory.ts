import * as z from "zod/mini";
import type { ChatPushes, ChatRequests } from "../../../src/shared/chat.ts";
import { maxPageMemoryCharacters } from "../../../src/shared/pageMemory.ts";
import type { Host } from "../../shared/host.ts";

/** How often at most the host is handed the memory while a user writes, in ms: what may be lost with a window that dies. */
const keepMs = 250;

/** Memory of the page that the host keeps: it puts the one of the page before into the document, and is told of more. */
export class HostMemory {
	/** Memory of the page before this one, as JSON; empty when there is nothing. */
	readonly kept: string;
	private readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	private latest: (() => string) | undefined;
	private timer: number | undefined;

	/** Reads what is in the document. */
	constructor(page: Document, host: Pick<Host<ChatRequests, ChatPushes>, "call">) {
		this.host = host;
		this.kept = z.parse(z.string(), JSON.parse(page.querySelector("#memory")?.textContent ?? '""'));
	}

	/** Hands the host what is to be kept, a memory as it is at that moment; what is urgent right after the task that is under way. */
	keep(memory: () => string, isUrgent: boolean): void {
		this.latest = memory;
		if (isUrgent) {
			window.clearTimeout(this.timer);
			this.timer = undefined;
		}
		this.timer ??= window.setTimeout(() => this.send(), 0);
	}

	private send(): void {
		this.timer = undefined;
		const text = this.latest?.();
		this.latest = undefined;
		if (text !== undefined && text.length <= maxPageMemoryCharacters) {
			this.timer = window.setTimeout(() => this.send(), keepMs);
			// Without the host, VS Code still keeps it.
			this.host.call("keepMemory", { text }).catch(() => undefined);
		}
	}
}
