import { createHash } from "node:crypto";
import type { ChatRequest } from "../../client/index.ts";
import type { Clock } from "../../common/async.ts";
import type { HttpFailure } from "../base/index.ts";

/** Why streams ended short, for the requests that ask for the words. */
export interface MetFailures {
	remember(request: ChatRequest, failure: HttpFailure): void;
	/** Gives a failure of this conversation, once. */
	take(request: ChatRequest): HttpFailure | undefined;
}

const rememberedMs = 60_000;
const maxRemembered = 50;

/** Makes the memory. It keeps a failure for a minute. */
export function createMetFailures(clock: Clock): MetFailures {
	let met: { readonly key: string; readonly at: number; readonly failure: HttpFailure }[] = [];
	return {
		remember: (request, failure) => {
			const entry = { key: keyOf(request), at: clock.monotonic(), failure };
			met = [...met, entry].slice(-maxRemembered);
		},
		take: request => {
			met = met.filter(({ at }) => clock.monotonic() - at < rememberedMs);
			const key = keyOf(request);
			const index = met.findIndex(entry => entry.key === key);
			return index === -1 ? undefined : met.splice(index, 1)[0]?.failure;
		},
	};
}

function keyOf({ model, messages }: ChatRequest): string {
	return createHash("sha256")
		.update(JSON.stringify([model, messages]))
		.digest("base64");
}
