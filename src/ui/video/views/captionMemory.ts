import type * as vscode from "vscode";

/** Whether captions are shown, for all previews and over every restart. */
export interface CaptionMemory {
	get(): boolean;
	set(isShown: boolean): void;
}

const key = "cutaway.showsCaptions";

/** The memory of captions in the editor's state; off until they are switched on. */
export function captionMemoryIn(state: vscode.Memento): CaptionMemory {
	return {
		get: () => state.get(key) === true,
		set: isShown => void state.update(key, isShown),
	};
}
