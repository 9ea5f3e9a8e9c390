import type { Memento } from "vscode";
import { type KeptValue, keptValue } from "../base/keptValue.ts";

/** The providers of the editor's models that the user allowed, in the state that all windows share. */
export function allowedProvidersIn(state: Memento): KeptValue {
	return keptValue(state, "cutaway.allowedProviders");
}

/** The providers that may get messages without a question; none where what is kept is not a list of names. */
export function providersIn(memory: KeptValue): readonly string[] {
	// Activation loads this file, and no schemas with it.
	const kept = memory.get();
	return Array.isArray(kept) ? kept.filter(name => typeof name === "string") : [];
}

/** Has the user asked again before the next message goes to this provider. */
export function withdrawProvider(memory: KeptValue, provider: string): void {
	memory.set(providersIn(memory).filter(name => name !== provider));
}
