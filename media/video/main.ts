import { videoPushes, videoRequests } from "../../src/shared/index.ts";
import { connectHost, type VsCodeApi } from "../shared/host.ts";
import { configureStrings } from "../shared/l10n.ts";
import { createVideoMemory } from "./memory.ts";
import { startPreview } from "./preview.ts";

declare function acquireVsCodeApi(): VsCodeApi;

const root = document.querySelector<HTMLElement>("#app");
if (!root) {
	throw new Error("The page has no element #app");
}
configureStrings(document);
const api = acquireVsCodeApi();
startPreview({
	root,
	host: connectHost(api, window, videoRequests, videoPushes),
	memory: createVideoMemory(api),
});
