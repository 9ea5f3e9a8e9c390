import type { DrawRequest, FrameReply } from "../messages.ts";
import { drawDiagram } from "./drawDiagram.ts";
import { showDrawing } from "./showDrawing.ts";

/** The longest reason to send, in characters. */
const maxReason = 2000;

let drawing: SVGSVGElement | undefined;
let port: MessagePort | undefined;

function reply(message: FrameReply): void {
	port?.postMessage(message);
}

function reportHeight(): void {
	if (drawing) {
		// `scrollHeight` is never less than the frame's height, so it wouldn't shrink when the view gets narrower.
		const root = document.documentElement;
		const { height } = root.getBoundingClientRect();
		// A diagram wider than its frame has a horizontal scroll bar.
		const scrollBar = window.innerHeight - root.clientHeight;
		reply({ type: "drawn", height: Math.ceil(height) + scrollBar });
	}
}

async function draw({ source, colors }: DrawRequest): Promise<void> {
	try {
		drawing = showDrawing(await drawDiagram(source, colors), colors);
		reportHeight();
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		reply(
			reason === "left-out"
				? { type: "left-out" }
				: { type: "failed", reason: reason.slice(0, maxReason) },
		);
	}
}

allowStyles(document.currentScript);
// Only the page that contains the frame can send messages to it, so they are trusted.
window.addEventListener("message", event => {
	port = event.ports[0];
	// oxlint-disable-next-line no-unsafe-type-assertion -- Both ends are built from the same type, and this one has nothing to lose.
	void draw(event.data as DrawRequest);
});
new ResizeObserver(reportHeight).observe(document.documentElement);

/**
 * Lets the library set styles under a policy that forbids `style` attributes and sheets without a nonce: converts attributes to properties, and adds
 * the script's nonce to sheets.
 */
function allowStyles(script: HTMLOrSVGElement | null): void {
	const nonce = script?.nonce ?? "";
	for (const name of ["createElement", "createElementNS"] as const) {
		const create: (...args: never[]) => unknown = Document.prototype[name];
		Object.defineProperty(Document.prototype, name, {
			value: function (this: Document, ...args: readonly unknown[]): unknown {
				const element: unknown = Reflect.apply(create, this, args);
				if (element instanceof HTMLStyleElement || element instanceof SVGStyleElement) {
					element.nonce = nonce;
				}
				return element;
			},
		});
	}
	const { setAttribute } = Element.prototype;
	Element.prototype.setAttribute = function (this: Element, name: string, value: string) {
		if (name === "style" && (this instanceof HTMLElement || this instanceof SVGElement)) {
			this.style.cssText = value;
		} else {
			setAttribute.call(this, name, value);
		}
	};
}
