/** Entry point of the thread that renders a clip. */
import { parentPort, workerData } from "node:worker_threads";
import { renderDataSchema, type RenderResult } from "../assets.ts";
import { renderClip, RenderRefusal } from "./renderClip.ts";
import { ClipRenderer } from "./clipRenderer.ts";

async function render(): Promise<RenderResult> {
	const { job, assets } = renderDataSchema.parse(workerData);
	try {
		return { type: "clip", bytes: await renderClip(job, await ClipRenderer.open(assets)) };
	} catch (error) {
		if (error instanceof RenderRefusal) {
			return { type: "refused", message: error.message };
		}
		throw error;
	}
}

if (!parentPort) {
	throw new Error("A clip must be rendered in a worker thread.");
}
parentPort.postMessage(await render());
