import type { Find, FindDependencies } from "./find.ts";
import { isOfInputMethod } from "../../shared/inputMethod.ts";

const isMac = navigator.platform.startsWith("Mac");

/**
 * Opens the search on Ctrl+F, or Cmd+F on a Mac, and goes to further matches on F3; the editor's own search doesn't get these keys. Preloads the
 * search in an idle period.
 */
export function listenToFindKeys(dependencies: FindDependencies): void {
	let find: Find | undefined;
	let loading: Promise<Find> | undefined;
	const fetchCode = async (): Promise<Find> => {
		try {
			const loaded = await import("./find.ts");
			return (find = new loaded.Find(dependencies));
		} catch (error) {
			loading = undefined;
			throw error;
		}
	};
	// Created once; otherwise F3 could go to another search than the open one.
	const load = (): Promise<Find> => (loading ??= fetchCode());
	// Preloaded, so that text typed right after the shortcut goes to the field.
	requestIdleCallback(() => void load());
	// On the document, because nothing in the page is focused right after it opens.
	document.addEventListener("keydown", event => {
		const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
		const isOpening =
			key.toLowerCase() === "f" && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey;
		if (isOfInputMethod(event)) {
			return;
		}
		if (isOpening) {
			if (find) {
				find.open();
			} else {
				void load().then(loaded => loaded.open());
			}
		} else if (key !== "F3" || find?.step(shiftKey ? -1 : 1) !== true) {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
}
