import type { ThoughtView } from "../../../src/shared/chat.ts";
import { createElement } from "../markdown/elements/elements.ts";
import { IncomingText } from "../markdown/elements/normalize.ts";

interface ThoughtEntry {
	readonly element: HTMLDetailsElement;
	readonly label: HTMLElement;
	readonly body: HTMLElement;
	length: number;
	readonly incoming: IncomingText;
	/** Set once the user has expanded or collapsed it. */
	isTouched: boolean;
}

/** Thinking of models. Each element is expanded while it grows and then collapses to its label. */
export class Thoughts {
	private readonly turns = new Map<string, Map<number, ThoughtEntry>>();

	/** Returns the element that shows a thought. Creates it on first use, and updates it afterwards. */
	elementOf(turnId: string, thought: ThoughtView): HTMLElement {
		const entries = this.turns.get(turnId) ?? new Map<number, ThoughtEntry>();
		this.turns.set(turnId, entries);
		const entry = entries.get(thought.after) ?? createEntry(thought);
		entries.set(thought.after, entry);
		update(entry, { ...thought, text: thought.text.slice(entry.length) });
		return entry.element;
	}

	/** Adds thinking. Returns whether an element shows it already. */
	add(turnId: string, more: ThoughtView): boolean {
		const entry = this.turns.get(turnId)?.get(more.after);
		if (entry) {
			update(entry, more);
		}
		return entry !== undefined;
	}

	clear(turnId: string): void {
		this.turns.delete(turnId);
	}

	clearAll(): void {
		this.turns.clear();
	}
}

function createEntry({ isOver }: ThoughtView): ThoughtEntry {
	const element = document.createElement("details");
	element.className = "thought";
	element.open = !isOver;
	const summary = document.createElement("summary");
	const chevron = createElement("span", "codicon codicon-chevron-right");
	chevron.ariaHidden = "true";
	const label = createElement("span");
	summary.append(chevron, label);
	const body = createElement("div", "thought-text");
	body.append(createElement("div"));
	element.append(summary, body);
	const entry = { element, label, body, length: 0, incoming: new IncomingText(), isTouched: false };
	summary.addEventListener("click", () => {
		entry.isTouched = true;
	});
	return entry;
}

/** Lines from which growing thinking fades at its top. */
const longLines = 8;

/** Each line is a block, so that an added word restyles only its line. */
function update(entry: ThoughtEntry, { text, label, isOver }: ThoughtView): void {
	const { element, body } = entry;
	entry.length += text.length;
	const shown = entry.incoming.take(text) + (isOver ? entry.incoming.end() : "");
	if (shown !== "") {
		const [first = "", ...lines] = shown.split("\n");
		body.lastElementChild?.append(first);
		body.append(
			...lines.map(line => {
				const block = createElement("div");
				block.textContent = line;
				return block;
			}),
		);
		body.classList.toggle("long", body.children.item(longLines - 1) !== null);
	}
	if (entry.label.textContent !== label) {
		entry.label.textContent = label;
	}
	if (isOver && element.classList.toggle("over", true) && !entry.isTouched) {
		element.open = false;
	}
}
