import * as z from "zod/mini";
import type { DraftMemory } from "./attachmentMemory.ts";

/** Files that were attached lately. */
export interface RecentFiles {
	/** Their URIs as text, the latest first. */
	readonly uris: readonly string[];
	add(uri: string): void;
}

/** How many are remembered. */
const maxRecent = 10;

const schema = z.array(z.string());

/** Remembers files in `memory`; anything unreadable there counts as none. */
export function createRecentFiles(memory: DraftMemory): RecentFiles {
	const read = (): readonly string[] => {
		const kept = z.safeParse(schema, memory.get());
		return kept.success ? kept.data : [];
	};
	return {
		get uris() {
			return read();
		},
		add: uri => {
			memory.set([uri, ...read().filter(other => other !== uri)].slice(0, maxRecent));
		},
	};
}
