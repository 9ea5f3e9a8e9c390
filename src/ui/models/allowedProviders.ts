import type { Memento } from "vscode";
import { type StoredValue, storedValue } from "../base/keptValue.ts";

/** Returns the allowed providers of the editor's models, in the state shared by all windows. */
export function allowedProvidersIn(state: Memento): StoredValue {
	return storedValue(state, "cutaway.allowedProviders");
}

/** Returns the providers that may receive messages without asking. Empty if the stored value is invalid. */
export function providersIn(memory: StoredValue): readonly string[] {
	// Doesn't use a schema, because this file is loaded on activation.
	const kept = memory.get();
	return Array.isArray(kept) ? kept.filter(name => typeof name === "string") : [];
}

/** Requires consent again before the next message to this provider. */
export function withdrawProvider(memory: StoredValue, provider: string): void {
	memory.set(providersIn(memory).filter(name => name !== provider));
}
