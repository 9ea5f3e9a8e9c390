/** What clicks inside answers ask for. */
export interface AnswerClicks {
	openLink(address: string): void;
	copyCode(code: string): void;
	insertCode(code: string): void;
	generateVideo(turnId: string, text: string): void;
}

/**
 * Handles clicks inside answers, and marks every copy button that was pressed. Links go to our own handler alone: VS
 * Code's would open them without the host's checks (threat T17).
 */
export function handleAnswerClicks(root: HTMLElement, clicks: AnswerClicks): void {
	const onClick = (event: MouseEvent): void => {
		const target = event.target instanceof Element ? event.target : undefined;
		const link = target?.closest("a");
		if (link) {
			event.preventDefault();
			event.stopPropagation();
			// The right button asks for the context menu.
			if (event.button !== 2) {
				clicks.openLink(link.href);
			}
			return;
		}
		const copy = target?.closest<HTMLElement>(".copy-code, .copy-message");
		if (copy && event.type === "click") {
			markCopied(copy);
			if (copy.classList.contains("copy-code")) {
				clicks.copyCode(codeAround(copy));
			}
		}
		const insert = target?.closest<HTMLElement>(".insert-code");
		const inserted = insert && event.type === "click" ? codeAround(insert) : "";
		if (inserted !== "") {
			clicks.insertCode(inserted);
		}
		const video = target?.closest<HTMLElement>(".video-from-code");
		const code = video && event.type === "click" ? codeAround(video) : "";
		const turnId = video?.closest<HTMLElement>(".turn")?.dataset["turn"];
		if (turnId !== undefined && code.trim() !== "") {
			clicks.generateVideo(turnId, code);
		}
	};
	root.addEventListener("click", onClick);
	root.addEventListener("auxclick", onClick);
}

function codeAround(button: HTMLElement): string {
	return button.closest(".code-block")?.querySelector("code")?.textContent ?? "";
}

/** Shows a tick in the button for as long as its animation runs. */
function markCopied(button: HTMLElement): void {
	button.classList.add("copied");
	button.addEventListener("animationend", () => button.classList.remove("copied"), { once: true });
}
