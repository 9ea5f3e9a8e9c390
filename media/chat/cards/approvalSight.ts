/** Distance between checked points, in CSS pixels: less than the height of a small letter, and less than twice its width. */
const step = { x: 12, y: 6 };

/** The parts of a request that describe it. */
const telling = ".call-line, .tool-address, .tool-warning, .tool-files";

/** Texts that will be sent or written, of any length. Their points are further apart, because they may fill the view. */
const texts = ".tool-approval .tool-diff, .tool-prompt";
const textStep = { x: 24, y: 12 };

/** Borders are rounded to physical pixels. */
const rounding = 2;

/** A stretch of a part, as shares of its height: 0 is its top, 1 its end. */
type SeenStretch = readonly [from: number, to: number];

/** The stretches of a part that have been in sight, and the text it had then. */
const sights = new WeakMap<
	Element,
	{ readonly text: string; readonly seen: readonly SeenStretch[] }
>();

/**
 * Whether the title, the files or a warning of a request are below its sticky buttons, or something in sight of it is covered by another part of the
 * conversation (docs/security.md). Notes what is in sight. Ignores Cutaway's own bars and menus, which aren't part of the conversation.
 */
export function isCovered(card: Element): boolean {
	const log = card.closest(".conversation");
	const view = card.closest(".scroller")?.getBoundingClientRect();
	if (!log || !view) {
		return false;
	}
	const foot = card.querySelector(".tool-buttons")?.getBoundingClientRect().top ?? Infinity;
	const limits = {
		left: view.left,
		right: view.right,
		top: view.top,
		bottom: Math.min(view.bottom, foot),
	};
	// All parts are looked at, so that none misses its moment in sight.
	return partsOf(card).filter(part => isPartCovered(part, log, limits, foot)).length > 0;
}

/** Whether all of a request that is to be allowed has been in sight, from its start to its end. */
export function isSeen(card: Element): boolean {
	return (
		card.querySelector(".tool-approval") === null ||
		partsOf(card).every(part => {
			const slack = rounding / Math.max(rounding, part.getBoundingClientRect().height);
			const [[from, to] = [1, 0]] = seenOf(part);
			return from <= slack && to >= 1 - slack;
		})
	);
}

/** Notes what of a request comes into sight while the list scrolls. */
export function watchSight(approval: Element | undefined): void {
	// Its place in the page isn't known before.
	requestAnimationFrame(() => {
		const card = approval?.closest(".tool-card");
		const scroller = card?.closest(".scroller");
		const look = (): void => {
			if (card?.isConnected) {
				isCovered(card);
			} else {
				scroller?.removeEventListener("scroll", look);
			}
		};
		scroller?.addEventListener("scroll", look, { passive: true });
	});
}

function partsOf(card: Element): readonly Element[] {
	return [...card.querySelectorAll(`${telling}, ${texts}`)];
}

function isPartCovered(
	part: Element,
	log: Element,
	view: Readonly<Record<"left" | "right" | "top" | "bottom", number>>,
	foot: number,
): boolean {
	const box = part.getBoundingClientRect();
	const isText = part.matches(texts);
	const { x: across, y: down } = isText ? textStep : step;
	const [left, right] = [Math.max(box.left, view.left), Math.min(box.right, view.right)];
	const [top, bottom] = [Math.max(box.top, view.top), Math.min(box.bottom, view.bottom)];
	// Starts half a step from the edges, because corners are round.
	for (let y = top + down / 2; y < bottom; y += down) {
		for (let x = left + across / 2; x < right; x += across) {
			const found = document.elementFromPoint(x, y);
			if (found && log.contains(found) && !part.contains(found)) {
				return true;
			}
		}
	}
	if (bottom > top) {
		see(
			part,
			[(top - box.top) / box.height, (bottom - box.top) / box.height],
			rounding / box.height,
		);
	}
	return !isText && box.bottom > foot + 1;
}

/** Adds a stretch to those seen and joins the ones that touch. The first begins highest. */
function see(part: Element, stretch: SeenStretch, slack: number): void {
	const joined: SeenStretch[] = [];
	for (const [from, to] of [...seenOf(part), stretch].toSorted(([one], [other]) => one - other)) {
		const last = joined.at(-1);
		if (last && from <= last[1] + slack) {
			joined[joined.length - 1] = [last[0], Math.max(last[1], to)];
		} else {
			joined.push([from, to]);
		}
	}
	sights.set(part, { text: part.textContent, seen: joined });
}

function seenOf(part: Element): readonly SeenStretch[] {
	const sight = sights.get(part);
	return sight?.text === part.textContent ? sight.seen : [];
}
