import { expect, test } from "vitest";
import { allow, createToolBench, type ToolBench } from "../../helpers/toolBench.ts";

/** Made here, so that this file itself holds none. */
const token = ["ghp", "q7Wd2Lk9Rt4Zx1Vb8Nm3Hs6Fj5Gp0Yc2Ue7A"].join("_");
const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
const key = ["-----BEGIN", `KEY-----\n${body}\n-----END`, "KEY-----"].join(" PRIVATE ");

/** A document as the editor shows it, with the token in its second of three lines. */
function showDocument(bench: ToolBench, path: string | undefined, address?: string): void {
	const text = `first\ntoken: ${token}\nlast\n`;
	const selection = { start: 0, end: 5 };
	const look = { isView: false, languageId: "plaintext", notes: [], selection };
	bench.editor.active = { ...look, path, address, name: "config", text };
}

test("a file whose content holds a secret asks, shows none of it, and is told when it is allowed", async () => {
	const bench = await createToolBench();
	bench.put("ws/notes.txt", `first\ntoken: ${token}\nlast\n`);
	const denied = await bench.run("read_file", { path: "notes.txt" });
	expect(denied.state).toBe("denied");
	expect(bench.asked[0]?.warnings).toEqual([
		"notes.txt may hold secrets in lines 2: GitHub ghp_•••",
	]);
	expect(JSON.stringify([denied, bench.asked])).not.toContain(token);
	bench.decide = allow;
	expect((await bench.run("read_file", { path: "notes.txt" })).content).toContain(token);
});

test("lines without the secret of a file are read without asking, lines of a key are not", async () => {
	const bench = await createToolBench();
	bench.put("ws/notes.txt", `first\n${key}\nlast\n`);
	expect(await bench.run("read_file", { path: "notes.txt", endLine: 1 })).toMatchObject({
		state: "done",
	});
	const part = await bench.run("read_file", { path: "notes.txt", startLine: 3, endLine: 3 });
	expect(part.state).toBe("denied");
});

test("an ordinary file is read without asking", async () => {
	const bench = await createToolBench();
	bench.put("ws/a.ts", "export const password = readPassword();\n");
	expect((await bench.run("read_file", { path: "a.ts" })).state).toBe("done");
	expect(bench.asked).toEqual([]);
});

test("the open document asks for its secrets, its selection only for those that are selected", async () => {
	const bench = await createToolBench();
	showDocument(bench, bench.put("ws/config", "x"));
	expect((await bench.run("get_active_file", {})).state).toBe("denied");
	expect((await bench.run("get_selection", {})).state).toBe("done");
});

test("what is found in files has its secrets masked, and a query cannot guess them", async () => {
	const bench = await createToolBench();
	bench.put("ws/a.txt", `first\ntoken: ${token}\n${key}\n`);
	const found = await bench.run("search_text", { query: "token" });
	expect(found.content).toBe("a.txt:2: token: [masked]");
	for (const query of [token.slice(0, 9), body.slice(0, 12)]) {
		const guessed = await bench.run("search_text", { query });
		expect(guessed.content).toBe("Nothing was found.");
	}
	expect(bench.asked).toEqual([]);
});

test("changes and problems have the secrets in them masked", async () => {
	const bench = await createToolBench();
	const path = bench.put("ws/a.txt", "x");
	bench.editor.diffs_ = [{ paths: [path], diff: `-x\n+token: ${token}\n` }];
	const place = { path, line: 1, column: 1, severity: "error", source: "ts" } as const;
	bench.editor.problems_ = [{ ...place, message: `no such value: ${token}` }];
	for (const tool of ["get_git_diff", "get_problems"]) {
		const { content } = await bench.run(tool, {});
		expect(content).toContain("[masked]");
		expect(content).not.toContain(token);
	}
});

test("no tool tells of a file that the user excluded without asking", async () => {
	const bench = await createToolBench();
	const hidden = bench.put("ws/hidden.txt", "const word = 1;\n");
	const path = bench.put("ws/a.txt", "const word = 1;\n");
	bench.excluded.add("hidden.txt");
	bench.editor.diffs_ = [{ paths: [hidden], diff: "+word" }];
	bench.editor.references_ = [path, hidden].map(found => ({ path: found, line: 1, column: 7 }));
	const place = { path: hidden, line: 1, column: 1, severity: "error", source: "ts" } as const;
	bench.editor.problems_ = [{ ...place, message: "word" }];
	const told = await Promise.all([
		bench.run("get_git_diff", {}),
		bench.run("get_problems", {}),
		bench.run("find_references", { path: "a.txt", line: 1, symbol: "word" }),
		bench.run("search_text", { query: "word" }),
	]);
	expect(told.map(({ content }) => content)).toEqual([
		"\n[left out: 1 files that hold secrets, are excluded or lie outside]",
		"The editor shows no problems.",
		"a.txt:1:7",
		"a.txt:1: const word = 1;",
	]);
	// A file that is named is asked about, and told of when that is allowed.
	bench.decide = allow;
	const named = await bench.run("get_problems", { path: "hidden.txt" });
	expect(named.content).toContain("hidden.txt:1:1 error ts: word");
	expect(bench.asked).toHaveLength(1);
});

test.each([
	["vscode-userdata:/home/a/settings.json", []],
	["output:tasks", []],
	["vscode-vfs://github/a/b/readme.md", []],
	["sftp://host/home/a/.ssh/config", ["sftp://host/home/a/.ssh/config may hold secrets"]],
])("the open document %s is not read without asking", async (address, reasons) => {
	const bench = await createToolBench();
	showDocument(bench, undefined, address);
	for (const tool of ["get_active_file", "get_selection"]) {
		expect((await bench.run(tool, {})).state).toBe("denied");
		expect(bench.asked.at(-1)?.warnings).toEqual(
			expect.arrayContaining([...reasons, `${address} lies outside the workspace`]),
		);
	}
});

test("a new document that was never saved is read without asking when it holds no secret", async () => {
	const bench = await createToolBench();
	showDocument(bench, undefined);
	expect((await bench.run("get_selection", {})).state).toBe("done");
});
