import type { Memento } from "vscode";

/** Where the providers of the editor's models are kept that the user allowed. */
export interface ProviderMemory {
	get(): unknown;
	set(providers: readonly string[]): void;
}

/** The memory in the state of VS Code that all windows share. */
export function providerMemoryIn(state: Pick<Memento, "get" | "update">): ProviderMemory {
	const key = "cutaway.allowedProviders";
	return {
		get: () => state.get(key),
		set: providers => void state.update(key, providers),
	};
}

/** The providers that may get messages without a question; none where what is kept is not a list of names. */
export function providersIn(memory: ProviderMemory): readonly string[] {
	// Activation loads this file, and no schemas with it.
	const kept = memory.get();
	return Array.isArray(kept) ? kept.filter(name => typeof name === "string") : [];
}

/** Has the user asked again before the next message goes to this provider. */
export function withdrawProvider(memory: ProviderMemory, provider: string): void {
	memory.set(providersIn(memory).filter(name => name !== provider));
}
