import type { FindDependencies } from "./findDependencies.ts";
import type { FindCommands } from "./findDependencies.ts";

const isMac = navigator.platform.startsWith("Mac");

/**
 * Opens the search on Ctrl+F, or Cmd+F on a Mac, and goes on with it on F3; the editor's own search does not hear of either. The
 * code of the search is loaded in a quiet moment.
 */
export function listenToFindKeys(dependencies: FindDependencies): void {
	let commands: FindCommands | undefined;
	let loading: Promise<FindCommands> | undefined;
	const fetchCode = async (): Promise<FindCommands> => {
		try {
			return (commands = (await import("./find.ts")).createFind(dependencies));
		} catch (error) {
			loading = undefined;
			throw error;
		}
	};
	// Made once: of two searches, F3 would go on with the one that is not open.
	const load = (): Promise<FindCommands> => (loading ??= fetchCode());
	// What is typed right after the keys belongs into the field, so the code is there before they are pressed.
	requestIdleCallback(() => void load());
	// Not on the page's root: right after it was opened, nothing on it has the focus.
	document.addEventListener("keydown", event => {
		const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
		const isOpening =
			key.toLowerCase() === "f" && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey;
		if (event.isComposing) {
			return;
		}
		if (isOpening) {
			if (commands) {
				commands.open();
			} else {
				void load().then(({ open }) => open());
			}
		} else if (key !== "F3" || commands?.step(shiftKey ? -1 : 1) !== true) {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
}
