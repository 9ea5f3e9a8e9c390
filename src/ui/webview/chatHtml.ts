import { randomBytes } from "node:crypto";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { documentLanguage, iconPreload, pageModules, pageStrings } from "./pageContents.ts";
import { pageMemoryElement } from "./pageMemory.ts";

/** Returns a nonce for a document's scripts; 128 random bits. */
function createNonce(): string {
	return randomBytes(16).toString("base64url");
}

/** Returns the only folder that webviews can load files from. */
export function webviewRoot(extensionUri: vscode.Uri): vscode.Uri {
	return vscode.Uri.joinPath(extensionUri, "dist", "media");
}

/** A webview's page. `name` is that of its script and stylesheet. */
interface WebviewPage {
	readonly name: "chat" | "gallery" | "video";
	readonly title: string;
	readonly memory?: string;
}

/** Returns the chat view's document with the saved memory. */
export function chatHtml(
	webview: vscode.Webview,
	extensionUri: vscode.Uri,
	memory: string,
): string {
	return pageHtml(webview, extensionUri, { name: "chat", title: l10n.t("Cutaway Chat"), memory });
}

/** Returns the document that replaces a chat view that stopped working. It runs no script. */
function crashedHtml(webview: vscode.Webview, extensionUri: vscode.Uri, text: CrashedText): string {
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
 * Returns a webview's document. Its content security policy allows no connections, frames or forms, and only images from data or our own files
 * (docs/security.md). Lazily loaded script chunks inherit the nonce of the importing module.
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
	${iconPreload(file("codicon.ttf"))}
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
 * Runs before the page's own script, so it also runs if that can't be loaded. Reports to the host if loading or the script fails before anything is
 * shown, and shares VS Code's API object, which can be acquired only once.
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

interface CrashedText {
	readonly title: string;
	readonly paragraphs: readonly string[];
}

/** Returns the body of a page that stopped working: text in the page's style. */
function crashedBody({ title, paragraphs }: CrashedText): string {
	return `<main class="crashed"><h1>${escapeHtml(title)}</h1>${paragraphs
		.map(text => `<p>${escapeHtml(text)}</p>`)
		.join("")}</main>`;
}

function escapeHtml(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Shows in the view that the page stopped working, and in a notification in case the view shows nothing. Offers Reload. */
export function showCrashedPage(view: vscode.WebviewView, extensionUri: vscode.Uri): void {
	const title = l10n.t("The chat view stopped working.");
	const kept = l10n.t("Your chats are kept, and a running answer continues.");
	view.webview.html = crashedHtml(view.webview, extensionUri, {
		title,
		paragraphs: [
			kept,
			l10n.t(
				"It was reloaded and failed again within a minute. To try again, run the command “Cutaway: Reload Chat View”.",
			),
		],
	});
	const hint = l10n.t(
		"If it stays blank, reload the window. That stops a running answer and keeps its text.",
	);
	void offerReload(`${title} ${kept} ${hint}`);
}

async function offerReload(message: string): Promise<void> {
	const reload = l10n.t("Reload Chat View");
	// All pages of a view share a process, so only reloading the window ends one that hangs.
	const reloadWindow = l10n.t("Reload Window");
	const choice = await vscode.window.showWarningMessage(message, reload, reloadWindow);
	if (choice !== undefined) {
		await vscode.commands.executeCommand(
			choice === reload ? "cutaway.reloadChatView" : "workbench.action.reloadWindow",
		);
	}
}
