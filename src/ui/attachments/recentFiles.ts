import * as z from "zod/mini";
import type { KeptValue } from "../base/keptValue.ts";

/** The most files to remember. */
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
