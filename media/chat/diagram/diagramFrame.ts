import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import {
	type DrawRequest,
	type FrameReply,
	frameReplySchema,
	type DiagramColors,
} from "./messages.ts";

/** The longest a diagram may take, in milliseconds; a frame that is silent for so long is taken away. */
const timeoutMs = 20_000;

/** How high a diagram is shown at least and at most, whatever its frame says, in CSS pixels. */
const [minHeight, maxHeight] = [40, 2000];

/** Policy of a frame's document: run the one script it was made with and style what that makes. It can load and reach nothing. */
function frameDocument(script: string, nonce: string): string {
	const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
	return `<!DOCTYPE html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"></head><body><script nonce="${nonce}">${script}</script></body></html>`;
}

/** The nonce of the page's own script, which the frame's policy inherits. */
function pageNonce(): string {
	return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}

/**
 * Makes the frame a diagram is drawn in: a document of an origin of its own, which sees nothing of the page, and which the page hears
 * only over a channel of its own. `onFailed` is told once, with a sentence, when there will be no diagram.
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
	// A frame that was taken off the page and put back begins again.
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

/** Sends a diagram to its frame, and follows what the frame says about it. */
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
	// The frame's origin is opaque and has no name to send to; it can be nobody else's.
	frame.contentWindow?.postMessage(request, "*", [port2]);
}

/** The theme's colors as they are now, in the form every library reads. */
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
