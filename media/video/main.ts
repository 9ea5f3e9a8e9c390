import { videoPushes, videoRequests } from "../../src/shared/video.ts";
import { Host, type VsCodeApi } from "../shared/host.ts";
import { configureStrings } from "../shared/l10n.ts";
import { PlaybackMemory } from "./memory.ts";
import { Preview } from "./preview.ts";

declare function acquireVsCodeApi(): VsCodeApi;

const root = document.querySelector<HTMLElement>("#app");
if (!root) {
	throw new Error("The page has no element #app");
}
configureStrings(document);
const api = acquireVsCodeApi();
new Preview({
	root,
	host: new Host(api, window, videoRequests, videoPushes),
	memory: new PlaybackMemory(api),
}).load();
