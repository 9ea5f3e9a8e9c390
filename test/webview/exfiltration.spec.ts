import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test as base, type Page } from "@playwright/test";
import { startHarness } from "./harness.ts";
import { emptyChat, messageOf, turnOf } from "./states.ts";
import { join } from "node:path";

/** A server that nothing may reach: it remembers every request. */
interface Sink {
	readonly origin: string;
	readonly requests: string[];
}

const test = base.extend<object, { sink: Sink; harness: Awaited<ReturnType<typeof startHarness>> }>(
	{
		sink: [
			// oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern
			async ({}, use) => {
				const requests: string[] = [];
				const server: Server = createServer((request, response) => {
					requests.push(request.url ?? "");
					response.setHeader("Access-Control-Allow-Origin", "*");
					response.end("x");
				});
				await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
				await use({
					origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
					requests,
				});
				server.closeAllConnections();
				await new Promise(resolve => server.close(resolve));
			},
			{ scope: "worker" },
		],
		harness: [
			// oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern
			async ({}, use) => {
				const built = join(import.meta.dirname, "..", "..", "dist", "media");
				const harness = await startHarness(process.env["CUTAWAY_MEDIA"] ?? built);
				await use(harness);
				await harness.close();
			},
			{ scope: "worker" },
		],
	},
);

/** HTML that asks for an address without a click, `URL` in its place, each by another way (threat T16). */
const htmlChannels: readonly string[] = [
	'<img src="URL">',
	'<img srcset="URL 1x, URL 2x">',
	'<picture><source srcset="URL"><img></picture>',
	'<img src="data:," onerror="new Image().src=\'URL\'">',
	'<image src="URL">',
	'<input type="image" src="URL">',
	'<video src="URL" autoplay></video>',
	'<video poster="URL"></video>',
	'<video><source src="URL"></video>',
	'<video src="data:video/mp4,x"><track default src="URL"></video>',
	'<audio src="URL" autoplay></audio>',
	'<audio><source src="URL"></audio>',
	'<iframe src="URL"></iframe>',
	'<iframe srcdoc="<img src=URL>"></iframe>',
	"<iframe srcdoc=\"<script>fetch('URL')</script>\"></iframe>",
	"<iframe src=\"javascript:fetch('URL')\"></iframe>",
	'<iframe src="data:text/html,<img src=URL>"></iframe>',
	'<object data="URL"></object>',
	'<object data="URL" type="image/svg+xml"></object>',
	'<embed src="URL">',
	'<embed src="URL" type="image/svg+xml">',
	'<link rel="stylesheet" href="URL">',
	'<link rel="prefetch" href="URL">',
	'<link rel="preload" as="image" href="URL">',
	'<link rel="preload" as="font" crossorigin href="URL">',
	'<link rel="modulepreload" href="URL">',
	'<link rel="icon" href="URL">',
	'<link rel="apple-touch-icon" href="URL">',
	'<link rel="manifest" href="URL">',
	'<link rel="import" href="URL">',
	'<style>@import "URL";</style>',
	"<style>body { background: url(URL) }</style>",
	"<style>@font-face { font-family: x; src: url(URL) } body { font-family: x }</style>",
	'<style>body::before { content: url("URL") }</style>',
	"<style>li { list-style-image: url(URL) }</style><ul><li>x</li></ul>",
	"<style>body { cursor: url(URL), auto }</style>",
	'<div style="background: url(URL)">x</div>',
	'<div style="background: image-set(url(URL) 1x)">x</div>',
	'<div style="border-image: url(URL) 1">x</div>',
	'<div style="mask: url(URL)">x</div>',
	'<div style="filter: url(URL#f)">x</div>',
	'<div style="clip-path: url(URL#c)">x</div>',
	'<div style="shape-outside: url(URL); float: left">x</div>',
	'<div style="list-style: url(URL); display: list-item">x</div>',
	'<div style="--x: url(URL); background: var(--x)">x</div>',
	'<table background="URL"><tr><td background="URL">x</td></tr></table>',
	'<svg><image href="URL" width="9" height="9"/></svg>',
	'<svg><image xlink:href="URL" width="9" height="9"/></svg>',
	'<svg><use href="URL#a"/></svg>',
	'<svg><feImage href="URL"/></svg>',
	'<svg><filter id="f"><feImage href="URL"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>',
	'<svg><rect width="9" height="9" fill="url(URL#g)"/></svg>',
	'<svg><rect width="9" height="9" mask="url(URL#m)"/></svg>',
	'<svg><style>@import "URL";</style></svg>',
	'<svg><script href="URL"></script></svg>',
	'<svg><foreignObject><img src="URL"></foreignObject></svg>',
	"<svg onload=\"fetch('URL')\"></svg>",
	"<svg><animate onbegin=\"fetch('URL')\" attributeName=x dur=1s /></svg>",
	'<math><mtext><img src="URL"></mtext></math>',
	'<math href="URL"><mglyph src="URL" alt="x"/></math>',
	'<form action="URL" id="f"><input name="a" value="secret"></form><img src="data:," onerror="f.submit()">',
	'<base href="URL/"><img src="relative">',
	"<details open ontoggle=\"fetch('URL')\">x</details>",
	"<input autofocus onfocus=\"fetch('URL')\">",
	'<a href="URL" ping="URL" autofocus>x</a>',
	'<script src="URL"></script>',
	'<script>fetch("URL")</script>',
	'<script type="module">import "URL"</script>',
	'<template shadowrootmode="open"><img src="URL"></template>',
	'<noscript><img src="URL"></noscript>',
	'<body background="URL">',
	'<portal src="URL"></portal>',
	'<fencedframe src="URL"></fencedframe>',
];

