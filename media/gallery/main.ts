import { galleryPushes, galleryRequests } from "../../src/shared/gallery.ts";
import { Host, type VsCodeApi } from "../shared/host.ts";
import { configureStrings } from "../shared/l10n.ts";
import { Gallery } from "./gallery.ts";

declare function acquireVsCodeApi(): VsCodeApi;

const root = document.querySelector<HTMLElement>("#app");
if (!root) {
	throw new Error("The page has no element #app");
}
configureStrings(document);
const host = new Host(acquireVsCodeApi(), window, galleryRequests, galleryPushes);
new Gallery(root, host).load();
