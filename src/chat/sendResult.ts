import type { StoreError } from "../storage/storeError.ts";

/** Outcome of a click that asks for an answer. Only `started` means that a request leaves. */
export type SendResult =
	| { readonly type: "started"; readonly turnId: string }
	/** Another question is under way. */
	| { readonly type: "busy" }
	/** The question could not be recorded and was therefore not sent (L6, L7, L9); the words are the caller's to keep. */
	| { readonly type: "notSaved"; readonly error: StoreError }
	/** The model cannot use `code_interpreter`, which alone opens the files that go with it. Interface §4.4. */
	| { readonly type: "needsTools" }
	/** The turn is not where it would have to be for this (the last one, or among those shown), or the chat is closed. */
	| { readonly type: "unavailable" };

/** Outcome of showing another version of a question: while an answer runs, the turns stay as they are. */
export type ShowResult = "shown" | "busy" | "unavailable";
