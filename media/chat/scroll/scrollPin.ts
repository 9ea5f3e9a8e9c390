/** Distance that still counts as the end, for rounding and zoom, in CSS pixels. */
const endTolerance = 4;

const upwardKeys = new Set(["ArrowUp", "PageUp", "Home"]);

/** Keeps a scrolled list at its end, until the reader scrolls up. */
export class ScrollPin {
	private readonly scroller: HTMLElement;
	private readonly content: HTMLElement;
	private readonly onChange: (isPinned: boolean) => void;
	private pinned = true;
	/** The last scroll offset, and the view's size then. */
	private lastTop = 0;
	private lastSize: string;
	/** Whether the chat was empty at the last check. */
	private wasEmpty = false;
	/** Whether the pointer is pressed in the content, for example for selecting text. */
	private isHeld = false;

	/**
	 * Observes `scroller`, whose only child is `content`. `onChange` is called when following starts or stops. Doesn't follow the end of an empty chat.
	 */
	constructor(scroller: HTMLElement, content: HTMLElement, onChange: (isPinned: boolean) => void) {
		this.scroller = scroller;
		this.content = content;
		this.onChange = onChange;
		this.lastSize = sizeOf(scroller);
		this.listenToReader();
		const observer = new ResizeObserver(() => this.follow());
		observer.observe(content);
		observer.observe(scroller);
	}

	get isPinned(): boolean {
		return this.pinned;
	}

	jumpToEnd(): void {
		this.pin(true);
		this.follow();
	}

	/** Stops following the end. Call it before scrolling to a position. */
	letGo(): void {
		this.pin(false);
	}

	private get isEmpty(): boolean {
		return this.content.firstElementChild?.classList.contains("empty") === true;
	}

	private pin(isPinned: boolean): void {
		if (isPinned !== this.pinned) {
			this.pinned = isPinned;
			this.onChange(isPinned);
		}
	}

	/** Handles a new size of the content or the view. */
	private follow(): void {
		const { scroller, isEmpty } = this;
		this.lastSize = sizeOf(scroller);
		if (isEmpty) {
			if (!this.wasEmpty) {
				scroller.scrollTop = 0;
			}
			this.pin(true);
		} else if (this.pinned && !this.isHeld) {
			scroller.scrollTop = scroller.scrollHeight;
			this.lastTop = scroller.scrollTop;
		} else if (!canScroll(scroller)) {
			this.pin(true);
		}
		this.wasEmpty = isEmpty;
	}

	/** Observes the reader's intent. Handles the wheel and keys before the list has scrolled, so that streaming doesn't pull it back. */
	private listenToReader(): void {
		const { scroller } = this;
		const moveUp = (isUpwards: boolean): void => {
			if (isUpwards && canScroll(scroller) && !this.isEmpty) {
				this.letGo();
			}
		};
		this.content.addEventListener("pointerdown", ({ button, pointerType }) => {
			this.isHeld = button === 0 && pointerType === "mouse";
		});
		for (const end of ["pointerup", "pointercancel", "blur"]) {
			window.addEventListener(end, () => this.release());
		}
		scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
		scroller.addEventListener("wheel", event => moveUp(event.deltaY < 0), { passive: true });
		scroller.addEventListener("keydown", event => moveUp(upwardKeys.has(event.key)));
	}

	/** Handles the end of a press: keeps the position if text is selected, otherwise checks for the end again. */
	private release(): void {
		if (!this.isHeld) {
			return;
		}
		this.isHeld = false;
		// The `scroll` event of a movement just before a short click may still be pending.
		this.scrolled();
		const selection = document.getSelection();
		if (selection?.isCollapsed === false && this.content.contains(selection.focusNode)) {
			if (!isAtEnd(this.scroller)) {
				this.letGo();
			}
		} else {
			this.follow();
		}
	}

	private scrolled(): void {
		const { scroller } = this;
		const size = sizeOf(scroller);
		// When the view is resized, the browser scrolls, too, to keep its content in place.
		const isByReader = size === this.lastSize;
		const movedUp = scroller.scrollTop < this.lastTop - 1 && isByReader;
		this.lastTop = scroller.scrollTop;
		this.lastSize = size;
		if (isAtEnd(scroller) || this.isEmpty) {
			this.pin(true);
		} else if (movedUp) {
			this.letGo();
		}
	}
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
