import type { Memento } from "vscode";

/** A value in VS Code's state, kept across restarts. The stored value can have any type. */
export interface StoredValue {
	get(): unknown;
	set(value: unknown): void;
}

/** Returns the value of a key of VS Code's state. `set` resolves when VS Code has stored it. */
export function storedValue(
	state: Pick<Memento, "get" | "update">,
	key: string,
): { get(): unknown; set(value: unknown): Thenable<void> } {
	return { get: () => state.get(key), set: value => state.update(key, value) };
}
