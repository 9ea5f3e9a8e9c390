import * as z from "zod/mini";
import { chatSettingValuesSchema } from "../../../src/shared/chatSettings.ts";
import type { VsCodeApi } from "../../shared/host.ts";
import type { HostMemory } from "./hostMemory.ts";

/** What matches, and null for anything else. `z.catch` would bring 10 KB of zod's helpers into the page. */
function orNull<Output>(schema: z.ZodMiniType<Output>) {
	const taken = z.transform((value: unknown) => z.safeParse(schema, value).data ?? null);
	return z._default(z.pipe(z.unknown(), taken), null);
}

/** A question that is being changed. */
const keptEditSchema = z.object({
	turnId: z.string(),
	text: z.string(),
	/** The attachments it no longer comes with, counted from 0. */
	without: z.readonly(z.array(z.int())),
});
export type KeptEdit = z.infer<typeof keptEditSchema>;

/** A queued message that is being changed: its text before, and its text now. */
const keptQueueEditSchema = z.object({
	chatId: z.string(),
	id: z.string(),
	was: z.string(),
	text: z.string(),
});
export type KeptQueueEdit = z.infer<typeof keptQueueEditSchema>;

/** Memory of the page over being hidden, reloaded and restarted. Everything else the host keeps. */
const memorySchema = z.object({
	/** When it was kept, in milliseconds since 1970: of two memories the later one counts. */
	keptAt: z._default(z.number(), 0),
	draft: z.string(),
	/** Web addresses that were typed into a draft, the latest at the end. */
	typed: z._default(z.array(z.string()), []),
	/** The chat the draft belongs to, and whether nothing was asked in it; null before the first. */
	draftOf: z._default(z.nullable(z.object({ chatId: z.string(), isEmpty: z.boolean() })), null),
	/** The drafts of other chats by their ids, the one left last at the end. */
	drafts: z._default(z.array(z.object({ chat: z.string(), text: z.string() })), []),
	/** Questions asked in this workspace, the latest first. */
	asked: z._default(z.array(z.string()), []),
	/** Words that were sent and that the host has not confirmed yet. */
	sending: z._default(z.string(), ""),
	/** A command that was sent to the host, and whose outcome it has not reported yet. */
	running: z._default(z.string(), ""),
	/** Words that were put into the queue and that the host has not confirmed yet. */
	queueing: z._default(z.string(), ""),
	/** Messages that wait and are being changed, one of a chat, the one started last at the end. */
	queueEdits: z._default(z.array(keptQueueEditSchema), []),
	/** Questions that are being changed, the one started last at the end. */
	edits: z._default(z.array(keptEditSchema), []),
	/** Long answers that are collapsed, as turn and index; the one that was collapsed last at the end. */
	collapsed: z._default(z.array(z.string()), []),
	/** Entries in the form of a chat's settings that were neither saved nor dropped. Entries in another form are let go. */
	settings: orNull(z.object({ chatId: z.string(), values: chatSettingValuesSchema })),
	/** Where the reader is in which chat; nothing when the view follows the end. A place in another form is let go. */
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

/** The page's own memory, kept by VS Code, which may write it seconds later, and by the host, which writes it at once. */
export class ViewMemory {
	private readonly editor: Pick<VsCodeApi, "getState" | "setState">;
	private readonly host: Pick<HostMemory, "kept" | "keep">;
	private state: StoredViewMemory;

	/** Reads what was kept, the later of the two; anything unreadable counts as nothing. */
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

	/** Changes some of it; it is kept from then on. */
	update(change: Partial<StoredViewMemory>): void {
		this.state = { ...this.state, ...change, keptAt: Date.now() };
		this.editor.setState(this.state);
		// Words that were sent must not come back as words to be sent with a page that dies a moment later.
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
	asked: [],
	sending: "",
	running: "",
	queueing: "",
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
		// What is no JSON is no memory.
		return undefined;
	}
}
