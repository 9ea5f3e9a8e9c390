import type { Find, FindDependencies } from "./find.ts";
import { isOfInputMethod } from "../../shared/inputMethod.ts";

const isMac = navigator.platform.startsWith("Mac");

/**
 * Opens the search on Ctrl+F, or Cmd+F on a Mac, and goes on with it on F3; the editor's own search does not hear of either. The
 * code of the search is loaded in a quiet moment.
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
	// Made once: of two searches, F3 would go on with the one that is not open.
	const load = (): Promise<Find> => (loading ??= fetchCode());
	// What is typed right after the keys belongs into the field, so the code is there before they are pressed.
	requestIdleCallback(() => void load());
	// Not on the page's root: right after it was opened, nothing on it has the focus.
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
