import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ToolFailure } from "../../../../src/common/errors.ts";
import { allow, createToolBench, type ToolBench } from "../../../helpers/toolBench.ts";

const edit = (path: string, find = "one", replace = "two") => ({
	files: [{ path, edits: [{ find, replace }] }],
});

async function withFile(text = "one"): Promise<ToolBench & { path: string }> {
	const bench = await createToolBench();
	return Object.assign(bench, { path: bench.put("ws/a.txt", text) });
}

describe("approval", () => {
	test("of an edit shows both sides, the real path and the arguments", async () => {
		const bench = await withFile();
		await bench.run("apply_edit", edit("./a.txt"));
		expect(bench.asked).toMatchObject([
			{
				tool: { name: "apply_edit", title: "Edit files", effect: "write" },
				summary: "Edit a.txt",
				files: ["a.txt"],
				warnings: [],
				canRemember: false,
				preview: { files: [{ before: "one", after: "two", change: "edit" }] },
			},
		]);
		expect(JSON.parse(bench.asked[0]?.argumentsText ?? "")).toEqual(edit("./a.txt"));
	});

	test("T30: shows hidden characters of arguments", async () => {
		const bench = await withFile();
		await bench.run("create_file", { path: "b.txt", text: "a\u202Eb" });
		expect(bench.asked[0]?.argumentsText).toContain("␣U+202E");
		expect(bench.asked[0]?.warnings.join()).toContain("hidden");
	});

	test("T14: an Allow in the first half second does not count", async () => {
		const bench = await withFile();
		const { monotonic } = bench.clock;
		// The bench lets half a second pass before each answer; here no time passes before the first two.
		bench.clock.monotonic = () => (bench.asked.length < 3 ? 0 : monotonic());
		bench.decide = allow;
		expect(await bench.run("apply_edit", edit("a.txt"))).toMatchObject({ state: "done" });
		expect(bench.asked.length).toBeGreaterThanOrEqual(3);
	});

	test("T13: an answer for another request denies", async () => {
		const bench = await withFile();
		bench.decide = () => ({ type: "allow", fingerprint: "of-another", scope: "once" });
		expect(await bench.run("apply_edit", edit("a.txt"))).toMatchObject({ state: "denied" });
		expect(readFileSync(bench.path, "utf8")).toBe("one");
	});

	test("T13: differs for every difference in what would happen", async () => {
		const bench = await withFile();
		bench.put("ws/b.txt", "one");
		for (const input of [
			edit("a.txt"),
			edit("b.txt"),
			edit("a.txt", "one", "x"),
			edit("./a.txt"),
		]) {
			await bench.run("apply_edit", input);
		}
		writeFileSync(bench.path, "one more");
		await bench.run("apply_edit", edit("a.txt"));
		writeFileSync(`${bench.path}.x`, "one more");
		renameSync(`${bench.path}.x`, bench.path);
		await bench.run("apply_edit", edit("a.txt"));
		expect(new Set(bench.asked.map(({ fingerprint }) => fingerprint)).size).toBe(6);
	});

	test("T13: counts for the file that was shown, not for another put in its place", async () => {
		const bench = await withFile();
		const path = bench.put("ws/.env", "x");
		bench.decide = request => {
			if (bench.asked.length === 1) {
				writeFileSync(`${path}.next`, "y");
				renameSync(`${path}.next`, path);
			}
			return allow(request);
		};
		expect(await bench.run("get_symbols", { path: ".env" })).toMatchObject({ state: "done" });
		expect(bench.asked).toHaveLength(2);
	});

	test("T14: is asked one at a time", async () => {
		const bench = await withFile();
		let [open, most] = [0, 0];
		bench.decide = async request => {
			open += 1;
			most = Math.max(most, open);
			await new Promise(resolve => setImmediate(resolve));
			open -= 1;
			return allow(request);
		};
		const names = ["x", "y", "z"].map(path => bench.run("create_file", { path, text: "" }));
		await Promise.all(names);
		expect(most).toBe(1);
		expect(bench.asked).toHaveLength(3);
	});

	test("for this chat counts for the same tool and file alone", async () => {
		const bench = await createToolBench();
		const path = bench.put("ws/src/a.txt", "one");
		bench.put("ws/src/b.txt", "one");
		bench.decide = ({ fingerprint }) => ({ type: "allow", fingerprint, scope: "chat" });
		await bench.run("apply_edit", edit("src/a.txt", "one", "two"));
		await bench.run("apply_edit", edit("src/a.txt", "two", "three"));
		expect(bench.asked).toHaveLength(1);
		expect(readFileSync(path, "utf8")).toBe("three");
		await bench.run("apply_edit", edit("src/b.txt"));
		expect(bench.asked).toHaveLength(2);
		await bench.run("delete_file", { path: "src/a.txt" });
		expect(bench.asked).toHaveLength(3);
	});

	test("for this chat is not taken for a sensitive file, a new address, a creation or a video", async () => {
		const bench = await createToolBench();
		bench.put("ws/src/a.txt", "one");
		bench.put("ws/.env", "one");
		bench.decide = ({ fingerprint }) => ({ type: "allow", fingerprint, scope: "chat" });
		await bench.run("apply_edit", edit(".env"));
		await bench.run("apply_edit", edit(".env", "two", "three"));
		await bench.run("generate_video", { prompt: "x" });
		await bench.run("generate_video", { prompt: "x" });
		await bench.run("apply_edit", edit("src/a.txt", "one", "two"));
		await bench.run("apply_edit", edit("src/a.txt", "two", "https://evil.example/"));
		expect(bench.asked).toHaveLength(6);
	});

	test("takes the chosen hunks and leaves the others", async () => {
		const bench = await withFile("a\nb\nc\n");
		bench.put("ws/b.txt", "x");
		const files = [
			{
				path: "a.txt",
				edits: [
					{ find: "a", replace: "A" },
					{ find: "c", replace: "C" },
				],
			},
			{ path: "b.txt", edits: [{ find: "x", replace: "X" }] },
		];
		bench.decide = ({ fingerprint }) => ({
			type: "allow",
			fingerprint,
			scope: "once",
			hunks: new Set([1, 2]),
		});
		const { content } = await bench.run("apply_edit", { files });
		expect(readFileSync(bench.path, "utf8")).toBe("a\nb\nC\n");
		expect(readFileSync(join(bench.workspace, "b.txt"), "utf8")).toBe("X");
		expect(content).toBe("Changed a.txt, b.txt. The user did not take edit 1.");
	});
});

