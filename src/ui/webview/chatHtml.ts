import { randomBytes } from "node:crypto";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { documentLanguage, pageStrings } from "./pageLanguage.ts";
import { pageMemoryElement } from "./pageMemory.ts";
import { pageModules } from "./pageModules.ts";

/** A nonce for one document's scripts; 128 random bits. */
function createNonce(): string {
	return randomBytes(16).toString("base64url");
}

/** The folder every file of a webview comes from; nothing else can be loaded by one. */
export function webviewRoot(extensionUri: vscode.Uri): vscode.Uri {
	return vscode.Uri.joinPath(extensionUri, "dist", "media");
}

/** A page of the webviews: `name` is that of its script and its stylesheet. */
export interface WebviewPage {
	readonly name: "chat" | "gallery" | "video";
	readonly title: string;
	/** Memory of the page before it. */
	readonly memory?: string;
}

/** The chat view's document, with what its page had kept for it. */
export function chatHtml(
	webview: vscode.Webview,
	extensionUri: vscode.Uri,
	memory: string,
): string {
	return pageHtml(webview, extensionUri, { name: "chat", title: l10n.t("Cutaway Chat"), memory });
}

/** Document shown in place of a chat view that stopped working; it runs no script. */
export function crashedHtml(
	webview: vscode.Webview,
	extensionUri: vscode.Uri,
	text: CrashedText,
): string {
	const { lang, dir } = documentLanguage(vscode.env.language, vscode.l10n.bundle !== undefined);
	const style = webview.asWebviewUri(vscode.Uri.joinPath(webviewRoot(extensionUri), "chat.css"));
	return `<!DOCTYPE html>
<html lang="${lang}" dir="${dir}">
<head>
	<meta charset="UTF-8">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}">
	<link rel="stylesheet" href="${style.toString()}">
	<title>Cutaway Chat</title>
</head>
<body>${crashedBody(text)}</body>
</html>`;
}

/**
 * A webview's document. Its policy lets out nothing: no connection, no frame, no form, no image but data and our own
 * files (threat T16, docs/security.md). Lazily loaded script chunks inherit the nonce of the module that asks for them.
 * @see https://html.spec.whatwg.org/multipage/webappapis.html#descendant-script-fetch-options
 */
export function pageHtml(
	webview: vscode.Webview,
	extensionUri: vscode.Uri,
	page: WebviewPage,
): string {
	const nonce = createNonce();
	const file = (name: string): string =>
		webview.asWebviewUri(vscode.Uri.joinPath(webviewRoot(extensionUri), name)).toString();
	const policy = [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		`style-src ${webview.cspSource} 'nonce-${nonce}'`,
		`font-src ${webview.cspSource}`,
		`img-src ${webview.cspSource} data: blob:`,
		`media-src ${webview.cspSource} blob:`,
		"connect-src 'none'",
		"frame-src 'none'",
		"object-src 'none'",
		"worker-src 'none'",
		"form-action 'none'",
		"base-uri 'none'",
		"manifest-src 'none'",
	].join("; ");
	const { bundle } = vscode.l10n;
	const { lang, dir } = documentLanguage(vscode.env.language, bundle !== undefined);
	const keys = vscode.Uri.joinPath(webviewRoot(extensionUri), "strings.json");
	const modules = vscode.Uri.joinPath(webviewRoot(extensionUri), "modules.json");
	const preloads = pageModules(modules.fsPath, page.name).map(
		name => `\n\t<link rel="modulepreload" nonce="${nonce}" href="${file(name)}">`,
	);
	return `<!DOCTYPE html>
<html lang="${lang}" dir="${dir}">
<head>
	<meta charset="UTF-8">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<meta http-equiv="Content-Security-Policy" content="${policy}">
	<link rel="stylesheet" href="${file("codicon.css")}" id="vscode-codicon-stylesheet">
	<link rel="stylesheet" href="${file(`${page.name}.css`)}">${preloads.join("")}
	<title>${page.title}</title>
</head>
<body>
	<div id="app"></div>${page.name === "chat" ? bootScript(nonce) : ""}${bundle ? pageStrings(bundle, keys.fsPath) : ""}${pageMemoryElement(page.memory ?? "")}
	<script type="module" nonce="${nonce}" src="${file(`${page.name}.js`)}"></script>
</body>
</html>`;
}

/**
 * Runs in the document before the page's own script, and so even where that cannot be loaded: it tells the host when loading or
 * the script fails before anything shows, and passes VS Code's interface on, which is given out only once.
 */
function bootScript(nonce: string): string {
	return `<script nonce="${nonce}">{
	const api = acquireVsCodeApi();
	globalThis.acquireVsCodeApi = () => api;
	addEventListener("error", () => {
		if (document.querySelector("main") === null) {
			api.postMessage({ type: "request", id: 0, method: "scriptFailed", params: {} });
		}
	}, true);
}</script>`;
}

/** Text of a document without any script. */
interface CrashedText {
	readonly title: string;
	readonly paragraphs: readonly string[];
}

/** Body of a view whose page stopped working: text alone, in the style of the page. */
function crashedBody({ title, paragraphs }: CrashedText): string {
	return `<main class="crashed"><h1>${escapeHtml(title)}</h1>${paragraphs
		.map(text => `<p>${escapeHtml(text)}</p>`)
		.join("")}</main>`;
}

function escapeHtml(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
