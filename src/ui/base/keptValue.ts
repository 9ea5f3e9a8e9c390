import type { Memento } from "vscode";

/** A value that VS Code keeps over restarts. What comes back may be of any type. */
export interface KeptValue {
	get(): unknown;
	set(value: unknown): void;
}

/** The value of a key of VS Code's state. `set` resolves once VS Code has it. */
export function keptValue(
	state: Pick<Memento, "get" | "update">,
	key: string,
): { get(): unknown; set(value: unknown): Thenable<void> } {
	return { get: () => state.get(key), set: value => state.update(key, value) };
}
