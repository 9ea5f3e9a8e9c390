/** Entry point of the thread that renders a clip, or draws the frames of one. */
import { parentPort, workerData } from "node:worker_threads";
import { renderDataSchema, type RenderResult } from "../assets.ts";
import { ClipRenderer } from "./clipRenderer.ts";
import { drawFrames } from "./drawFrames.ts";
import { renderClip, RenderRefusal } from "./renderClip.ts";

async function render(): Promise<RenderResult> {
	const { job, assets } = renderDataSchema.parse(workerData);
	const renderer = await ClipRenderer.open(assets);
	try {
		const bytes =
			job.type === "frames" ? drawFrames(job, renderer) : await renderClip(job, renderer);
		return { type: "clip", bytes };
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
const result = await render();
// Moves the bytes instead of copying them.
parentPort.postMessage(result, result.type === "clip" ? [result.bytes.buffer] : []);
