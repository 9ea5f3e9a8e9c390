/** Elements that can be reached with the Tab key. */
const stops =
	"button:not(:disabled), select:not(:disabled), textarea, input:not(:disabled), summary, a[href], [tabindex='0']";

/** Regions within which focus moves if the focused control disappears; the smallest one counts. */
const regions = ".attachments, .queue-row, .queue, .tool-card, .video-card, .turn, .conversation";

/** The focused control and its position in each surrounding region. */
interface Held {
	readonly element: HTMLElement;
	readonly places: readonly { readonly region: Element; readonly index: number }[];
}

/**
 * Moves the focus if the focused control is removed or disabled, like Stop at the end of an answer: to the control that takes its place in the same
 * region, or else by `fallback`.
 */
export function keepFocus(root: HTMLElement, fallback: () => void): void {
	let held: Held | undefined;
	const restore = (): void => {
		const { activeElement } = document;
		const isElsewhere = activeElement !== held?.element && activeElement !== document.body;
		// Focusing while the user is elsewhere in the window would steal the focus.
		if (!held || isElsewhere || isPresent(held.element) || !document.hasFocus()) {
			return;
		}
		const next = successorOf(held);
		held = undefined;
		if (next) {
			next.focus({ preventScroll: true });
		} else {
			fallback();
		}
	};
	root.addEventListener("focusin", event => {
		held = event.target instanceof HTMLElement ? hold(event.target) : undefined;
	});
	// A click beside all controls gives up the focus. A click on a control precedes its focus event.
	root.addEventListener("pointerdown", () => {
		held = undefined;
	});
	window.addEventListener("focus", restore);
	new MutationObserver(restore).observe(root, {
		attributeFilter: ["disabled", "hidden"],
		childList: true,
		subtree: true,
	});
}

function hold(element: HTMLElement): Held {
	const places: { region: Element; index: number }[] = [];
	for (
		let region = element.closest(regions);
		region;
		region = region.parentElement?.closest(regions) ?? null
	) {
		places.push({ region, index: stopsIn(region).indexOf(element) });
	}
	return { element, places };
}

function isPresent(element: Element): boolean {
	return element.isConnected && !element.matches(":disabled") && !element.closest("[hidden]");
}

function successorOf({ places }: Held): HTMLElement | undefined {
	for (const { region, index } of places) {
		const found = region.isConnected ? stopsIn(region).filter(isShown) : [];
		const next = found[Math.min(Math.max(index, 0), found.length - 1)];
		if (next) {
			return next;
		}
	}
	return undefined;
}

function stopsIn(region: Element): HTMLElement[] {
	return [...region.querySelectorAll<HTMLElement>(stops)];
}

function isShown(element: Element): boolean {
	return element.checkVisibility();
}
