/** Elements that the Tab key stops at. */
const stops =
	"button:not(:disabled), select:not(:disabled), textarea, input:not(:disabled), summary, a[href], [tabindex='0']";

/** Parts of the page in which the focus stays when the control that had it goes away; the smallest one counts. */
const regions = ".attachments, .queue-row, .queue, .tool-card, .video-card, .turn, .conversation";

/** The control that has the focus, and where it is in each of the regions around it. */
interface Held {
	readonly element: HTMLElement;
	readonly places: readonly { readonly region: Element; readonly index: number }[];
}

/**
 * Keeps the focus on the page: when the control that has it goes away or is switched off, as Stop is by the end of an answer, the one
 * that takes its place in the same part of the page gets it; where there is none, `fallback` does.
 */
export function keepFocus(root: HTMLElement, fallback: () => void): void {
	let held: Held | undefined;
	const restore = (): void => {
		const { activeElement } = document;
		const isElsewhere = activeElement !== held?.element && activeElement !== document.body;
		// A page that asked for the focus while a user is elsewhere in the window would take it from there.
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
	// Who clicks beside everything has left; a click on a control comes before its focus.
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