describe("policy", () => {
	test("T31: tools that are off are neither offered nor run, and say why", async () => {
		const bench = await withFile();
		bench.offReason = "The workspace is not trusted.";
		expect(bench.gate.offered(false)).toEqual([]);
		expect(await bench.run("read_file", { path: "a.txt" })).toEqual({
			state: "refused",
			content: "Error: tools are off. The workspace is not trusted.",
		});
		// Not even to see what an edit would do is a file looked at.
		expect(await bench.run("apply_edit", edit("a.txt"))).toMatchObject({ state: "refused" });
		expect(bench.editor.effects).toEqual([]);
	});

	test("a tool switched off is neither offered nor run", async () => {
		const bench = await withFile();
		bench.off.add("read_file");
		expect(bench.gate.offered(false).map(({ name }) => name)).not.toContain("read_file");
		expect(await bench.run("read_file", { path: "a.txt" })).toMatchObject({ state: "refused" });
		expect(bench.editor.effects).toEqual([]);
	});

	test("trust taken away while the user decides keeps the call from running", async () => {
		const bench = await withFile();
		bench.decide = request => {
			bench.offReason = "The workspace is not trusted.";
			return allow(request);
		};
		expect(await bench.run("apply_edit", edit("a.txt"))).toMatchObject({ state: "refused" });
		expect(readFileSync(bench.path, "utf8")).toBe("one");
	});

	test("readers ask when they are told to", async () => {
		const bench = await withFile();
		bench.asksForReads = true;
		expect(await bench.run("read_file", { path: "a.txt" })).toEqual({
			state: "denied",
			content: "Denied: the user did not allow this.",
		});
		expect(bench.asked).toHaveLength(1);
	});

	test("T15: an excluded file asks", async () => {
		const bench = await withFile();
		bench.excluded.add("a.txt");
		expect(await bench.run("read_file", { path: "a.txt" })).toMatchObject({ state: "denied" });
		expect(bench.asked[0]?.warnings).toEqual(["a.txt is excluded from the workspace's files"]);
	});
});

