import type { ChatChange } from "../../shared/index.ts";
import type { IDisposable } from "../../common/disposable.ts";
import type { ChatControllerContext } from "./chatControllerContext.ts";
import type { ChatQueue } from "./chatQueue.ts";
import { composerView } from "../composer/index.ts";

/** Puts the changes of what stands around the conversation into the view's words, until disposed. */
export function followParts(
	{
		settings,
		attachments,
		tools,
	}: Pick<ChatControllerContext, "settings" | "attachments" | "tools">,
	queue: Pick<ChatQueue, "onDidChange">,
	change: (change: ChatChange) => void,
): IDisposable {
	const listeners = [
		settings.onDidChange(() => change({ type: "composer", composer: composerView(settings) })),
		attachments.onDidChange(view => change({ type: "attachments", attachments: view })),
		tools.desk.onDidChange(card => change({ type: "tool-card", ...card })),
		queue.onDidChange(view => change({ type: "queue", queue: view })),
	];
	return { dispose: () => listeners.forEach(listener => listener.dispose()) };
}
