/**
 * Runs in the document before the page's own script, and so even where that cannot be loaded: it tells the host when loading or
 * the script fails before anything shows, and passes VS Code's interface on, which is given out only once.
 */
export function bootScript(nonce: string): string {
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
export interface CrashedText {
	readonly title: string;
	readonly paragraphs: readonly string[];
}

/** Body of a view whose page stopped working: text alone, in the style of the page. */
export function crashedBody({ title, paragraphs }: CrashedText): string {
	return `<main class="crashed"><h1>${escapeHtml(title)}</h1>${paragraphs
		.map(text => `<p>${escapeHtml(text)}</p>`)
		.join("")}</main>`;
}

function escapeHtml(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
