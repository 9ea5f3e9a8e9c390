/** Why a view is made anew. */
export type RevivalReason =
	/** The window took a ping, the page did not answer it. */
	| "silent"
	/** The page answers, and shows nothing. */
	| "blank"
	/** The document never asked for what it should show. */
	| "notLoaded"
	/** The frame made in place of another took no word: what hangs in the view's process holds it up as well. */
	| "unreached"
	/** The page's script could not be loaded or broke off. */
	| "scriptFailed"
	/** A person ran the command. */
	| "asked";

/**
 * How a view is made anew: `redraw` writes a new document into the frame; `replace` has VS Code make a new frame, `changeView` one
 * in another process.
 */
export type RevivalWay = "redraw" | "replace" | "changeView";

/** What happens to a page, each with its time. */
export type PulseEvent = { readonly at: number } & (
	| { readonly type: "shown" | "hidden" | "loaded" | "scriptFailed" | "erred" | "asked" }
	/** The frame took a word: what runs in its process does not hang. */
	| { readonly type: "reached" }
	/** The page was sent so much text to show. */
	| { readonly type: "sent"; readonly characters: number }
	/** The window took a ping and handed it to the page. */
	| { readonly type: "delivered"; readonly beat: number }
	| { readonly type: "answered"; readonly beat: number; readonly isShown: boolean }
	/** The time of `dueAt` has come. */
	| { readonly type: "due" }
	/** The page is made anew now. */
	| { readonly type: "ordered"; readonly way: RevivalWay }
	/** The page was to be made anew, and was not: the window itself did not answer, so its page could not either. */
	| { readonly type: "excused"; readonly reason: RevivalReason }
);

/** What is to be done after an event. */
export type PulseAction =
	| { readonly type: "ping"; readonly beat: number }
	/** The frame is to be sent a word, whatever it shows. */
	| { readonly type: "reach" }
	| {
			readonly type: "revive";
			readonly way: RevivalWay;
			readonly reason: RevivalReason;
			/** For how long the page gave no sign, in ms. */
			readonly silentMs: number;
	  }
	| { readonly type: "giveUp"; readonly reason: RevivalReason };
