/**
 * Base of every webview: its document with its policy, its language and its memory, and the host's end of its messages.
 * In: messages of a page, none of them trusted.
 * Out: one reply for each request, of the type the schema names.
 */
export { chatHtml, crashedHtml, pageHtml, webviewRoot } from "./chatHtml.ts";
export { openLink } from "./openLink.ts";
export { PageMemory, pageMemoryHandlers } from "./pageMemory.ts";
export { WebviewHost } from "./webviewHost.ts";
