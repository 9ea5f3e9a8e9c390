import type { ChatViewState } from "../../../src/shared/index.ts";

type QueueParts = typeof import("./queueParts.ts");

let loading: Promise<QueueParts> | undefined;

/** Loads what shows messages that wait, on first use; all callers share it. */
function loadQueue(): Promise<QueueParts> {
	loading ??= import("./queueParts.ts");
	return loading;
}

/** What shows messages that wait, once that is loaded. */
export interface LazyQueue {
	readonly parts: QueueParts | undefined;
	/** Begins to load it where a chat has something to show. */
	follow(state: ChatViewState): void;
}

/** Makes it; `onLoaded` is called once, when it can show something. */
export function createLazyQueue(onLoaded: () => void): LazyQueue {
	let parts: QueueParts | undefined;
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