describe("a call", () => {
	test("never runs twice, even when it is asked for twice at once", async () => {
		const bench = await withFile();
		bench.decide = allow;
		const results = await Promise.all([
			bench.run("create_file", { path: "x", text: "" }, "same"),
			bench.run("create_file", { path: "x", text: "" }, "same"),
			bench.run("create_file", { path: "y", text: "" }, "same"),
		]);
		expect(results.map(({ state }) => state).sort()).toEqual(["done", "refused", "refused"]);
		expect(bench.editor.changes()).toHaveLength(1);
	});

	test("is on record before it runs", async () => {
		const bench = await withFile();
		bench.decide = allow;
		const { change } = bench.editor;
		bench.editor.change = changes => {
			expect(bench.ledger.entries).toHaveLength(1);
			return change(changes);
		};
		await bench.run("apply_edit", edit("a.txt"), "c1");
		expect(bench.ledger.entries).toMatchObject([{ callId: "c1", tool: "apply_edit" }]);
	});

	test("U16: that throws tells its class and nothing of this machine", async () => {
		const bench = await withFile();
		bench.editor.readText = () => Promise.reject(new TypeError(`at ${bench.path} in /home/me`));
		expect(await bench.run("read_file", { path: "a.txt" })).toEqual({
			state: "failed",
			content: "Error: the tool failed (TypeError).",
		});
	});

	test("U16: that takes a minute is given up", async () => {
		const bench = await withFile();
		bench.editor.readText = () => new Promise(() => undefined);
		const result = bench.run("read_file", { path: "a.txt" });
		await bench.clock.advance(60_000);
		expect(await result).toMatchObject({
			state: "failed",
			content: expect.stringContaining("longer than a minute"),
		});
	});

	test("U11: of a file that keeps changing is given up after five diffs", async () => {
		const bench = await withFile();
		bench.decide = request => {
			writeFileSync(bench.path, `${readFileSync(bench.path, "utf8")}!`);
			return allow(request);
		};
		expect(await bench.run("apply_edit", edit("a.txt"))).toMatchObject({ state: "failed" });
		expect(bench.asked).toHaveLength(5);
	});

	test("U11: of a file that changed since the yes is asked about again, and says why", async () => {
		const bench = await withFile();
		bench.decide = request => {
			if (bench.asked.length === 1) {
				writeFileSync(bench.path, "one, theirs");
			}
			return allow(request);
		};
		expect(await bench.run("apply_edit", edit("a.txt"))).toMatchObject({ state: "done" });
		expect(bench.asked.map(({ warnings }) => warnings)).toEqual([
			[],
			["Nothing was done yet, because a file changed meanwhile. Check this again."],
		]);
		expect(readFileSync(bench.path, "utf8")).toBe("two, theirs");
	});

	test("U11: of a file that was deleted since the yes failed, and was not refused", async () => {
		const bench = await withFile();
		bench.decide = request => {
			rmSync(bench.path);
			return allow(request);
		};
		expect(await bench.run("apply_edit", edit("a.txt"))).toEqual({
			state: "failed",
			content:
				"Error: This file doesn't exist. That changed after the call was allowed. Nothing was done.",
		});
		expect(bench.asked).toHaveLength(1);
	});

	test("of a file with mixed line endings warns that the others change too", async () => {
		const bench = await withFile("one\r\nmore\n");
		bench.put("ws/b.txt", "one\r\nmore\r\n");
		await bench.run("apply_edit", edit("a.txt"), "c1");
		await bench.run("apply_edit", edit("b.txt"), "c2");
		expect(bench.asked.map(({ warnings }) => warnings)).toEqual([
			["a.txt: has mixed line endings, which become the same everywhere"],
			[],
		]);
	});

	test("U13: of several files changes none when one moved on", async () => {
		const bench = await withFile();
		const other = bench.put("ws/b.txt", "one");
		bench.decide = request => {
			writeFileSync(other, "else");
			return allow(request);
		};
		const files = ["a.txt", "b.txt"].map(path => edit(path).files[0]);
		expect(await bench.run("apply_edit", { files })).toMatchObject({ state: "failed" });
		expect(readFileSync(bench.path, "utf8")).toBe("one");
	});

	test("Stop ends a call that waits, with no effect", async () => {
		const bench = await withFile();
		const stop = new AbortController();
		bench.decide = () => {
			stop.abort();
			return new Promise(() => undefined);
		};
		await expect(bench.run("apply_edit", edit("a.txt"), "c1", stop.signal)).rejects.toThrow(
			expect.objectContaining({ name: "AbortError" }),
		);
		expect(bench.editor.changes()).toEqual([]);
	});

	test("that creates what is there is refused, one that needs what is not finds nothing", async () => {
		const bench = await withFile();
		expect((await bench.run("create_file", { path: "a.txt", text: "" })).content).toContain(
			"already",
		);
		const full = await bench.run("create_file", { path: "a.txt", text: "mine" });
		expect([full.state, bench.asked]).toEqual(["refused", []]);
		expect(await bench.run("read_file", { path: "b.txt" })).toEqual({
			state: "missing",
			content: "Error: This file doesn't exist.",
		});
		expect((await bench.run("read_file", { path: "." })).content).toContain("folder");
		expect(bench.asked).toEqual([]);
	});

	test("with a path as models write it reads the file that is meant, and makes no second folder", async () => {
		const bench = await withFile();
		bench.decide = allow;
		for (const path of ["/a.txt", "\\a.txt", "a.txt\n", '"a.txt"', "ws/a.txt"]) {
			expect(await bench.run("read_file", { path })).toMatchObject({ state: "done" });
		}
		expect(await bench.run("create_file", { path: "ws/new.txt", text: "x" })).toEqual({
			state: "done",
			content: "Created new.txt.",
		});
		expect(existsSync(join(bench.workspace, "ws"))).toBe(false);
	});

	test("that renames or deletes does so once it is allowed", async () => {
		const bench = await withFile();
		bench.decide = allow;
		expect(await bench.run("rename_file", { path: "a.txt", newPath: "sub.txt" })).toEqual({
			state: "done",
			content: "Renamed a.txt to sub.txt.",
		});
		await bench.run("delete_file", { path: "sub.txt" });
		expect(existsSync(join(bench.workspace, "sub.txt"))).toBe(false);
	});
});

