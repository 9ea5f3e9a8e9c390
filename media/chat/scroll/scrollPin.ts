/** Keeps a scrolled list at its end while the reader is there, and lets go as soon as they move up. */
export interface ScrollPin {
	/** Whether the list follows its end. */
	readonly isPinned: boolean;
	/** Goes to the end and stays there. */
	jumpToEnd(): void;
	/** Stays where it is from now on; for a place that is gone to by a program. */
	letGo(): void;
}

/** Distance from the end that still counts as being there: rounding and zoom make up less, in CSS pixels. */
const endTolerance = 4;

const upwardKeys = new Set(["ArrowUp", "PageUp", "Home"]);

interface PinState {
	readonly scroller: HTMLElement;
	readonly onChange: (isPinned: boolean) => void;
	isPinned: boolean;
	/** Where the list was when last looked at, and the size of the view then. */
	lastTop: number;
	lastSize: string;
}

/** Watches `scroller`, whose only child is `content`. `onChange` is told when following begins or ends. */
export function createScrollPin(
	scroller: HTMLElement,
	content: HTMLElement,
	onChange: (isPinned: boolean) => void,
): ScrollPin {
	const state: PinState = {
		scroller,
		onChange,
		isPinned: true,
		lastTop: 0,
		lastSize: sizeOf(scroller),
	};
	listenToReader(state);
	const observer = new ResizeObserver(() => follow(state));
	observer.observe(content);
	observer.observe(scroller);

	return {
		get isPinned() {
			return state.isPinned;
		},
		jumpToEnd: () => {
			setPinned(state, true);
			follow(state);
		},
		letGo: () => setPinned(state, false),
	};
}

function distanceFromEnd(scroller: HTMLElement): number {
	return scroller.scrollHeight - scroller.scrollTop;
}

function isAtEnd(scroller: HTMLElement): boolean {
	return distanceFromEnd(scroller) - scroller.clientHeight <= endTolerance;
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): string {
	return `${clientWidth} ${clientHeight}`;
}

function canScroll(scroller: HTMLElement): boolean {
	return scroller.scrollHeight - scroller.clientHeight > endTolerance;
}

function setPinned(state: PinState, isPinned: boolean): void {
	if (isPinned !== state.isPinned) {
		state.isPinned = isPinned;
		state.onChange(isPinned);
	}
}

/** The content or the view changed its size. */
function follow(state: PinState): void {
	state.lastSize = sizeOf(state.scroller);
	if (state.isPinned) {
		state.scroller.scrollTop = state.scroller.scrollHeight;
		state.lastTop = state.scroller.scrollTop;
	} else if (!canScroll(state.scroller)) {
		setPinned(state, true);
	}
}

/** Hears the reader's intent; the wheel and the keys before the list has moved, so that no fragment pulls it back. */
function listenToReader(state: PinState): void {
	const { scroller } = state;
	const letGo = (isUpwards: boolean): void => {
		if (isUpwards && canScroll(scroller)) {
			setPinned(state, false);
		}
	};
	const onScroll = (): void => {
		const size = sizeOf(scroller);
		// In a view of another size the browser scrolls too, to keep what it holds to where it is.
		const isByReader = size === state.lastSize;
		const movedUp = scroller.scrollTop < state.lastTop - 1 && isByReader;
		state.lastTop = scroller.scrollTop;
		state.lastSize = size;
		if (isAtEnd(scroller)) {
			setPinned(state, true);
		} else if (movedUp) {
			setPinned(state, false);
		}
	};
	scroller.addEventListener("scroll", onScroll, { passive: true });
	scroller.addEventListener("wheel", event => letGo(event.deltaY < 0), { passive: true });
	scroller.addEventListener("keydown", event => letGo(upwardKeys.has(event.key)));
}
