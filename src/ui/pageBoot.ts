/**
 * What stands in the document before the page's own script and so runs even where that cannot be loaded: it tells the host when
 * loading fails or the script breaks off, before anything shows or later, and hands VS Code's interface on, which is given out only
 * once. An error without a cause is none of the script's, such as a layout that is not settled within a frame.
 */
export function bootScript(nonce: string): string {
	return `<script nonce="${nonce}">{
	const api = acquireVsCodeApi();
	globalThis.acquireVsCodeApi = () => api;
	addEventListener("error", event => {
		const isShown = document.querySelector("main") !== null;
		if (!isShown || event.error) {
			const method = isShown ? "erred" : "scriptFailed";
			api.postMessage({ type: "request", id: 0, method, params: {} });
		}
	}, true);
}</script>`;
}

/** Words for a document without any script. */
export interface RestingWords {
	readonly title: string;
	readonly paragraphs: readonly string[];
}

/** What a view shows that is not opened again by itself: words alone, in the style of the page. */
export function restingBody({ title, paragraphs }: RestingWords): string {
	return `<main class="resting"><h1>${escapeHtml(title)}</h1>${paragraphs
		.map(text => `<p>${escapeHtml(text)}</p>`)
		.join("")}</main>`;
}

function escapeHtml(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