/** Markdown, formulas and diagrams that ask for an address, beyond the HTML that may be in each of them. */
const markdownChannels: readonly string[] = [
	"![x](URL)",
	'![x](URL "title")',
	"![x][ref]\n\n[ref]: URL",
	"[![x](URL)](URL)",
	"![x](<URL>)",
	"[x](URL)",
	"<URL>",
	"[x][r]\n\n[r]: URL",
	"| ![x](URL) |\n|---|\n| <img src=URL> |",
	"- [ ] ![x](URL)",
	"> ![x](URL)",
	"```html\n<img src=URL>\n```",
	"```URL\ncode\n```",
	"$\\href{URL}{x}$",
	"$\\url{URL}$",
	"$\\includegraphics[height=1em]{URL}$",
	"$\\htmlStyle{background:url(URL)}{x}$",
	"$\\htmlData{src=URL}{x}$",
	"$\\color{url(URL)}x$",
	"$$\\text{<img src=URL>}$$",
];

/** Diagrams whose source asks for an address. */
const diagramChannels: readonly string[] = [
	"graph TD\n  A[<img src='URL'>] --> B",
	'graph TD\n  A@{ img: "URL", label: "x", w: 60, h: 60 }',
	'graph TD\n  A --> B\n  click A href "URL"',
	'graph TD\n  A --> B\n  click A "URL" _top',
	"graph TD\n  A --> B\n  style A fill:url(URL)",
	"graph TD\n  A --> B\n  classDef x background:url(URL),fill:url(URL)\n  class A x",
	"%%{init: {'themeCSS': '@import \"URL\"; * { background: url(URL) }'}}%%\ngraph TD\n  A --> B",
	"%%{init: {'fontFamily': 'x; src: url(URL)', 'securityLevel': 'loose', 'htmlLabels': true}}%%\ngraph TD\n  A[<img src=URL>] --> B",
	"---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n---\ngraph TD\n  A[\"<iframe src='URL'></iframe>\"] --> B",
	"sequenceDiagram\n  A->>B: <img src='URL'>\n  link A: x @ URL",
	'classDiagram\n  class A\n  link A "URL"',
	'gantt\n  section S\n  T :a, 2026-01-01, 3d\n  click a href "URL"',
	"journey\n  title <img src=URL>\n  section <img src=URL>\n  T: 5: <img src=URL>",
];

/** Lets a page do what it does by itself: two frames, and the time an address in it would take to be asked for. */
async function settle(page: Page): Promise<void> {
	await page.evaluate(
		() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
	);
	await page.waitForLoadState("networkidle");
}