describe("what tools tell", () => {
	test("U15: a search gives path, line and text, skips secrets and says where it was cut", async () => {
		const bench = await withFile("alpha\nBeta\nalphabet\n");
		bench.put("ws/.env", "alpha");
		bench.put("outside.txt", "alpha");
		expect((await bench.run("search_text", { query: "ALPHA" })).content).toBe(
			"a.txt:1: alpha\na.txt:3: alphabet",
		);
		expect(
			(
				await bench.run("search_text", {
					query: "^B",
					isRegularExpression: true,
					isCaseSensitive: true,
				})
			).content,
		).toBe("a.txt:2: Beta");
		bench.put("ws/many.txt", "x\n".repeat(3000));
		expect((await bench.run("search_text", { query: "x", glob: "many.txt" })).content).toMatch(
			/\[cut at: 1000 hits\]$/,
		);
		expect(await bench.run("search_text", { query: "(", isRegularExpression: true })).toMatchObject(
			{ state: "failed" },
		);
	});

	test("U15: an expression that would never end is ended after ten seconds", async () => {
		const bench = await withFile(`${"a".repeat(60)}!`);
		const result = bench.run("search_text", { query: "^(a+)+$", isRegularExpression: true });
		await new Promise(resolve => setTimeout(resolve, 200));
		await bench.clock.advance(10_000);
		expect((await result).content).toContain("[cut at: 10 seconds were over]");
	});

	test("U19: no open editor, no selection and a document without a file are stated", async () => {
		const bench = await withFile();
		expect((await bench.run("get_selection", {})).content).toContain("No text editor is open");
		bench.editor.active = {
			path: undefined,
			isView: false,
			name: "Untitled-1",
			text: "hello",
			languageId: "plaintext",
			notes: ["not saved yet"],
			selection: { start: 2, end: 2 },
		};
		expect((await bench.run("get_selection", {})).content).toContain("Nothing is selected");
		expect((await bench.run("get_active_file", {})).content).toBe(
			"Untitled-1 (plaintext) (not saved yet):\nhello",
		);
		expect((await bench.run("insert_at_cursor", { text: "x" })).content).toContain("saved");
		expect((await bench.run("replace_selection", { text: "x" })).content).toContain("saved");
	});

	test("an open document outside the workspace is not read", async () => {
		const bench = await withFile();
		bench.editor.active = {
			path: bench.put("outside.txt", "secret"),
			isView: false,
			name: "outside.txt",
			text: "secret",
			languageId: "plaintext",
			notes: [],
			selection: { start: 0, end: 6 },
		};
		for (const tool of ["get_selection", "get_active_file"]) {
			const result = await bench.run(tool, {});
			expect(result.state).toBe("refused");
			expect(result.content).not.toContain("secret");
		}
	});

	test("T15: a view of a secret asks as the file does, and one of no file by its name", async () => {
		const bench = await withFile();
		const view = {
			name: ".env",
			isView: true,
			text: "TOKEN=1",
			languageId: "plaintext",
			notes: [],
			selection: { start: 0, end: 5 },
		};
		bench.editor.active = { ...view, path: bench.put("ws/.env", "TOKEN=2") };
		expect((await bench.run("get_active_file", {})).state).toBe("denied");
		bench.editor.active = { ...view, path: undefined };
		for (const tool of ["get_selection", "get_active_file"]) {
			const result = await bench.run(tool, {});
			expect(bench.asked.at(-1)?.warnings).toEqual([".env may contain secrets"]);
			expect(result).toMatchObject({ state: "denied" });
			expect(result.content).not.toContain("TOKEN");
		}
	});

	test("U19: a cell of a notebook is shown, and no edit is proposed for it", async () => {
		const bench = await withFile();
		const { path } = bench;
		const selection = { start: 0, end: 5 };
		const cell = { path, isView: true, name: "a.txt", text: "print", notes: ["a cell"], selection };
		bench.editor.active = { ...cell, languageId: "python" };
		expect((await bench.run("get_selection", {})).content).toContain("(a cell):\nprint");
		expect((await bench.run("replace_selection", { text: "x" })).content).toContain(
			"a view of a.txt",
		);
	});

	test.each([
		["apply_edit", edit("a.txt")],
		["rename_file", { path: "a.txt", newPath: "b.txt" }],
		["delete_file", { path: "a.txt" }],
		["replace_selection", { text: "two" }],
	])(
		"U14: %s of what the editor keeps as read-only is refused before anybody is asked",
		async (name, input) => {
			const bench = await withFile();
			bench.decide = allow;
			bench.editor.readOnly.add("a.txt");
			const selection = { start: 0, end: 3 };
			bench.editor.active = {
				path: bench.path,
				isView: false,
				name: "a.txt",
				text: "one",
				languageId: "",
				notes: [],
				selection,
			};
			expect(await bench.run(name, input)).toMatchObject({
				state: "failed",
				content: expect.stringContaining("read-only"),
			});
			expect(bench.asked).toEqual([]);
			expect(bench.editor.changes()).toEqual([]);
		},
	);

	test("U14: that a file with secrets is read-only is told after it was allowed, like all of it", async () => {
		const bench = await withFile();
		bench.put("ws/.env", "one");
		bench.editor.readOnly.add(".env");
		expect(await bench.run("apply_edit", edit(".env"))).toMatchObject({ state: "denied" });
	});

	test("U13: a change that could not be saved is told as unsaved", async () => {
		const bench = await withFile();
		bench.decide = allow;
		bench.editor.unsaved = ["a.txt"];
		expect((await bench.run("apply_edit", edit("a.txt"))).content).toBe(
			"Changed a.txt. a.txt could not be saved: the change is unsaved in the editor, not on disk.",
		);
	});

	test("a selection is replaced with the document's own line ends", async () => {
		const bench = await withFile("one\r\ntwo\r\n");
		bench.decide = allow;
		bench.editor.active = {
			path: bench.path,
			isView: false,
			name: "a.txt",
			text: "one\r\ntwo\r\n",
			languageId: "plaintext",
			notes: [],
			selection: { start: 5, end: 8 },
		};
		expect(await bench.run("replace_selection", { text: "2\n3" })).toMatchObject({ state: "done" });
		expect(readFileSync(bench.path, "utf8")).toBe("one\r\n2\r\n3\r\n");
	});

	test("problems, symbols, references and changes name files of the workspace alone", async () => {
		const bench = await withFile("const x = 1;\nx;");
		const place = { line: 2, column: 1 };
		const outside = bench.put("outside.txt", "");
		const { editor } = bench;
		editor.problems_ = [bench.path, outside].map(path => ({
			path,
			...place,
			severity: "error",
			source: "ts",
			message: "no\nno",
		}));
		editor.symbols_ = [{ name: "x", kind: "variable", line: 1, first: 1, last: 1, depth: 1 }];
		editor.references_ = [bench.path, outside].map(path => ({ path, ...place }));
		editor.diffs_ = [bench.path, outside].map(path => ({ paths: [path], diff: "+x" }));
		editor.answer = "yes";
		const leftOut = "[left out: 1 file that may hold secrets, is excluded or is outside]";
		expect((await bench.run("get_problems", {})).content).toBe(
			`a.txt:2:1 error ts: no no\n${leftOut}`,
		);
		expect((await bench.run("get_symbols", { path: "a.txt" })).content).toBe(
			"  variable x (line 1)",
		);
		expect(
			(await bench.run("find_references", { path: "a.txt", line: 1, symbol: "x" })).content,
		).toBe(`a.txt:2:1\n${leftOut}`);
		expect((await bench.run("get_git_diff", {})).content).toBe(`+x\n${leftOut}`);
		expect((await bench.run("ask_user", { question: "Well?" })).content).toContain("yes");
		expect((await bench.run("open_file", { path: "a.txt" })).state).toBe("done");
		editor.open_ = [
			{ path: bench.path, name: "a.txt", isActive: true, isDirty: true },
			{ path: outside, name: "outside.txt", isActive: false, isDirty: false },
		];
		expect((await bench.run("get_open_files", {})).content).toBe(
			"a.txt (active, unsaved changes)\noutside.txt (not in the workspace)",
		);
	});

	test("read_file gives the lines asked for, and says how many there are", async () => {
		const bench = await withFile("1\n2\n3\n4\n5");
		expect(
			(await bench.run("read_file", { path: "a.txt", startLine: 2, endLine: 3 })).content,
		).toBe("a.txt, lines 2-3 of 5:\n2\n3");
		expect(await bench.run("read_file", { path: "a.txt", startLine: 9 })).toMatchObject({
			state: "failed",
		});
	});

	test("U14: what cannot be read as text says so", async () => {
		const bench = await withFile();
		bench.editor.readText = () => Promise.reject(new ToolFailure("It is not text."));
		expect((await bench.run("read_file", { path: "a.txt" })).content).toBe(
			"Error: It is not text.",
		);
	});
});
