import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../../src/common/async.ts";
import { createThreadRenderer } from "../../src/localService/video/assets.ts";
import { packageAssets } from "../unit/localService/video/videoFixtures.ts";
import { expect, test } from "./fixtures.ts";
import { untilDone } from "./patience.ts";
import {
	answerStep,
	generateFromPrompt,
	lastStep,
	openReady,
	renderTimeout,
	statusItem,
	untilReady,
} from "./videoSteps.ts";
import type { Workbench } from "./workbench.ts";

const key = "sk-video-engine";

/** A server of a video model, which makes clips of four seconds and no other. */
interface ModelServer {
	readonly url: string;
	/** Bodies of the requests for a video. */
	readonly orders: readonly Readonly<Record<string, unknown>>[];
	/** Requests without the key. */
	readonly keyless: number;
	/** Lets the videos be finished. */
	finish(): void;
	stop(): void;
}

async function startModelServer(clip: Uint8Array): Promise<ModelServer> {
	const orders: Readonly<Record<string, unknown>>[] = [];
	let keyless = 0;
	let isDone = false;
	const server: Server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		keyless += request.headers.authorization === `Bearer ${key}` ? 0 : 1;
		const answer = (body: unknown, status = 200): void => {
			response.writeHead(status, { "content-type": "application/json" });
			response.end(JSON.stringify(body));
		};
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			const path = request.url ?? "";
			if (request.method === "POST") {
				const order = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
				orders.push(order);
				const isKnown = ["2", "4", "8"].includes(String(order["seconds"]));
				answer(
					isKnown
						? { id: "video_1", status: "queued" }
						: { error: { message: "seconds must be one of '2', '4', '8'." } },
					isKnown ? 200 : 400,
				);
			} else if (path === "/v1/models") {
				answer({ data: [{ id: "wan-2.2" }, { id: "ltx-video" }] });
			} else if (path.endsWith("/content")) {
				response.writeHead(200, { "content-type": "video/webm", "content-length": clip.length });
				response.end(clip);
			} else {
				answer({ id: "video_1", status: isDone ? "completed" : "in_progress", progress: 42 });
			}
		});
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		orders,
		get keyless() {
			return keyless;
		},
		finish: () => {
			isDone = true;
		},
		stop: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

async function fourSeconds(): Promise<Uint8Array> {
	const workerFile = new URL("../../src/localService/video/render/worker.ts", import.meta.url);
	const render = createThreadRenderer({ workerFile, assets: packageAssets, clock: systemClock });
	const result = await render(
		{ type: "text", prompt: "A paper boat", duration: 4, motionStrength: 3 },
		new AbortController().signal,
	);
	if (result.type !== "clip") {
		throw new Error(result.message);
	}
	return result.bytes;
}

async function chooseServer(workbench: Workbench, url: string): Promise<void> {
	const { page } = workbench;
	await workbench.runCommand("Cutaway: Choose Video Engine…");
	await expect(page.locator(".quick-input-list")).toContainText("OpenRouter");
	await workbench.screenshot("video-engine-choice");
	await workbench.pickQuickInput("Server with /v1/videos");
	await expect(page.getByText("The server's base address")).toBeVisible();
	await workbench.screenshot("video-engine-address");
	await answerStep(workbench, "The server's base address", url);
	await answerStep(workbench, "API key for 127.0.0.1", key);
	await expect(page.locator(".quick-input-list")).toContainText("wan-2.2");
	await workbench.screenshot("video-engine-models");
	await workbench.pickQuickInput("wan-2.2");
	await expect(page.locator(".statusbar")).toContainText("videos are made by 127.0.0.1");
}

test("a server with a video model is chosen, says what it adds and how far it is, its clip is cut to the length asked for, and back on the local renderer nobody is asked", async ({
	workbench,
}) => {
	test.setTimeout(renderTimeout * 3);
	const server = await startModelServer(await fourSeconds());
	try {
		await chooseServer(workbench, server.url);
		await workbench.runCommand("Cutaway: Make Clip…");
		await answerStep(workbench, "Describe the video, then press Enter", "A paper boat");
		const input = await lastStep(workbench);
		await expect(workbench.page.locator(".quick-input-list")).toContainText("natural movement");
		await workbench.screenshot("video-engine-step");
		await workbench.pickQuickInput("Added to the prompt");
		await expect(workbench.page.getByText("Words for this motion")).toBeVisible();
		await workbench.screenshot("video-engine-phrase");
		await answerStep(workbench, "Words for this motion", "drifting slowly");
		await expect(workbench.page.locator(".quick-input-list")).toContainText("drifting slowly");
		await input.press("Enter");
		const item = statusItem(workbench);
		await expect(item).toContainText("Clip 42%");
		await workbench.screenshot("video-engine-progress");
		server.finish();
		const preview = await openReady(workbench);
		const video = preview.locator("video");
		// It has no duration before its first bytes are read.
		const difference = (): Promise<number> =>
			video.evaluate(element => Math.abs((element as HTMLVideoElement).duration - 2));
		await expect.poll(difference).toBeLessThanOrEqual(1 / 12);
		await expect
			.poll(() => video.evaluate(element => (element as HTMLVideoElement).currentTime))
			.toBeGreaterThan(0);
		await workbench.screenshot("video-engine-ready");
		// The model makes four seconds whatever is ordered.
		expect(server.orders.map(({ seconds }) => seconds)).toEqual(["2"]);
		expect(server.orders[0]).toMatchObject({
			model: "wan-2.2",
			prompt: "A paper boat\n\ndrifting slowly",
		});
		expect(server.keyless).toBe(0);

		// Back on the local renderer, a video asks nobody.
		// The list closes when the preview receives the focus after it opened.
		await untilDone(async timeout => {
			await workbench.runCommand("Cutaway: Choose Video Engine…");
			await workbench.pickQuickInput("Local renderer", timeout);
		});
		await expect(workbench.page.locator(".statusbar")).toContainText("drawn on this machine");
		await generateFromPrompt(workbench, "A lighthouse");
		await untilReady(workbench);
		expect(server.orders).toHaveLength(1);
	} finally {
		server.stop();
	}
});
