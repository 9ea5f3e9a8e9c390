import * as l10n from "@vscode/l10n";
import { revealInLine } from "../../../src/common/hiddenText.ts";
import { createElement } from "../markdown/elements/elements.ts";

/** Sets the name of a block's draw button. */
function nameButton(button: HTMLElement, name: string): void {
	button.ariaLabel = name;
	button.title = name;
}

/** Removes a block's diagram or its error, which leaves the source. */
function showSource(block: HTMLElement, button: HTMLElement): void {
	block.querySelectorAll(".diagram, .diagram-problem").forEach(element => element.remove());
	block.classList.remove("drawn");
	nameButton(button, l10n.t("Draw diagram"));
}

function showProblem(block: HTMLElement, button: HTMLElement, sentence: string): void {
	showSource(block, button);
	const problem = createElement("div", "diagram-problem");
	problem.setAttribute("role", "status");
	problem.append(revealInLine(sentence.replaceAll("\n", " ")));
	block.append(problem);
}

/** Draws the diagram of a code block in place of its source, or shows the source again. Loads the drawing code on first use. */
export async function toggleDiagram(block: HTMLElement, button: HTMLElement): Promise<void> {
	if (block.classList.contains("drawn")) {
		showSource(block, button);
		return;
	}
	showSource(block, button);
	block.classList.add("drawn");
	nameButton(button, l10n.t("Show source"));
	try {
		const [{ createDiagramFrame }, { frameSource }] = await Promise.all([
			import("./diagramFrame.ts"),
			import("./frameSource.ts"),
		]);
		const source = block.querySelector("code")?.textContent ?? "";
		// The user may have toggled back to the source meanwhile.
		if (block.classList.contains("drawn") && !block.querySelector(".diagram")) {
			block.append(
				createDiagramFrame(source, frameSource, sentence => showProblem(block, button, sentence)),
			);
		}
	} catch {
		showProblem(
			block,
			button,
			l10n.t("Couldn't load the diagram renderer. Draw the diagram again."),
		);
	}
}
