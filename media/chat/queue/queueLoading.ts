import type { ChatViewState } from "../../../src/shared/chat.ts";

type QueueModule = typeof import("./queueParts.ts");

let loading: Promise<QueueModule> | undefined;

/** Loads the view of queued messages on first use. All callers share it. */
function loadQueue(): Promise<QueueModule> {
	loading ??= import("./queueParts.ts");
	return loading;
}

/** View of queued messages, loaded on first use. */
export class LazyQueue {
	private readonly onLoaded: () => void;
	private loaded: QueueModule | undefined;
	private isLoading = false;

	/** `onLoaded` is called once when it has been loaded. */
	constructor(onLoaded: () => void) {
		this.onLoaded = onLoaded;
	}

	get parts(): QueueModule | undefined {
		return this.loaded;
	}

	/** Starts loading if a chat has something to show. */
	follow({ queue: { items, removed } }: ChatViewState): void {
		if (!this.isLoading && (items.length > 0 || removed !== null)) {
			this.isLoading = true;
			void loadQueue().then(loaded => {
				this.loaded = loaded;
				this.onLoaded();
			});
		}
	}
}

/** Announces changes of the queued messages since the last state of the same chat. */
export class QueueAnnouncements {
	private readonly say: (sentence: string) => void;
	private last: ChatViewState | undefined;

	constructor(say: (sentence: string) => void) {
		this.say = say;
	}

	follow(state: ChatViewState): void {
		const { last } = this;
		this.last = state;
		if (last?.chatId === state.chatId && last.queue !== state.queue) {
			void loadQueue().then(({ describeQueue }) =>
				this.say(describeQueue(last.queue, state.queue)),
			);
		}
	}
}
