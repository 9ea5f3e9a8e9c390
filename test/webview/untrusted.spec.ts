/** The guards of a page against what a model wrote, one by one: each alone in a real browser, without the policies beside it. */
import { createServer } from "node:http";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { build } from "esbuild";
import aliases from "../../media/aliases.json" with { type: "json" };

const root = join(import.meta.dirname, "..", "..");

/** Puts a module into a page as `window.it`. */
async function load(page: Page, module: string): Promise<void> {
	const { outputFiles } = await build({
		entryPoints: [join(root, module)],
		bundle: true,
		format: "iife",
		globalName: "it",
		alias: aliases,
		// Loaded for addresses of this machine alone, by Node.
		external: ["*/undiciTransport.ts"],
		absWorkingDir: root,
		write: false,
		logLevel: "silent",
	});
	await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
}

test.describe("A drawn diagram", () => {
	async function show(page: Page, inside: string): Promise<void> {
		await page.goto("about:blank");
		await load(page, "media/chat/diagram/frame/showDrawing.ts");
		await page.evaluate(svg => {
			const { it } = window as unknown as {
				it: { showDrawing(svg: string, colors: object): void };
			};
			it.showDrawing(svg, { background: "rgb(1, 2, 3)", text: "rgb(4, 5, 6)" });
		}, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90">${inside}</svg>`);
	}

	test("keeps no attribute that runs", async ({ page }) => {
		await show(
			page,
			'<g onclick="ran()" onload="ran()"><rect width="9" height="9" onfocus="ran()"/></g>',
		);
		const names = await page
			.locator("svg *")
			.evaluateAll(all => all.flatMap(element => element.getAttributeNames()));
		expect(names.sort()).toEqual(["height", "width"]);
	});

	test("keeps no address but its own", async ({ page }) => {
		await show(
			page,
			`<defs><g id="own"/></defs><use href="#own"/><use href="https://evil.example/x#y"/>
			<use xlink:href="data:image/svg+xml,x"/><g src="https://evil.example/"/>
			<textPath href="javascript:ran()">t</textPath>`,
		);
		const html = await page.locator("svg").innerHTML();
		expect(html).toContain('href="#own"');
		expect(html).not.toMatch(/evil|data:|javascript:/);
	});

	test("keeps no element that fetches, runs, links or submits", async ({ page }) => {
		await show(
			page,
			`<image href="#a"/><script>1</script><a href="#a"><text>Words</text></a><animate attributeName="x"/>
			<set attributeName="x"/><feImage href="#a"/><foreignObject><div>Kept</div><img src="#a"><iframe></iframe>
			<form><input></form><video></video><link rel="x"><meta><base><object></object><embed></foreignObject>`,
		);
		const names = await page
			.locator("svg *")
			.evaluateAll(all => all.map(element => element.localName));
		expect(names.sort()).toEqual(["div", "foreignObject", "text"]);
		await expect(page.locator("svg text")).toHaveText("Words");
	});
});

test.describe("A diagram's frame", () => {
	/** What the page makes of a frame whose script is this; `port` there is the frame's end of the channel. */
	async function run(page: Page, script: string): Promise<void> {
		// A page of an origin of its own, which a frame that is not shut in would share.
		await page.route("http://page.example/", route =>
			route.fulfill({ contentType: "text/html", body: '<script nonce="n">1</script>' }),
		);
		await page.goto("http://page.example/");
		await load(page, "media/chat/diagram/diagramFrame.ts");
		await page.evaluate(text => {
			const { it } = window as unknown as {
				it: {
					createDiagramFrame(
						source: string,
						script: string,
						onFailed: (sentence: string) => void,
					): HTMLElement;
				};
			};
			const problem = document.createElement("output");
			document.body.append(
				problem,
				it.createDiagramFrame("graph TD", text, sentence => {
					problem.textContent = sentence;
				}),
			);
		}, `addEventListener("message", ({ ports: [port] }) => { ${script} });`);
	}
	const cannot = "Can't draw this diagram.";

	test("sees nothing of the page", async ({ page }) => {
		await run(page, 'port.postMessage({ type: "failed", reason: `From ${window.origin}.` });');
		await expect(page.locator("output")).toHaveText(`${cannot} From null.`);
	});

	for (const [what, reply] of [
		["a height that is none", '{ type: "drawn", height: "100vh" }'],
		["more than it was asked", '{ type: "drawn", height: 100, html: "<p>" }'],
		["something else", '{ type: "run", command: "x" }'],
		["nothing", "null"],
	] as const) {
		test(`is taken away when it says ${what}`, async ({ page }) => {
			await run(page, `port.postMessage(${reply});`);
			await expect(page.locator("output")).toHaveText(cannot);
			await expect(page.locator("iframe")).toHaveCount(0);
		});
	}

	test("is not quoted when its reason is longer than 2,000 characters", async ({ page }) => {
		await run(page, 'port.postMessage({ type: "failed", reason: "x".repeat(2001) });');
		await expect(page.locator("output")).toHaveText(cannot);
	});

	test("never covers more of the page than a diagram may", async ({ page }) => {
		await run(page, 'port.postMessage({ type: "drawn", height: 1e9 });');
		await expect(page.locator("iframe")).toHaveCSS("height", "2000px");
	});
});

test.describe("A formula", () => {
	async function draw(page: Page, html: string): Promise<void> {
		await page.goto("about:blank");
		await load(page, "media/chat/markdown/final/sanitizeFormula.ts");
		await page.evaluate(text => {
			const { it } = window as unknown as { it: { sanitizeFormula(html: string): Node } };
			document.body.append(it.sanitizeFormula(text));
		}, html);
	}

	for (const position of ["fixed", "sticky"]) {
		test(`never leaves its place by position: ${position}`, async ({ page }) => {
			await draw(page, `<span style="position:${position};top:0px;height:9em">x</span>`);
			await expect(page.locator("span")).toHaveCSS("position", "static");
		});
	}

	test("keeps the positions of its parts", async ({ page }) => {
		await draw(page, '<span style="position:relative;top:3px">x</span>');
		await expect(page.locator("span")).toHaveCSS("position", "relative");
		await expect(page.locator("span")).toHaveCSS("top", "3px");
	});

	test("keeps no element, attribute or address that is no formula's", async ({ page }) => {
		await draw(
			page,
			`<a href="https://evil.example/">x</a><img src="data:,x"><span onclick="ran()" id="app"
			style="background:url(https://evil.example/);top:url(https://evil.example/)">y</span>`,
		);
		expect(await page.locator("body").innerHTML()).toMatch(
			/^(?:<script[\s\S]*<\/script>)?x<span>y<\/span>$/,
		);
	});
});

test("The editor's way out takes no cookie along, its own or one it was given", async ({
	page,
}) => {
	const cookies: unknown[] = [];
	const server = createServer((request, response) => {
		if (request.url === "/v1/models") {
			cookies.push(request.headers.cookie);
			response.setHeader("set-cookie", "kept=1");
		}
		response.setHeader("content-type", "text/html").end("<p>");
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	try {
		const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		await page.goto(`${origin}/page`);
		await page.context().addCookies([{ name: "signedIn", value: "1", url: origin }]);
		await load(page, "src/client/transport/fetchTransport.ts");
		await page.evaluate(async address => {
			const { it } = window as unknown as {
				it: { fetchTransport(request: object): Promise<{ status: number }> };
			};
			const request = { method: "GET", url: address, headers: {} };
			await it.fetchTransport({ ...request, signal: new AbortController().signal });
			await it.fetchTransport({ ...request, signal: new AbortController().signal });
		}, `${origin}/v1/models`);
		expect(cookies).toEqual([undefined, undefined]);
	} finally {
		server.closeAllConnections();
		server.close();
	}
});
