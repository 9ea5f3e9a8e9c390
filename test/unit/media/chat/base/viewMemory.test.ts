import { expect, test } from "vitest";
import { ViewMemory } from "../../../../../media/chat/base/viewMemory.ts";

/** A page that VS Code and the host kept something of. */
function open(byEditor: unknown, byHost: string) {
	let state = byEditor;
	const handed: string[] = [];
	const memory = new ViewMemory(
		{ getState: () => state, setState: next => (state = next) },
		{ kept: byHost, keep: text => handed.push(text()) },
	);
	return { memory, handed, state: () => state };
}

const memoryOf = (draft: string, keptAt: number) => ({ draft, keptAt });

test("Of what VS Code and the host kept, the later one counts", () => {
	const earlier = memoryOf("Half a", 1000);
	const later = memoryOf("Half a thought", 2000);
	expect(open(earlier, JSON.stringify(later)).memory.current.draft).toBe("Half a thought");
	expect(open(later, JSON.stringify(earlier)).memory.current.draft).toBe("Half a thought");
	expect(open(undefined, JSON.stringify(later)).memory.current.draft).toBe("Half a thought");
	expect(open(later, "").memory.current.draft).toBe("Half a thought");
});

test.each(["", "{", "7", '"text"', '{"draft":1}'])(
	"What cannot be read of the host's counts as nothing: %j",
	text => {
		expect(open(memoryOf("Half a thought", 1), text).memory.current.draft).toBe("Half a thought");
		expect(open(undefined, text).memory.current.draft).toBe("");
	},
);

test("Every change is handed to both, and a page that gets either goes on from it", () => {
	const first = open(undefined, "");
	first.memory.update({ draft: "Half a thought" });
	first.memory.update({ draft: "Half a thought more" });
	expect(first.handed).toHaveLength(2);
	expect(open(first.state(), "").memory.current).toEqual(first.memory.current);
	expect(open(undefined, first.handed[1] ?? "").memory.current).toEqual(first.memory.current);
});
