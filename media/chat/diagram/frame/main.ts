import type { DrawRequest, FrameReply } from "../index.ts";
import { allowStyles } from "./allowStyles.ts";
import { drawDiagram } from "./drawDiagram.ts";
import { showDrawing } from "./showDrawing.ts";

/** The longest reason the page takes, in characters. */
const maxReason = 2000;

let drawing: SVGSVGElement | undefined;
let port: MessagePort | undefined;

function reply(message: FrameReply): void {
	port?.postMessage(message);
}

function reportHeight(): void {
	if (drawing) {
		// Not `scrollHeight`, which is never less than what the frame has: it would not shrink with a narrower view.
		const root = document.documentElement;
		const { height } = root.getBoundingClientRect();
		// A diagram that is wider than its frame has a scroll bar below it.
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
// The page that holds the frame is the only one that can reach it; what it sends needs no judging here.
window.addEventListener("message", event => {
	port = event.ports[0];
	// oxlint-disable-next-line no-unsafe-type-assertion -- Both ends are built from the same type, and this one has nothing to lose.
	void draw(event.data as DrawRequest);
});
new ResizeObserver(reportHeight).observe(document.documentElement);
