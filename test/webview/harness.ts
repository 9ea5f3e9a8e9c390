import { createServer, type Server } from "node:http";
import { readFile } from "node:fs/promises";
import { type AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { iconPreload, pageStrings } from "../../src/ui/webview/pageContents.ts";

/** The four kinds of color theme, by the name of their fixture. */
export const themeNames = ["dark", "light", "high-contrast", "high-contrast-light"] as const;
export type ThemeName = (typeof themeNames)[number];

/** The pages of the webviews, by the name of their script. */
export type PageName = "chat" | "gallery" | "video";

/**
 * A language of the page's words: English, or one made up, in which every word Cutaway writes is in brackets and sentences
 * are half as long again, as German ones are.
 */
export type PageLanguage = "en" | "bracketed";

/** What VS Code gives the page in a theme. */
interface Theme {
	/** Classes of the page's body; the first is the kind of the theme. */
	readonly bodyClass: string;
	/** A style sheet with the theme's variables. */
	readonly style: string;
}

/** What a fixture holds. */
interface ThemeFixture {
	readonly bodyClass: string;
	readonly variables: Readonly<Record<string, string>>;
}

const fixtures = join(import.meta.dirname, "..", "fixtures", "themes");
const contentTypes: Readonly<Record<string, string>> = {
	".css": "text/css",
	".js": "text/javascript",
	".ttf": "font/ttf",
	".webm": "video/webm",
	".woff2": "font/woff2",
};

/** Reads what VS Code gives the page in a theme. */
export async function readTheme(name: ThemeName): Promise<Theme> {
	const text = await readFile(join(fixtures, `${name}.json`), "utf8");
	const { bodyClass, variables } = JSON.parse(text) as ThemeFixture;
	const lines = Object.entries(variables).map(([variable, value]) => `${variable}: ${value};`);
	return { bodyClass, style: `html { ${lines.join("\n")} }` };
}

/** A page like the one VS Code shows the chat view in: same policy, theme variables and default styles, a host that is scripted. */
export interface Harness {
	/** The address of a page in a theme; the chat view in English when nothing else is named. */
	urlOf(theme: ThemeName, page?: PageName, language?: PageLanguage): string;
	/** Requests for anything that is not part of the harness. */
	readonly strayRequests: readonly string[];
	close(): Promise<void>;
}

/** Serves the built chat view in `mediaFolder` on a free port of this machine. */
export async function startHarness(mediaFolder: string): Promise<Harness> {
	const strayRequests: string[] = [];
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? "/", "http://harness");
		const theme = themeNames.find(name => url.pathname === `/${name}`);
		const file = url.pathname.startsWith("/media/") ? url.pathname.slice("/media/".length) : "";
		const content =
			theme !== undefined
				? renderPage(
						theme,
						url.searchParams.get("nonce") ?? "harness",
						(["gallery", "video"] as const).find(name => name === url.searchParams.get("page")) ??
							"chat",
						url.searchParams.get("language") === "bracketed"
							? bracketedStrings(mediaFolder)
							: Promise.resolve(""),
					)
				: readFile(join(mediaFolder, normalize(`/${file}`)));
		content.then(
			body => {
				if (/\.(?:js|css)$/.test(file)) {
					response.setHeader("Cache-Control", "max-age=3600");
				}
				response.setHeader(
					"Content-Type",
					theme === undefined
						? (contentTypes[extname(file)] ?? "application/octet-stream")
						: "text/html",
				);
				response.end(body);
			},
			() => {
				if (url.pathname !== "/favicon.ico") {
					strayRequests.push(url.pathname);
				}
				response.statusCode = 404;
				response.end();
			},
		);
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		urlOf: (theme, page = "chat", language = "en") =>
			`${origin}/${theme}?page=${page}&language=${language}`,
		strayRequests,
		close: () => close(server),
	};
}

function close(server: Server): Promise<void> {
	server.closeAllConnections();
	return new Promise(resolve => server.close(() => resolve()));
}

/** The element with the page's words in the language that was made up. */
async function bracketedStrings(mediaFolder: string): Promise<string> {
	const file = join(mediaFolder, "strings.json");
	const keys = JSON.parse(await readFile(file, "utf8")) as readonly string[];
	const bracketed = (key: string): string =>
		key.startsWith("en/") ? "de" : `⟦${key}${" ~~~~~~~".repeat(Math.ceil(key.length / 16))}⟧`;
	return pageStrings(Object.fromEntries(keys.map(key => [key, bracketed(key)])), file);
}

async function renderPage(
	themeName: ThemeName,
	nonce: string,
	page: PageName,
	strings: Promise<string>,
): Promise<string> {
	const { bodyClass, style } = await readTheme(themeName);
	const defaults = await readFile(join(fixtures, "..", "webviewDefaults.css"), "utf8");
	const policy = [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		`style-src 'self' 'nonce-${nonce}'`,
		"font-src 'self'",
		"img-src 'self' data: blob:",
		"media-src 'self' blob:",
		"base-uri 'none'",
		"form-action 'none'",
	].join("; ");
	return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Chat</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${nonce}" id="theme">${style}</style>
<style nonce="${nonce}" id="_defaultStyles">${defaults}</style>
<script nonce="${nonce}">${scriptedHost}</script>
${iconPreload("/media/codicon.ttf")}
<link rel="stylesheet" href="/media/codicon.css" id="vscode-codicon-stylesheet" nonce="${nonce}">
<link rel="stylesheet" href="/media/${page}.css" nonce="${nonce}">
</head>
<body class="${bodyClass}" data-vscode-theme-kind="${bodyClass.split(" ")[0]}">
<div id="app"></div>
${await strings}
<script type="module" nonce="${nonce}" src="/media/${page}.js"></script>
</body>
</html>`;
}

/**
 * The host's half, inside the page: answers requests from a table that tests fill, remembers them, and pushes what a
 * test tells it to. The state survives a reload in `sessionStorage`, as VS Code keeps it.
 */
const scriptedHost = `
const harness = { requests: [], failing: {}, results: {}, state: null, seq: 0, violations: [] };
window.harness = harness;
document.addEventListener("securitypolicyviolation", event => {
	harness.violations.push(event.violatedDirective + " " + event.blockedURI);
});
harness.post = message => window.postMessage(message, window.origin);
harness.push = changes => {
	harness.seq++;
	harness.post({ type: "push", event: "changes", data: { seq: harness.seq, changes } });
};
harness.event = (event, data) => harness.post({ type: "push", event, data });
harness.resultOf = (method, params) =>
	method === "ready" ? ("turns" in harness.state ? { ...harness.state, seq: harness.seq } : harness.state) : method === "sendPrompt" ? { turnId: "turn" } : (harness.results[method] ?? {});
harness.receive = async request => {
	harness.requests.push({ method: request.method, params: request.params });
	while (request.method === "ready" && !harness.state) await new Promise(resolve => setTimeout(resolve, 5));
	const failure = harness.failing[request.method];
	harness.post(failure
		? { type: "reply", replyTo: request.id, ok: false, code: "failed", message: failure }
		: { type: "reply", replyTo: request.id, ok: true, result: harness.resultOf(request.method, request.params) });
};
window.acquireVsCodeApi = () => ({
	postMessage: message => void harness.receive(structuredClone(message)),
	getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null") ?? undefined,
	setState: state => sessionStorage.setItem("state", JSON.stringify(state)),
});
`;
