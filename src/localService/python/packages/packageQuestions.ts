import { randomUUID } from "node:crypto";
import type { PackageQuestion } from "../../../client/contract/schemas.ts";
import { untilAborted } from "../../../common/async.ts";

/** A question about packages, and the user's decision. `answer` rejects with `AbortError`. */
export interface AskedPackages {
	readonly detail: PackageQuestion;
	readonly answer: Promise<boolean>;
}

/** Questions that wait for the user. */
export class PackageQuestions {
	private readonly waiting = new Map<string, (isAccepted: boolean) => void>();

	ask(question: Omit<PackageQuestion, "type" | "id">, signal: AbortSignal): AskedPackages {
		const id = randomUUID();
		const { promise, resolve } = Promise.withResolvers<boolean>();
		this.waiting.set(id, resolve);
		const answer = untilAborted(promise, signal).finally(() => this.waiting.delete(id));
		return { detail: { type: "packages", id, ...question }, answer };
	}

	/** Passes on the user's decision. Ignores unknown ids. */
	answer(id: string, isAccepted: boolean): void {
		this.waiting.get(id)?.(isAccepted);
	}
}
