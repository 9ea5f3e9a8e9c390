/** The longest address that is shown, in characters; the host shows a longer one whole before it opens. */
const maxCharacters = 300;

/**
 * Shows where the link under the pointer, or with the focus, leads: at the foot of what it watches, as browsers do, because a title is
 * shown to neither a keyboard nor a quick pointer (threat T17). Screen readers read the link's own title instead.
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
		address.textContent = link ? shortened(link.href === "" ? link.title : link.href) : "";
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

function shortened(address: string): string {
	return address.length > maxCharacters ? `${address.slice(0, maxCharacters)}…` : address;
}
