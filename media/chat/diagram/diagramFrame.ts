import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import {
	type DrawRequest,
	type FrameReply,
	frameReplySchema,
	type DiagramColors,
} from "./messages.ts";

/** Time limit for a diagram, in milliseconds. After it, the frame is removed. */
const timeoutMs = 20_000;

/** Least and greatest height of a diagram in CSS pixels, regardless of its frame's report. */
const [minHeight, maxHeight] = [40, 2000];

/** Creates the frame's document. Its policy allows only its own script and the styles it creates, and no loading. */
function frameDocument(script: string, nonce: string): string {
	const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
	return `<!DOCTYPE html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"></head><body><script nonce="${nonce}">${script}</script></body></html>`;
}

/** Returns the nonce of the page's script, which the frame's policy inherits. */
function pageNonce(): string {
	return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}

/**
 * Creates the frame for a diagram. It has its own origin, can't access the page and communicates only through its own channel. Calls `onFailed` once
 * with a message if drawing fails.
 */
export function createDiagramFrame(
	source: string,
	script: string,
	onFailed: (sentence: string) => void,
): HTMLIFrameElement {
	const frame = document.createElement("iframe");
	frame.className = "diagram";
	frame.title = l10n.t("Diagram");
	frame.setAttribute("sandbox", "allow-scripts");
	frame.referrerPolicy = "no-referrer";
	frame.srcdoc = frameDocument(script, pageNonce());
	const fail = (reason: string): void => {
		frame.remove();
		onFailed(l10n.t("Can't draw this diagram. {0}", reason).trim());
	};
	const redraw = (): void => draw(frame, source, fail);
	const theme = new MutationObserver(() => {
		if (frame.isConnected) {
			redraw();
		} else {
			theme.disconnect();
		}
	});
	// A frame that is moved in the page is loaded again.
	frame.addEventListener("load", () => {
		redraw();
		theme.observe(document.body, { attributes: true, attributeFilter: ["class"] });
	});
	return frame;
}

function reasonOf(reply: FrameReply): string {
	if (reply.type === "left-out") {
		return l10n.t("Cutaway can't draw this kind of diagram.");
	}
	return reply.type === "failed" ? reply.reason : "";
}

/** Sends a diagram to its frame and handles the replies. */
function draw(frame: HTMLIFrameElement, source: string, fail: (reason: string) => void): void {
	const { port1, port2 } = new MessageChannel();
	const timer = setTimeout(() => {
		port1.close();
		fail(l10n.t("It's taking too long."));
	}, timeoutMs);
	port1.addEventListener("message", event => {
		clearTimeout(timer);
		const reply = z.safeParse(frameReplySchema, event.data);
		if (reply.success && reply.data.type === "drawn") {
			const height = Math.min(maxHeight, Math.max(minHeight, Math.ceil(reply.data.height)));
			frame.style.height = `${height}px`;
		} else {
			port1.close();
			fail(reply.success ? reasonOf(reply.data) : "");
		}
	});
	port1.start();
	const request: DrawRequest = { source, colors: readColors() };
	// The frame's opaque origin can't be named as a target. No other document can be in the frame.
	frame.contentWindow?.postMessage(request, "*", [port2]);
}

/** Returns the current theme colors in the format that every library supports. */
function readColors(): DiagramColors {
	const probe = document.createElement("span");
	document.body.append(probe);
	const colorOf = (value: string): string => {
		probe.style.color = value;
		return getComputedStyle(probe).color;
	};
	const colors = {
		isDark: !/vscode-(?:high-contrast-)?light/.test(document.body.className),
		background: colorOf("var(--code-surface)"),
		text: colorOf("var(--vscode-editor-foreground, var(--text))"),
		surface: colorOf("var(--surface)"),
		line: colorOf("var(--dim)"),
		accent: colorOf("var(--vscode-contrastBorder, var(--vscode-focusBorder, #0078d4))"),
		font: getComputedStyle(document.body).fontFamily,
	};
	probe.remove();
	return colors;
}
