import { expect, test } from "vitest";
import { CompletionCallCollector } from "../../../../src/localService/openai/completionCalls.ts";

test("T45: a call's arguments of 10 MB in small pieces are joined in linear time", () => {
	const collector = new CompletionCallCollector();
	collector.push([{ index: 0, id: "one", function: { name: "create_file", arguments: '{"a":"' } }]);
	const piece = "x".repeat(1_000);
	for (let count = 0; count < 10_000; count += 1) {
		collector.push([{ index: 0, function: { arguments: piece } }]);
	}
	collector.push([{ index: 0, function: { arguments: '"}' } }]);
	expect(collector.calls()[0]?.arguments).toHaveLength(10_000_008);
}, 3_000);
