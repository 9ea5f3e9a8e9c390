import { expect, test, vi } from "vitest";

vi.mock("mermaid", () => ({ default: {} }));
const { quoteLabels } = await import("../../../../../media/chat/diagram/frame/drawDiagram.ts");

test.each([
	["flowchart LR\n A[x (y)] --> B", 'flowchart LR\n A["x (y)"] --> B'],
	["graph TD\nA(f(x)) --> B{is x > 0?}", 'graph TD\nA("f(x)") --> B{"is x > 0?"}'],
	["graph TD\nA[items[0]] --- B((end))", 'graph TD\nA["items[0]"] --- B(("end"))'],
	[
		'graph TD\nA[say "hi"] --> B["done (y)"]',
		'graph TD\nA["say #quot;hi#quot;"] --> B["done (y)"]',
	],
	["graph TD\nA -->|yes (1)| B[b]", 'graph TD\nA -->|"yes (1)"| B["b"]'],
	[
		"%% note\nflowchart TB\nA[(db (1))] & B[x]:::c ==> C",
		'%% note\nflowchart TB\nA[("db (1)")] & B["x"]:::c ==> C',
	],
	["flowchart TB\nsubgraph S [part (1)]\nend", 'flowchart TB\nsubgraph S ["part (1)"]\nend'],
])("the labels of the flowchart %j get the quotes that its parser needs", (source, quoted) => {
	expect(quoteLabels(source)).toBe(quoted);
});

test.each(["sequenceDiagram\nA->>B: f(x)", "classDiagram\nclass A { +f(x) }", ""])(
	"the diagram %j, which is no flowchart, stays as it is",
	source => {
		expect(quoteLabels(source)).toBe(source);
	},
);
