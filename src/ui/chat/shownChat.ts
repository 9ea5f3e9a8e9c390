import * as l10n from "@vscode/l10n";
import type { ChatLibrary } from "../../chat/library/chatLibrary.ts";
import type { ChatSession } from "../../chat/chatSession.ts";
import { Disposable, Emitter, type Event } from "../../common/disposable.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { Banner } from "../../shared/chat.ts";

/** The chat a window shows, as its history uses it. */
export interface ShownChat {
	readonly id: string;
	readonly isAnswering: boolean;
	/** A chat without questions isn't stored. */
	readonly turnCount: number;
}

/**
 * How much later than a question a New Chat clicked before it may arrive, in milliseconds. The first run of a command takes VS Code two round trips
 * to the extension, a message of a page one.
 */
const lateClickMs = 1_000;

/** Whether a chat's first question was asked just now, so that a New Chat arriving now was issued before it. */
export function hasJustBegun(
	{ isBusy, turns: [first, second] }: Pick<ChatSession, "isBusy" | "turns">,
	now: number,
): boolean {
	const isYoung = first === undefined || now - first.createdAt < lateClickMs;
	return isBusy && second === undefined && isYoung;
}

/** A new name, or a changed banner. */
type MetadataChange =
	{ readonly type: "title"; readonly title: string } | { readonly type: "banner" };

interface ChatMetadataWatcherDependencies {
	readonly library: ChatLibrary;
	readonly log: Log;
}

/** Metadata changes that any window can make to the shown chat: renaming, deleting and restoring it. */
export class ChatMetadataWatcher extends Disposable {
	private readonly dependencies: ChatMetadataWatcherDependencies;
	private readonly session: () => Pick<ChatSession, "id" | "title">;
	private readonly changed = this.register(new Emitter<MetadataChange>());
	private known: { readonly id: string; readonly title: string; readonly isDeleted: boolean };
	/** Incremented with each read, so that results of earlier reads are ignored. */
	private readings = 0;
	/** Fires when the shown chat was renamed, deleted or restored. */
	readonly onDidChange: Event<MetadataChange> = this.changed.event;

	constructor(
		dependencies: ChatMetadataWatcherDependencies,
		session: () => Pick<ChatSession, "id" | "title">,
	) {
		super();
		this.dependencies = dependencies;
		this.session = session;
		this.known = { id: "", title: "", isDeleted: false };
		this.register(dependencies.library.onDidChange(() => void this.refresh()));
	}

	/** The user's name for it, or the title of its first question; empty before that. */
	get title(): string {
		const { id, title } = this.session();
		return this.known.id === id ? this.known.title : title;
	}

	/** A notice that the chat was deleted and is read-only until it is restored. */
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

	async restore(): Promise<void> {
		await this.dependencies.library.restore(this.session().id);
		await this.refresh();
	}

	async refresh(): Promise<void> {
		const { library, log } = this.dependencies;
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
