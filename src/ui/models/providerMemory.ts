import * as z from "zod/mini";

/** Where the providers of the editor's models are kept that the user allowed. */
export interface ProviderMemory {
	get(): unknown;
	set(providers: readonly string[]): void;
}

/** The providers that may get messages without a question; none where what is kept is not a list of names. */
export function providersIn(memory: ProviderMemory): readonly string[] {
	return z.array(z.string()).safeParse(memory.get()).data ?? [];
}

/** Has the user asked again before the next message goes to this provider. */
export function withdrawProvider(memory: ProviderMemory, provider: string): void {
	memory.set(providersIn(memory).filter(name => name !== provider));
}