test("There are at least 60 channels, and without guards most of them lead out", async ({
	page,
	sink,
}) => {
	expect(
		new Set([...htmlChannels, ...markdownChannels, ...diagramChannels]).size,
	).toBeGreaterThanOrEqual(100);
	sink.requests.length = 0;
	await page.setContent("<!DOCTYPE html><body></body>");
	await inject(page, htmlChannels, sink.origin);
	await settle(page);
	const channels = new Set(sink.requests.map(path => /^\/(\d+)/.exec(path)?.[1] ?? ""));
	expect(channels.size).toBeGreaterThanOrEqual(35);
});

/** Puts HTML into the page as it is, as if nothing were between a model and the page, scripts made to run. */
async function inject(page: Page, channels: readonly string[], origin: string): Promise<void> {
	await page.evaluate(
		([all, address]) => {
			for (const [index, html] of all.entries()) {
				const holder = document.createElement("div");
				holder.setHTMLUnsafe(html.replaceAll("URL", `${address}/${index}`));
				for (const script of holder.querySelectorAll("script")) {
					const copy = document.createElement("script");
					[...script.attributes].forEach(({ name, value }) => copy.setAttribute(name, value));
					copy.textContent = script.textContent;
					script.replaceWith(copy);
				}
				document.body.append(holder);
			}
		},
		[channels, origin] as const,
	);
}

const fenced = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\``;

async function openWith(page: Page, url: string, text: string): Promise<void> {
	await page.goto(url);
	await page.evaluate(
		state => {
			window.harness.state = state;
		},
		{ ...emptyChat, turns: [turnOf("Go", [messageOf(text)])] },
	);
	await page.getByRole("textbox", { name: "Message" }).waitFor();
	await expect(page.locator(".markdown")).toBeVisible();
}

test("T16: under the page's policy alone, with raw HTML in the page, nothing gets out", async ({
	page,
	harness,
	sink,
}) => {
	sink.requests.length = 0;
	await openWith(page, harness.urlOf("dark"), "Hello");
	await inject(page, htmlChannels, sink.origin);
	await settle(page);
	expect(sink.requests).toEqual([]);
});

test("T16: with the sanitizer alone and no policy, nothing gets out of text, formulas and tables", async ({
	page,
	harness,
	sink,
}) => {
	sink.requests.length = 0;
	await withoutPolicy(page);
	const channels = [...htmlChannels, ...markdownChannels].map((text, index) =>
		text.replaceAll("URL", `${sink.origin}/${index}`),
	);
	await openWith(page, harness.urlOf("dark"), channels.join("\n\n"));
	await expect.poll(() => page.locator(".math:not(.drawn)").count()).toBe(0);
	await settle(page);
	expect(await page.locator("meta[http-equiv]").count()).toBe(0);
	expect(sink.requests).toEqual([]);
});

for (const hasPolicy of [true, false]) {
	test(`T16: nothing gets out of a diagram, ${hasPolicy ? "under the page's policy" : "in its frame without the page's policy"}`, async ({
		page,
		harness,
		sink,
	}) => {
		test.setTimeout(150_000);
		sink.requests.length = 0;
		if (!hasPolicy) {
			await withoutPolicy(page);
		}
		const sources = diagramChannels.map((text, index) =>
			fenced(text.replaceAll("URL", `${sink.origin}/${index}`)),
		);
		await openWith(page, harness.urlOf("dark"), sources.join("\n\n"));
		for (const block of await page.locator(".code-block").all()) {
			await block.locator(".draw-diagram").click();
			const ended = block.locator('.diagram[style*="height"], .diagram-problem');
			await ended.waitFor({ timeout: 60_000 });
			const link = block.locator("iframe").contentFrame().locator("svg .node, svg .task").first();
			if ((await block.locator("iframe").count()) > 0 && (await link.count()) > 0) {
				await link.click({ force: true });
			}
			await settle(page);
			await block.locator(".draw-diagram").click();
		}
		expect(sink.requests).toEqual([]);
	});
}

/** Serves the page without its policy: what is left is what the page itself lets through. */
async function withoutPolicy(page: Page): Promise<void> {
	await page.route(/\/(?:dark|light)(?:\?|$)/, async route => {
		const response = await route.fetch();
		const body = (await response.text()).replace(
			/<meta http-equiv="Content-Security-Policy"[^>]*>/,
			"",
		);
		await route.fulfill({ response, body });
	});
}
