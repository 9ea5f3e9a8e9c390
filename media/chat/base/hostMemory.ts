import * as z from "zod/mini";
import type { ChatPushes, ChatRequests } from "../../../src/shared/chat.ts";
import { maxPageMemoryCharacters } from "../../../src/shared/pulse.ts";
import type { Host } from "../../shared/host.ts";

/** Minimum interval in ms for sending the memory to the host while the user types. This much may be lost if the window crashes. */
const keepMs = 250;

/** The page's memory in the host, which inserts it into the next document. */
export class HostMemory {
	/** Memory of the previous page as JSON; empty if there is none. */
	readonly kept: string;
	private readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	private latest: (() => string) | undefined;
	private timer: number | undefined;

	constructor(page: Document, host: Pick<Host<ChatRequests, ChatPushes>, "call">) {
		this.host = host;
		this.kept = z.parse(z.string(), JSON.parse(page.querySelector("#memory")?.textContent ?? '""'));
	}

	/** Sends the memory, evaluated at that time, to the host. Urgent changes are sent right after the current task. */
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
			// If this fails, VS Code still keeps it.
			this.host.call("keepMemory", { text }).catch(() => undefined);
		}
	}
}
