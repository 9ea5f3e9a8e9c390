import { linkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createToolBench } from "../../helpers/toolBench.ts";

test("Git changes of a file that has another name outside the workspace are left out unasked", async () => {
	const bench = await createToolBench();
	const plain = bench.put("ws/src/a.ts", "one");
	const linked = join(bench.workspace, "src/b.ts");
	linkSync(bench.put("outside/keys.ts", "one"), linked);
	bench.editor.diffs_ = [
		{ paths: [plain], diff: "+of the plain file" },
		{ paths: [linked], diff: "+of the linked file" },
	];
	const { content } = await bench.run("get_git_diff", {});
	expect(content).toContain("+of the plain file");
	expect(content).not.toContain("+of the linked file");
});
