/** Why a view is made anew. */
export type RevivalReason =
	/** The window took a ping, the page did not answer it. */
	| "silent"
	/** The page answers, and shows nothing. */
	| "blank"
	/** The document never asked for what it should show. */
	| "notLoaded"
	/** The page's script could not be loaded or broke off. */
	| "scriptFailed"
	/** A person ran the command. */
	| "asked";

/** What happens to a page, each with its time. */
export type PulseEvent = { readonly at: number } & (
	| { readonly type: "shown" | "hidden" | "loaded" | "scriptFailed" | "erred" | "asked" }
	/** The page was sent so much text to show. */
	| { readonly type: "sent"; readonly characters: number }
	/** The window took a ping and handed it to the page. */
	| { readonly type: "delivered"; readonly beat: number }
	| { readonly type: "answered"; readonly beat: number; readonly isShown: boolean }
	/** The time of `dueAt` has come. */
	| { readonly type: "due" }
	/** The page was to be made anew, and was not: the window itself did not answer, so its page could not either. */
	| { readonly type: "excused" }
);

/** What is to be done after an event. */
export type PulseAction =
	| { readonly type: "ping"; readonly beat: number }
	/** `redraw` writes a new document into the frame; `replace` has VS Code make a new frame. */
	| {
			readonly type: "revive";
			readonly way: "redraw" | "replace";
			readonly reason: RevivalReason;
			/** For how long the page gave no sign, in ms. */
			readonly silentMs: number;
	  }
	| { readonly type: "giveUp"; readonly reason: RevivalReason };
