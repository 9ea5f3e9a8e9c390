import { chatPushes, chatRequests } from "../../src/shared/chat.ts";
import { Host, type VsCodeApi } from "../shared/host.ts";
import { configureStrings } from "../shared/l10n.ts";
import { startChatView } from "./chatView.ts";
import { FileLinks } from "./markdown/final/fileLinks.ts";
import { loadHighlighter } from "./markdown/final/highlight.ts";
import { loadMath } from "./markdown/final/loadMath.ts";
import { IdleQueue } from "./markdown/elements/idle.ts";
import { HostMemory } from "./base/hostMemory.ts";
import { ViewMemory } from "./base/viewMemory.ts";
import { reportUnformatted } from "./pulse.ts";

declare function acquireVsCodeApi(): VsCodeApi;

const root = document.querySelector<HTMLElement>("#app");
if (!root) {
	throw new Error("The page has no element #app");
}
configureStrings(document);
const api = acquireVsCodeApi();
const host = new Host(api, window, chatRequests, chatPushes);
/** How long the first rendering waits for the icon font, in milliseconds. */
const iconsMs = 500;
const [{ createMarkdownEngine }] = await Promise.all([
	import("./markdown/final/engine.ts"),
	Promise.race([
		document.fonts.load("16px codicon").catch(() => []),
		new Promise(resolve => setTimeout(resolve, iconsMs)),
	]),
]);
startChatView({
	root,
	host,
	memory: new ViewMemory(api, new HostMemory(document, host)),
	tools: {
		engine: createMarkdownEngine(),
		idle: new IdleQueue(),
		loadHighlighter,
		loadMath,
		fileLinks: new FileLinks(
			async paths => (await host.call("nameFiles", { paths: [...paths] })).labels,
		),
		onFailed: error => reportUnformatted(host, error),
	},
});
