import * as l10n from "@vscode/l10n";
import type { ChatLibrary } from "../../chat/library/chatLibrary.ts";
import type { ChatSession } from "../../chat/chatSession.ts";
import { Disposable } from "../../common/disposable.ts";
import { Emitter, type Event } from "../../common/emitter.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { Banner } from "../../shared/chat.ts";

/** The chat a window shows, as far as its history is concerned. */
export interface ShownChat {
	readonly id: string;
	readonly isAnswering: boolean;
	/** Nothing is kept of a chat without questions. */
	readonly turnCount: number;
}

/**
 * How long a click on New Chat may arrive after a question that was sent behind it, in milliseconds: the first run of a command
 * takes VS Code two round trips to the extension, a message of a page takes one.
 */
const lateClickMs = 1_000;

/** Whether a chat's first question was only just asked, so that a New Chat that arrives now was meant for the chat it is in. */
export function hasJustBegun(
	{ isBusy, turns: [first, second] }: Pick<ChatSession, "isBusy" | "turns">,
	now: number,
): boolean {
	const isYoung = first === undefined || now - first.createdAt < lateClickMs;
	return isBusy && second === undefined && isYoung;
}

/** Another name, or something else to say above the composer. */
type FateChange = { readonly type: "title"; readonly title: string } | { readonly type: "banner" };

/** Changes that any window can make to the chat that is shown while it is open here: give it another name, delete and restore it. */
export class ChatMetadataWatcher extends Disposable {
	private readonly context: { readonly library: ChatLibrary; readonly log: Log };
	private readonly session: () => Pick<ChatSession, "id" | "title">;
	private readonly changed = this.register(new Emitter<FateChange>());
	private known: { readonly id: string; readonly title: string; readonly isDeleted: boolean };
	/** Grows with each reading, so that one that was overtaken counts for nothing. */
	private readings = 0;
	/** The chat that is shown has another name, or was deleted or restored. */
	readonly onDidChange: Event<FateChange> = this.changed.event;

	constructor(
		context: { readonly library: ChatLibrary; readonly log: Log },
		session: () => Pick<ChatSession, "id" | "title">,
	) {
		super();
		this.context = context;
		this.session = session;
		this.known = { id: "", title: "", isDeleted: false };
		this.register(context.library.onDidChange(() => void this.refresh()));
	}

	/** The name a user gave it, or that of its first question; empty before that. */
	get title(): string {
		const { id, title } = this.session();
		return this.known.id === id ? this.known.title : title;
	}

	/** That the chat was deleted, and that nothing is written in it until it is restored. */
	get banner(): Banner | undefined {
		const isDeleted = this.known.id === this.session().id && this.known.isDeleted;
		return isDeleted
			? {
					kind: "warning",
					text: l10n.t(
						"This chat was deleted. It's removed permanently 30 days after its last message.",
					),
					action: "restore",
					readOnly: l10n.t("Read-only: this chat was deleted"),
				}
			: undefined;
	}

	/** Takes the deletion of the chat that is shown back. */
	async restore(): Promise<void> {
		await this.context.library.restore(this.session().id);
		await this.refresh();
	}

	/** Reads the state of the chat that is shown. */
	async refresh(): Promise<void> {
		const { library, log } = this.context;
		const { id } = this.session();
		const reading = ++this.readings;
		try {
			const chat = await library.get(id);
			if (chat && !this.isDisposed && this.session().id === id && this.readings === reading) {
				this.follow({ id, title: chat.title, isDeleted: chat.deletedAt !== undefined });
			}
		} catch (error) {
			log.warn("The state of a chat could not be read", { error: toError(error).message });
		}
	}

	private follow(next: typeof this.known): void {
		const { title, banner } = this;
		this.known = next;
		if (this.title !== title) {
			this.changed.fire({ type: "title", title: this.title });
		}
		if ((this.banner !== undefined) !== (banner !== undefined)) {
			this.changed.fire({ type: "banner" });
		}
	}
}
