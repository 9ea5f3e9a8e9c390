import type { ChatLibrary } from "../chat/chatLibrary.ts";
import type { ChatSession } from "../chat/chatSession.ts";
import { Disposable } from "../common/disposable.ts";
import { createEmitter, type Event } from "../common/emitter.ts";
import { toError } from "../common/errors.ts";
import type { Log } from "../common/log.ts";

/** The chat a window shows, as far as its history is concerned. */
export interface ShownChat {
	readonly id: string;
	readonly isAnswering: boolean;
	/** Nothing is kept of a chat without questions. */
	readonly turnCount: number;
}

/** The name of the chat that is shown, which any window can change while it is open here. */
export class ShownName extends Disposable {
	private readonly context: { readonly library: ChatLibrary; readonly log: Log };
	private readonly session: () => Pick<ChatSession, "id" | "title">;
	private readonly changed = this.register(createEmitter<string>());
	private given: { readonly id: string; readonly title: string } | undefined;
	/** Another name for the chat that is shown. */
	readonly onDidChange: Event<string> = this.changed.event;

	constructor(
		context: { readonly library: ChatLibrary; readonly log: Log },
		session: () => Pick<ChatSession, "id" | "title">,
	) {
		super();
		this.context = context;
		this.session = session;
		this.register(context.library.onDidChange(() => void this.refresh()));
	}

	/** The name a person gave it, or that of its first question; empty before that. */
	get title(): string {
		const { id, title } = this.session();
		return this.given?.id === id ? this.given.title : title;
	}

	private async refresh(): Promise<void> {
		const { library, log } = this.context;
		const { id } = this.session();
		try {
			const chat = await library.get(id);
			if (chat && !this.isDisposed && this.session().id === id && chat.title !== this.title) {
				this.given = { id, title: chat.title };
				this.changed.fire(chat.title);
			}
		} catch (error) {
			log.warn("The name of a chat could not be read", { error: toError(error).message });
		}
	}
}
