/** The most sentences to keep. Animations, which remove old ones, don't end while the window is hidden. */
const maxSentences = 20;

/** Announces sentences to a screen reader once, without interrupting it. */
export class Announcer {
	readonly element = document.createElement("div");

	/** Creates the page's only announcer: invisible and polite, so that it waits until the reader pauses. */
	constructor() {
		const { element } = this;
		element.className = "screen-reader-only";
		element.setAttribute("role", "status");
		// Only the new sentence is read, not the earlier ones again.
		element.ariaAtomic = "false";
	}

	/** Announces a sentence, even the same one again. Ignores an empty one. */
	announce(sentence: string): void {
		const { element } = this;
		if (sentence === "") {
			return;
		}
		const line = document.createElement("p");
		line.className = "announced";
		line.textContent = sentence;
		// Once read, it must not be found again beside the message itself.
		line.addEventListener("animationend", () => line.remove());
		element.append(line);
		if (element.childElementCount > maxSentences) {
			element.firstElementChild?.remove();
		}
	}
}
