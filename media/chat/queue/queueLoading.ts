import type { ChatViewState } from "../../../src/shared/index.ts";

type QueueModule = typeof import("./queueParts.ts");

let loading: Promise<QueueModule> | undefined;

/** Loads what shows messages that wait, on first use; all callers share it. */
function loadQueue(): Promise<QueueModule> {
	loading ??= import("./queueParts.ts");
	return loading;
}

/** View of queued messages, once it is loaded. */
export interface LazyQueue {
	readonly parts: QueueModule | undefined;
	/** Begins to load it where a chat has something to show. */
	follow(state: ChatViewState): void;
}

/** Makes it; `onLoaded` is called once, when it can show something. */
export function createLazyQueue(onLoaded: () => void): LazyQueue {
	let parts: QueueModule | undefined;
	let isLoading = false;
	return {
		get parts() {
			return parts;
		},
		follow: ({ queue: { items, removed } }) => {
			if (!isLoading && (items.length > 0 || removed !== null)) {
				isLoading = true;
				void loadQueue().then(loaded => {
					parts = loaded;
					onLoaded();
				});
			}
		},
	};
}

/** Says what became of the messages that wait since it was last told of a chat; nothing of another chat. */
export function createQueueAnnouncements(
	say: (sentence: string) => void,
): (state: ChatViewState) => void {
	let before: ChatViewState | undefined;
	return state => {
		const last = before;
		before = state;
		if (last?.chatId === state.chatId && last.queue !== state.queue) {
			void loadQueue().then(({ describeQueue }) => say(describeQueue(last.queue, state.queue)));
		}
	};
}
