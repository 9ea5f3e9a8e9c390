import * as z from "zod/mini";
import {
	type ChatPushes,
	type ChatRequests,
	maxPageMemoryCharacters,
} from "../../../src/shared/index.ts";
import type { Host } from "../../shared/host.ts";
import type { MemoryStores } from "./viewMemory.ts";

/** How often at most the host is handed the memory while a user writes, in ms: what may be lost with a window that dies. */
const keepMs = 250;

/** Memory of the page before this one, which it puts into the document, and how it is told of more. */
export function hostMemoryState(
	page: Document,
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
): Pick<MemoryStores, "kept" | "keep"> {
	let latest: (() => string) | undefined;
	let timer: number | undefined;
	const send = (): void => {
		timer = undefined;
		const text = latest?.();
		latest = undefined;
		if (text !== undefined && text.length <= maxPageMemoryCharacters) {
			timer = window.setTimeout(send, keepMs);
			// Without the host, VS Code still keeps it.
			host.call("keepMemory", { text }).catch(() => undefined);
		}
	};
	return {
		kept: z.parse(z.string(), JSON.parse(page.querySelector("#memory")?.textContent ?? '""')),
		keep: (memory, isUrgent) => {
			latest = memory;
			if (isUrgent) {
				window.clearTimeout(timer);
				timer = undefined;
			}
			timer ??= window.setTimeout(send, 0);
		},
	};
}
