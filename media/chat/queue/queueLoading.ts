import type { ChatViewState } from "../../../src/shared/chat.ts";

type QueueModule = typeof import("./queueParts.ts");

let loading: Promise<QueueModule> | undefined;

/** Loads what shows messages that wait, on first use; all callers share it. */
function loadQueue(): Promise<QueueModule> {
	loading ??= import("./queueParts.ts");
	return loading;
}

/** View of queued messages, once it is loaded. */
export class LazyQueue {
	private readonly onLoaded: () => void;
	private loaded: QueueModule | undefined;
	private isLoading = false;

	/** Makes it; `onLoaded` is called once, when it can show something. */
	constructor(onLoaded: () => void) {
		this.onLoaded = onLoaded;
	}

	get parts(): QueueModule | undefined {
		return this.loaded;
	}

	/** Begins to load it where a chat has something to show. */
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

/** Says what became of the messages that wait since it was last told of a chat; nothing of another chat. */
export class QueueAnnouncements {
	private readonly say: (sentence: string) => void;
	private last: ChatViewState | undefined;

	/** Makes it; `say` gets each sentence. */
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
