import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HostMemory } from "../../../../../media/chat/base/hostMemory.ts";
import { ViewMemory } from "../../../../../media/chat/base/viewMemory.ts";

beforeEach(() => {
	vi.useFakeTimers();
	vi.stubGlobal("window", globalThis);
});

afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

/** A page's memory, and what the host was handed of it. */
function setUp() {
	const handed: unknown[] = [];
	const host = {
		call: (_method: string, { text }: { readonly text: string }) => {
			handed.push(JSON.parse(text));
			return Promise.resolve({});
		},
	};
	const page = { querySelector: () => null } as unknown as Document;
	const memory = new ViewMemory(
		{ getState: () => undefined, setState: () => undefined },
		new HostMemory(page, host as unknown as ConstructorParameters<typeof HostMemory>[1]),
	);
	return { handed, memory };
}

test("what is written is handed to the host at once, and from then on four times a second", () => {
	const { handed, memory } = setUp();
	for (const draft of ["a", "ab", "abc"]) {
		memory.update({ draft });
	}
	vi.advanceTimersByTime(0);
	expect(handed).toMatchObject([{ draft: "abc" }]);
	for (const draft of ["abcd", "abcde"]) {
		memory.update({ draft });
		vi.advanceTimersByTime(100);
	}
	expect(handed).toHaveLength(1);
	vi.advanceTimersByTime(50);
	expect(handed.slice(1)).toMatchObject([{ draft: "abcde" }]);
});

test("L4: that words are sent, and that they were, is with the host at once: a page that dies then does not offer them again", () => {
	const { handed, memory } = setUp();
	memory.update({ draft: "Why?" });
	vi.advanceTimersByTime(0);
	memory.update({ sending: "Why?" });
	memory.update({ draft: "" });
	vi.advanceTimersByTime(0);
	memory.update({ sending: "" });
	vi.advanceTimersByTime(0);
	expect(handed).toMatchObject([
		{ draft: "Why?" },
		{ draft: "", sending: "Why?" },
		{ draft: "", sending: "" },
	]);
});
