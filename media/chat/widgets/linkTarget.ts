import { shorten } from "../../../src/common/shortText.ts";

/** The longest URL to show, in characters. The host shows longer ones in full before opening. */
const maxCharacters = 300;

/**
 * Shows the URL of the hovered or focused link at the bottom of `watched`, like browsers do. A title isn't shown for the keyboard or a quick pointer
 * (docs/security.md). Screen readers read the link's own title instead.
 */
export function createLinkTarget(watched: HTMLElement): HTMLElement {
	const element = document.createElement("div");
	const address = document.createElement("bdi");
	element.className = "link-target";
	element.ariaHidden = "true";
	element.hidden = true;
	element.append(address);
	const follow = (event: Event): void => {
		const link = event.target instanceof Element ? event.target.closest("a") : null;
		show(link ?? focusedLink(watched));
	};
	const show = (link: HTMLAnchorElement | null): void => {
		element.hidden = link === null;
		address.textContent = link
			? shorten(link.href === "" ? link.title : link.href, maxCharacters)
			: "";
	};
	watched.addEventListener("pointerover", follow);
	watched.addEventListener("focusin", follow);
	watched.addEventListener("pointerleave", () => show(focusedLink(watched)));
	watched.addEventListener("focusout", () => show(null));
	return element;
}

function focusedLink(watched: HTMLElement): HTMLAnchorElement | null {
	const { activeElement } = document;
	return activeElement instanceof HTMLAnchorElement && watched.contains(activeElement)
		? activeElement
		: null;
}
