import * as z from "zod/mini";
import { chatSettingValuesSchema } from "../../../src/shared/slash.ts";
import type { VsCodeApi } from "../../shared/host.ts";
import type { HostMemory } from "./hostMemory.ts";

/** Parses a value, or null if it is invalid. `z.catch` would add 10 KB of zod's helpers to the page. */
function orNull<Output>(schema: z.ZodMiniType<Output>) {
	const taken = z.transform((value: unknown) => z.safeParse(schema, value).data ?? null);
	return z._default(z.pipe(z.unknown(), taken), null);
}

/** A question being edited. */
const keptEditSchema = z.object({
	turnId: z.string(),
	text: z.string(),
	/** Indices of removed attachments, from 0. */
	without: z.readonly(z.array(z.int())),
});
export type KeptEdit = z.infer<typeof keptEditSchema>;

/** A queued message being edited: its text before and now. */
const keptQueueEditSchema = z.object({
	chatId: z.string(),
	id: z.string(),
	was: z.string(),
	text: z.string(),
});
export type KeptQueueEdit = z.infer<typeof keptQueueEditSchema>;

/** The page's memory when it is hidden, reloaded or restarted. The host stores everything else. */
const memorySchema = z.object({
	/** When it was saved, in milliseconds since 1970. The later of two memories is used. */
	keptAt: z._default(z.number(), 0),
	draft: z.string(),
	/** URLs typed into a draft, latest last. */
	typed: z._default(z.array(z.string()), []),
	/** The draft's chat, and whether it has no questions. Null before the first chat. */
	draftOf: z._default(z.nullable(z.object({ chatId: z.string(), isEmpty: z.boolean() })), null),
	/** Drafts of other chats by id, the last left chat last. */
	drafts: z._default(z.array(z.object({ chat: z.string(), text: z.string() })), []),
	/** The last draft that an earlier message replaced, until it is back in the composer. */
	unsent: z._default(z.string(), ""),
	/** Questions asked in this workspace, latest first. */
	asked: z._default(z.array(z.string()), []),
	/** Sent text that the host hasn't confirmed. */
	sending: z._default(z.string(), ""),
	/** A command sent to the host, until its result arrives. */
	running: z._default(z.string(), ""),
	/** Queued text that the host hasn't confirmed. */
	queueing: z._default(z.string(), ""),
	/** The chat's last turn when these texts were sent; empty if it had none. */
	sentAfter: z._default(z.string(), ""),
	/** Queued messages being edited, one per chat, latest last. */
	queueEdits: z._default(z.array(keptQueueEditSchema), []),
	/** Questions being edited, latest last. */
	edits: z._default(z.array(keptEditSchema), []),
	/** Collapsed long answers as turn and index, latest last. */
	collapsed: z._default(z.array(z.string()), []),
	/** Unsaved values of the chat settings form. Invalid values are dropped. */
	settings: orNull(z.object({ chatId: z.string(), values: chatSettingValuesSchema })),
	/** The scroll position and its chat; null while following the end. Invalid positions are dropped. */
	scroll: orNull(
		z.object({
			chatId: z.string(),
			turnId: z.string(),
			offset: z.number(),
			section: z.optional(z.object({ index: z.number(), offset: z.number() })),
		}),
	),
});
type StoredViewMemory = z.infer<typeof memorySchema>;

/** The page's memory. VS Code keeps it, possibly seconds later, and the host writes it at once. */
export class ViewMemory {
	private readonly editor: Pick<VsCodeApi, "getState" | "setState">;
	private readonly host: Pick<HostMemory, "kept" | "keep">;
	private state: StoredViewMemory;

	/** Reads both saved memories and uses the later one. Invalid memories are ignored. */
	constructor(
		editor: Pick<VsCodeApi, "getState" | "setState">,
		host: Pick<HostMemory, "kept" | "keep">,
	) {
		this.editor = editor;
		this.host = host;
		const memories = [editor.getState(), parseJson(host.kept)].flatMap(
			kept => z.safeParse(memorySchema, kept).data ?? [],
		);
		this.state = memories.toSorted((one, other) => other.keptAt - one.keptAt)[0] ?? emptyMemory;
	}

	get current(): StoredViewMemory {
		return this.state;
	}

	update(change: Partial<StoredViewMemory>): void {
		this.state = { ...this.state, ...change, keptAt: Date.now() };
		this.editor.setState(this.state);
		// If the page crashes now, sent text must not be restored as a draft.
		const isUrgent = "sending" in change || "queueing" in change || "running" in change;
		this.host.keep(() => JSON.stringify(this.state), isUrgent);
	}
}

const emptyMemory: StoredViewMemory = {
	keptAt: 0,
	draft: "",
	typed: [],
	draftOf: null,
	drafts: [],
	unsent: "",
	asked: [],
	sending: "",
	running: "",
	queueing: "",
	sentAfter: "",
	queueEdits: [],
	edits: [],
	collapsed: [],
	settings: null,
	scroll: null,
};

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Invalid JSON is ignored.
		return undefined;
	}
}
