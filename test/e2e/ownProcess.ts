import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Frame, Page } from "@playwright/test";
import * as z from "zod/mini";
import { type EditorServer, workbenchAddress } from "../host/editorServer.ts";
import { sampleWorkspace } from "../../scripts/project.ts";
import { modelTest as base } from "./fixtures.ts";
import { themes } from "./themes.ts";
import { openWorkbench } from "./workbench.ts";

/** Names below `localhost` lead to this machine in Chromium and are as good as https to it. */
const hostName = "cutaway.localhost";

/** Gives each name below the workbench's its own renderer process, as each webview's origin has one in VS Code on the desktop. */
export const ownProcessFlag = `--isolate-origins=http://[*.]${hostName}`;

/**
 * Has the page take the workbench with webviews at an origin of their own, each below the workbench's: the server has them at
 * the workbench's own, and so in its process.
 */
async function giveWebviewsAnOrigin(page: Page, server: EditorServer): Promise<void> {
	const host = `${hostName}:${server.port}`;
	await page.route(
		url => url.host === host && url.pathname === "/",
		async route => {
			// The name is known to the browser only.
			const own = new URL(server.address).host;
			const response = await route.fetch({ url: route.request().url().replace(host, own) });
			const policy = response.headers()["content-security-policy"] ?? "";
			const text = await response.text();
			await route.fulfill({
				response,
				headers: {
					...response.headers(),
					"content-security-policy": policy.replace("frame-src", `frame-src http://*.${host}`),
				},
				body: text
					.replaceAll(own, host)
					.replace(/(?<=webviewEndpoint&quot;:&quot;)/, `http://{{uuid}}.${host}/`),
			});
		},
	);
	// Without it a document that did not come from this machine may ask nothing of it.
	await page.context().grantPermissions(["local-network-access"]);
}

/** Playwright's `test` with a VS Code whose webviews have processes of their own; wants `ownProcessFlag` at the browser's start. */
export const test = base.extend({
	workbench: async ({ page, testFolder, editorServer, settings }, use) => {
		await editorServer.writeSettings({ "workbench.colorTheme": themes.dark, ...settings });
		const folder = join(testFolder, "workspace");
		await cp(sampleWorkspace, folder, { recursive: true });
		await giveWebviewsAnOrigin(page, editorServer);
		const server = { address: `http://${hostName}:${editorServer.port}` };
		const address = workbenchAddress(server, folder);
		const workbench = await openWorkbench(page, { address, folder, theme: "dark" });
		// While anything is routed, the browser keeps no file and every request waits for the test.
		await page.unrouteAll();
		await use(workbench);
	},
});

const traceSchema = z.object({
	traceEvents: z.array(
		z.object({
			name: z.string(),
			args: z.object({
				data: z.optional(
					z.object({
						frames: z.optional(z.array(z.object({ url: z.string(), processId: z.number() }))),
					}),
				),
			}),
		}),
	),
});

/** The id of the renderer process that a frame is in. Throws when the whole window is in there with it. */
export async function processOf(browser: Browser, page: Page, frame: Frame): Promise<number> {
	await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
	const json: unknown = JSON.parse((await browser.stopTracing()).toString());
	const frames = z
		.parse(traceSchema, json)
		.traceEvents.filter(({ name }) => name === "TracingStartedInBrowser")
		.flatMap(({ args }) => args.data?.frames ?? []);
	const processAt = (url: string): number | undefined =>
		frames.find(entry => entry.url === url)?.processId;
	const own = processAt(frame.url());
	if (own === undefined || own === processAt(page.url())) {
		throw new Error("The frame has no process of its own.");
	}
	return own;
}
