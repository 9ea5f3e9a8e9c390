/** Distance from the end that still counts as being there: rounding and zoom make up less, in CSS pixels. */
const endTolerance = 4;

const upwardKeys = new Set(["ArrowUp", "PageUp", "Home"]);

/** Keeps a scrolled list at its end while the reader is there, and lets go as soon as they move up. */
export class ScrollPin {
	private readonly scroller: HTMLElement;
	private readonly content: HTMLElement;
	private readonly onChange: (isPinned: boolean) => void;
	private pinned = true;
	/** Where the list was when last looked at, and the size of the view then. */
	private lastTop = 0;
	private lastSize: string;
	/** Whether the chat was empty when last looked at. */
	private wasEmpty = false;
	/** Whether the reader holds the button of the pointer down in the content, as for selecting some of it. */
	private isHeld = false;

	/**
	 * Watches `scroller`, whose only child is `content`. `onChange` is told when following begins or ends. An empty chat has no
	 * end to follow: it is read from its top.
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

	/** Whether the list follows its end. */
	get isPinned(): boolean {
		return this.pinned;
	}

	/** Goes to the end and stays there. */
	jumpToEnd(): void {
		this.pin(true);
		this.follow();
	}

	/** Stays where it is from now on; for a place that is gone to by a program. */
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

	/** The content or the view changed its size. */
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

	/** Hears the reader's intent; the wheel and the keys before the list has moved, so that no fragment pulls it back. */
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

	/** The pointer is let go: who selected something reads it, everyone else is at the end again. */
	private release(): void {
		if (!this.isHeld) {
			return;
		}
		this.isHeld = false;
		// What moved the list up just before a short click has not been told yet.
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
		// In a view of another size the browser scrolls too, to keep what it holds to where it is.
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
