import { linkSync } from "node:fs";
import { basename, join } from "node:path";
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
		"notes.txt may contain secrets in lines 2: GitHub ghp_•••",
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

/** Word for word what is told when so many files are left out. */
const leftOut = (count: number): string =>
	count === 1
		? "[left out: 1 file that may hold secrets, is excluded or is outside]"
		: `[left out: ${count} files that may hold secrets, are excluded or lie outside]`;

test("no tool tells of a file that the user excluded without asking, and says how many it left out", async () => {
	const bench = await createToolBench();
	const hidden = bench.put("ws/hidden.txt", "const word = 1;\n");
	const path = bench.put("ws/a.txt", "const word = 1;\n");
	bench.excluded.add("hidden.txt");
	bench.editor.diffs_ = [{ paths: [hidden], diff: "+word" }];
	bench.editor.references_ = [path, hidden].map(found => ({ path: found, line: 1, column: 7 }));
	const place = { path: hidden, line: 1, column: 1, severity: "error", source: "ts" } as const;
	bench.editor.problems_ = [
		{ ...place, message: "word" },
		{ ...place, message: "another" },
	];
	const told = await Promise.all([
		bench.run("get_git_diff", {}),
		bench.run("get_problems", {}),
		bench.run("find_references", { path: "a.txt", line: 1, symbol: "word" }),
		bench.run("search_text", { query: "word" }),
		bench.run("list_files", {}),
	]);
	expect(told.map(({ content }) => content)).toEqual([
		leftOut(1),
		leftOut(1),
		`a.txt:1:7\n${leftOut(1)}`,
		`a.txt:1: const word = 1;\n${leftOut(1)}`,
		`a.txt\n${leftOut(1)}`,
	]);
	// A file that is named is asked about, and told of when that is allowed.
	bench.decide = allow;
	const named = await bench.run("get_problems", { path: "hidden.txt" });
	expect(named.content).toContain("hidden.txt:1:1 error ts: word");
	expect(bench.asked).toHaveLength(1);
});

test("lists of files and of open files leave out what reading would ask about", async () => {
	const bench = await createToolBench();
	const file = (name: string, text = "x"): string => bench.put(name, text);
	bench.excluded.add("hidden.txt");
	linkSync(file("outside/keys.ts"), join(bench.workspace, "linked.ts"));
	const paths = [
		file("ws/a.txt"),
		file("ws/server.pem"),
		file("ws/hidden.txt"),
		join(bench.workspace, "linked.ts"),
		file("outside/notes.txt"),
		file("outside/.env"),
	];
	const listed = await bench.run("list_files", {});
	expect(listed.content).toBe(`a.txt\n${leftOut(3)}`);
	bench.editor.open_ = [...paths, undefined].map(path => ({
		path,
		name: path === undefined ? "Untitled-1" : basename(path),
		isActive: false,
		isDirty: false,
	}));
	const open = await bench.run("get_open_files", {});
	expect(open.content).toBe(
		[
			"a.txt",
			"notes.txt (not in the workspace)",
			"Untitled-1 (not in the workspace)",
			leftOut(4),
		].join("\n"),
	);
	expect(bench.asked).toEqual([]);
});

/** Lines like those in the middle of a key, as one more hunk of its file would show them. */
const middle = [`${body}${"a1B2".repeat(3)}`, "zY9+".repeat(16), "Qk3x=="];
const hunk = (lines: readonly string[]): string =>
	["@@ -9,2 +9,3 @@", ...lines.map((line, at) => `${" +-"[at % 3]}${line}`), ""].join("\n");

test.each([
	["bare", middle],
	["indented", middle.map(line => `    ${line}`)],
	["quoted", middle.map(line => `"${line}\\n" +`)],
])("changes in the middle of a private key are masked: %s lines", async (_, lines) => {
	const bench = await createToolBench();
	const path = bench.put("ws/notes.txt", `first\n${key.replace(body, lines.join("\n"))}\n`);
	bench.editor.diffs_ = [{ paths: [path], diff: hunk([...lines, "an ordinary line"]) }];
	const { content } = await bench.run("get_git_diff", {});
	expect(content).toBe("@@ -9,2 +9,3 @@\n [masked]\n+[masked]\n-[masked]\n an ordinary line");
});

test("the same lines in a file without a private key are told", async () => {
	const bench = await createToolBench();
	const path = bench.put("ws/picture.txt", middle.join("\n"));
	bench.editor.diffs_ = [{ paths: [path], diff: hunk(middle) }];
	expect((await bench.run("get_git_diff", {})).content).toBe(hunk(middle).trimEnd());
});

test.each([
	["vscode-userdata:/home/a/settings.json", []],
	["output:tasks", []],
	["vscode-vfs://github/a/b/readme.md", []],
	["sftp://host/home/a/.ssh/config", ["sftp://host/home/a/.ssh/config may contain secrets"]],
])("the open document %s is not read without asking", async (address, reasons) => {
	const bench = await createToolBench();
	showDocument(bench, undefined, address);
	for (const tool of ["get_active_file", "get_selection"]) {
		expect((await bench.run(tool, {})).state).toBe("denied");
		expect(bench.asked.at(-1)?.warnings).toEqual(
			expect.arrayContaining([...reasons, `${address} is outside the workspace`]),
		);
	}
});

test("a new document that was never saved is read without asking when it holds no secret", async () => {
	const bench = await createToolBench();
	showDocument(bench, undefined);
	expect((await bench.run("get_selection", {})).state).toBe("done");
});
