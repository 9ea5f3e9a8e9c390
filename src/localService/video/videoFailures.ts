import { HttpFailure } from "../base/httpFailure.ts";

/** Ways to fail that a video's prompt can ask for, so that a user can see each; ids are rows of the fault matrix. */
export interface FailureExample {
	/** The word that is typed after `/fail`. */
	readonly kind: string;
	/** Half a sentence for the list. */
	readonly summary: string;
	readonly effect: VideoFailureEffect;
}

/** Where and how a failure shows. */
export type VideoFailureEffect =
	/** The creation call is answered with a status. */
	| { readonly at: "request"; readonly failure: HttpFailure }
	/** The creation call is taken, but its answer does not come or says nothing. */
	| { readonly at: "answer"; readonly answer: "reset" | "noId" | "html" }
	/** The lookup is answered with a status, or the generation looks different. */
	| { readonly at: "lookup"; readonly failure: HttpFailure }
	| { readonly at: "generation"; readonly change: GenerationChange }
	/** The clip's address answers differently. */
	| { readonly at: "clip"; readonly fault: ClipFault };

/** The answer of the lookup for a complete generation, in place of the truth. */
export type GenerationChange = {
	/** Seconds from its creation for which this lasts; absent: for ever. */
	readonly seconds?: number;
} & (
	| { readonly type: "status"; readonly status: string }
	/** The right status in capitals. */
	| { readonly type: "spelling" }
	| { readonly type: "noStatus" }
	| { readonly type: "url"; readonly videoUrl: string | null }
);

/** Ways the clip's address can misbehave. */
export type ClipFault = "expired" | "html" | "empty" | "cut" | "noRange";

const request = (status: number, message: string, headers = {}): FailureExample => ({
	kind: String(status),
	summary: `the request is refused with status ${status}`,
	effect: { at: "request", failure: new HttpFailure(status, "demonstration", message, headers) },
});

const generation = (kind: string, summary: string, change: GenerationChange): FailureExample => ({
	kind,
	summary,
	effect: { at: "generation", change },
});

const clip = (kind: string, summary: string, fault: ClipFault): FailureExample => ({
	kind,
	summary,
	effect: { at: "clip", fault },
});

/** Every failure, in the order they are listed. */
export const videoFailures: readonly FailureExample[] = [
	request(400, "The prompt was not understood."),
	request(401, "The key was not accepted."),
	request(402, "The account has no credit left."),
	request(403, "This key may not make videos."),
	request(422, "prompt: is against the service's rules."),
	request(429, "Too many videos.", { "Retry-After": "5" }),
	request(500, "Something went wrong inside the service."),
	request(503, "The service is overloaded.", { "Retry-After": "20" }),
	// J2, J3.
	{
		kind: "reset",
		summary: "the request is taken, but the connection breaks before the answer",
		effect: { at: "answer", answer: "reset" },
	},
	{
		kind: "noid",
		summary: "the answer to the request names no generation",
		effect: { at: "answer", answer: "noId" },
	},
	{
		kind: "html",
		summary: "a web page comes in place of the answer",
		effect: { at: "answer", answer: "html" },
	},
	// J5, J10.
	{
		kind: "check",
		summary: "checking the generation fails with status 500",
		effect: { at: "lookup", failure: new HttpFailure(500, "demonstration", "The lookup failed.") },
	},
	{
		kind: "gone",
		summary: "the service forgets the generation at once",
		effect: {
			at: "lookup",
			failure: new HttpFailure(404, "generation_not_found", "There is no such generation."),
		},
	},
	// J6 to J8.
	generation("stuck", "the generation stays in progress for ever", {
		type: "status",
		status: "in_progress",
	}),
	generation("slow", "it takes 30 seconds", { type: "status", status: "in_progress", seconds: 30 }),
	generation("failed", "its status becomes “failed”", { type: "status", status: "failed" }),
	generation("paused", "its status becomes “paused”, which the interface does not know", {
		type: "status",
		status: "paused",
	}),
	generation("case", "its status is written “COMPLETE”", { type: "spelling" }),
	generation("nostatus", "it has no status", { type: "noStatus" }),
	// J11, J12.
	generation("nourl", "it is complete without an address", { type: "url", videoUrl: null }),
	generation("lateurl", "it is complete, but its address comes 8 seconds later", {
		type: "url",
		videoUrl: "",
		seconds: 8,
	}),
	generation("badurl", "its address leads to a private network", {
		type: "url",
		videoUrl: "http://169.254.169.254/clip.webm",
	}),
	generation("fileurl", "its address is a file of this computer", {
		type: "url",
		videoUrl: "file:///etc/hosts",
	}),
	// J13 to J16.
	clip("expired", "its address has expired", "expired"),
	clip("notvideo", "its address gives a web page", "html"),
	clip("empty", "its address gives nothing", "empty"),
	clip("cut", "the download breaks half-way, until it is resumed", "cut"),
	clip("norange", "the download cannot be resumed, and breaks once", "noRange"),
];

/** The failure with this name. */
export function findVideoFailure(kind: string | undefined): FailureExample | undefined {
	return videoFailures.find(failure => failure.kind === kind);
}

/**
 * The kind of failure a prompt asks for, undefined for a prompt like any other. Throws `HttpFailure` 400 with the list
 * for a kind that does not exist.
 */
export function requestedFailure(prompt: string): FailureExample | undefined {
	const match = /^\s*\/fail(?:\s+(?<kind>\S+)|\s*$)/i.exec(prompt);
	if (!match) {
		return undefined;
	}
	const failure = findVideoFailure(match.groups?.["kind"]?.toLowerCase());
	if (!failure) {
		const kinds = videoFailures.map(({ kind }) => kind).join(", ");
		throw new HttpFailure(400, "unknown_failure", `prompt: /fail takes one of ${kinds}.`);
	}
	return failure;
}
