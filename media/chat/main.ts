import { chatPushes, chatRequests } from "../../src/shared/chat.ts";
import { connectHost, type VsCodeApi } from "../shared/host.ts";
import { configureStrings } from "../shared/l10n.ts";
import { startChatView } from "./chatView.ts";
import { loadHighlighter } from "./markdown/final/highlight.ts";
import { loadMath } from "./markdown/final/loadMath.ts";
import { createIdleQueue } from "./markdown/elements/idle.ts";
import { keptByHost } from "./base/keptMemory.ts";
import { tellUnformatted } from "./pulse.ts";
import { createViewMemory } from "./base/viewMemory.ts";

declare function acquireVsCodeApi(): VsCodeApi;

const root = document.querySelector<HTMLElement>("#app");
if (!root) {
	throw new Error("The page has no element #app");
}
configureStrings(document);
const api = acquireVsCodeApi();
const host = connectHost(api, window, chatRequests, chatPushes);
const { createMarkdownEngine } = await import("./markdown/final/engine.ts");
startChatView({
	root,
	host,
	memory: createViewMemory({
		getState: () => api.getState(),
		setState: state => api.setState(state),
		...keptByHost(document, host),
	}),
	tools: {
		engine: createMarkdownEngine(),
		idle: createIdleQueue(),
		loadHighlighter,
		loadMath,
		onFailed: error => tellUnformatted(host, error),
	},
});
