/** A window out of sight ends no animation: of what nobody reads there, the last sentences are kept. */
const maxSentences = 20;

/** Announces sentences once to a screen reader; what is being read already is read to its end. */
export class Announcer {
	readonly element = document.createElement("div");

	/** Makes the page's one announcer: out of sight, and polite, so that it waits until a reader pauses. */
	constructor() {
		const { element } = this;
		element.className = "screen-reader-only";
		element.setAttribute("role", "status");
		// Of several sentences each is read when it comes, not all of them again.
		element.ariaAtomic = "false";
	}

	/** Says a sentence, the same one again as well; an empty one is no sentence. */
	announce(sentence: string): void {
		const { element } = this;
		if (sentence === "") {
			return;
		}
		const line = document.createElement("p");
		line.className = "announced";
		line.textContent = sentence;
		// Once it is read it must not be found a second time, beside the message itself.
		line.addEventListener("animationend", () => line.remove());
		element.append(line);
		if (element.childElementCount > maxSentences) {
			element.firstElementChild?.remove();
		}
	}
}
