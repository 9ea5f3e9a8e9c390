import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ToolFailure } from "../../../../src/common/errors.ts";
import { changedFiles } from "../../../../src/tools/undo/changedFiles.ts";
import {
	isWhole,
	type JournaledChange,
	maxKeptBytes,
} from "../../../../src/tools/undo/changeJournal.ts";
import { JournalFolder, maxChatBytes } from "../../../../src/tools/undo/journalFolder.ts";
import {
	type KeptChange,
	effectiveChanges,
	removeMadeFolders,
} from "../../../../src/tools/undo/keptChange.ts";
import type { WorkspacePaths } from "../../../../src/paths/resolveTarget.ts";
import { planUndo } from "../../../../src/tools/undo/undoPlan.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { pathsBelow } from "../../../helpers/pathsBelow.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";
import { allow, createToolBench, type ToolBench } from "../../../helpers/toolBench.ts";

const editOf = (path: string, find: string, replace: string) => ({
	files: [{ path, edits: [{ find, replace }] }],
});

async function allowingBench(): Promise<ToolBench> {
	const bench = await createToolBench();
	bench.decide = allow;
	return bench;
}

const call = (callId: string) => ({ chatId: "chat", callId });

async function takeBack(bench: ToolBench, callId: string): Promise<string> {
	const kept = (await bench.journal.find(call(callId))) as KeptChange;
	expect(kept.state).toBe("applied");
	const paths: WorkspacePaths = { roots: bench.roots, platform: "linux" };
	const plan = await planUndo(kept, { editor: bench.editor, paths: () => paths });
	if (plan.type === "movedOn") {
		return plan.reason;
	}
	await bench.editor.change(plan.changes);
	removeMadeFolders(kept, paths);
	await bench.journal.undone(call(callId));
	return "taken back";
}

describe("a change that was made", () => {
	test.each([
		["apply_edit", editOf("a.txt", "two", "2")],
		["create_file", { path: "deep/er/new.txt", text: "made" }],
		["rename_file", { path: "a.txt", newPath: "b.txt" }],
		["rename_file", { path: "a.txt", newPath: "deep/er/b.txt" }],
		["delete_file", { path: "a.txt" }],
	])("by %s is taken back exactly", async (name, input) => {
		const bench = await allowingBench();
		bench.put("ws/a.txt", "one\r\ntwo\r\nthree\r\n");
		const textsOf = () =>
			Object.fromEntries(
				pathsBelow(bench.workspace).map(({ path, isFile }) => [
					path,
					isFile ? readFileSync(path, "latin1") : undefined,
				]),
			);
		const before = textsOf();
		expect(await bench.run(name, input, "c")).toMatchObject({ state: "done" });
		expect(textsOf()).not.toEqual(before);
		expect(await takeBack(bench, "c")).toBe("taken back");
		expect(textsOf()).toEqual(before);
		expect((await bench.journal.find(call("c")))?.state).toBe("undone");
	});

	test("keeps a deleted file byte by byte", async () => {
		const bench = await allowingBench();
		const path = bench.put("ws/a.bin", "");
		const bytes = Buffer.from([0, 255, 254, 13, 10, 128]);
		writeFileSync(path, bytes);
		await bench.run("delete_file", { path: "a.bin" }, "c");
		await takeBack(bench, "c");
		expect(readFileSync(path)).toEqual(bytes);
	});

	test("is left alone once the file moved on", async () => {
		const bench = await allowingBench();
		const path = bench.put("ws/a.txt", "one");
		await bench.run("apply_edit", editOf("a.txt", "one", "two"), "c");
		writeFileSync(path, "two and more");
		expect(await takeBack(bench, "c")).toBe("Nothing was undone: a.txt was changed since.");
		expect(readFileSync(path, "utf8")).toBe("two and more");
	});

	test("of several files is taken back in all or in none", async () => {
		const bench = await allowingBench();
		const [a, b] = [bench.put("ws/a.txt", "one"), bench.put("ws/b.txt", "one")];
		const edits = [{ find: "one", replace: "two" }];
		const files = [
			{ path: "a.txt", edits },
			{ path: "b.txt", edits },
		];
		await bench.run("apply_edit", { files }, "c");
		writeFileSync(a, "other");
		expect(await takeBack(bench, "c")).toBe("Nothing was undone: a.txt was changed since.");
		expect(readFileSync(b, "utf8")).toBe("two");
	});

	test("is not undone over a file that exists again", async () => {
		const bench = await allowingBench();
		const path = bench.put("ws/a.txt", "one");
		await bench.run("delete_file", { path: "a.txt" }, "c");
		writeFileSync(path, "someone else's");
		expect(await takeBack(bench, "c")).toBe("Nothing was undone: a.txt exists again.");
		expect(readFileSync(path, "utf8")).toBe("someone else's");
	});

	test("that made a file is left alone once the file was changed", async () => {
		const bench = await allowingBench();
		await bench.run("create_file", { path: "new.txt", text: "made" }, "c");
		const path = join(bench.workspace, "new.txt");
		writeFileSync(path, "made, and gone on with");
		expect(await takeBack(bench, "c")).toBe("Nothing was undone: new.txt was changed since.");
		expect(readFileSync(path, "utf8")).toBe("made, and gone on with");
	});

	test("leaves a folder that it made and that holds more by now", async () => {
		const bench = await allowingBench();
		await bench.run("create_file", { path: "deep/er/new.txt", text: "made" }, "c");
		const path = bench.put("ws/deep/mine.txt", "mine");
		expect(await takeBack(bench, "c")).toBe("taken back");
		expect(existsSync(join(bench.workspace, "deep/er"))).toBe(false);
		expect(readFileSync(path, "utf8")).toBe("mine");
	});

	test("removes no folder that was there before, or that has become a link", async () => {
		const bench = await allowingBench();
		mkdirSync(join(bench.workspace, "old"));
		await bench.run("create_file", { path: "old/new.txt", text: "made" }, "c");
		expect(await takeBack(bench, "c")).toBe("taken back");
		expect(existsSync(join(bench.workspace, "old"))).toBe(true);

		await bench.run("create_file", { path: "made/new.txt", text: "made" }, "d");
		renameSync(join(bench.workspace, "made"), join(bench.workspace, "elsewhere"));
		symlinkSync(join(bench.workspace, "elsewhere"), join(bench.workspace, "made"));
		expect(await takeBack(bench, "d")).toBe("taken back");
		expect(existsSync(join(bench.workspace, "made"))).toBe(true);
		expect(existsSync(join(bench.workspace, "elsewhere"))).toBe(true);
	});

	test("that renamed a file is left alone once another has the old name", async () => {
		const bench = await allowingBench();
		const path = bench.put("ws/a.txt", "one");
		await bench.run("rename_file", { path: "a.txt", newPath: "b.txt" }, "c");
		writeFileSync(path, "someone else's");
		expect(await takeBack(bench, "c")).toBe("Nothing was undone: a.txt exists again.");
		expect(readFileSync(path, "utf8")).toBe("someone else's");
	});

	test("is taken back from the text that saving made of it", async () => {
		const bench = await allowingBench();
		const path = bench.put("ws/a.txt", "one");
		const { change } = bench.editor;
		bench.editor.change = async changes => {
			const unsaved = await change(changes);
			writeFileSync(path, "two;");
			return unsaved;
		};
		await bench.run("apply_edit", editOf("a.txt", "one", "two"), "c");
		bench.editor.change = change;
		expect(await takeBack(bench, "c")).toBe("taken back");
		expect(readFileSync(path, "utf8")).toBe("one");
	});

	test("takes back the hunks that were taken, and no others", async () => {
		const bench = await createToolBench();
		const path = bench.put("ws/a.txt", "one\ntwo\n");
		bench.decide = ({ fingerprint }) => ({
			type: "allow",
			fingerprint,
			scope: "once",
			hunks: new Set([1]),
		});
		const edits = [
			{ find: "one", replace: "1" },
			{ find: "two", replace: "2" },
		];
		await bench.run("apply_edit", { files: [{ path: "a.txt", edits }] }, "c");
		expect(readFileSync(path, "utf8")).toBe("one\n2\n");
		await takeBack(bench, "c");
		expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
	});
});

describe("the journal", () => {
	test("U13: holds the text before a change when the change is made, for its owner alone", async () => {
		const bench = await allowingBench();
		bench.put("ws/a.txt", "one");
		const { change } = bench.editor;
		let kept: KeptChange | undefined;
		bench.editor.change = async changes => {
			kept = await bench.journal.find(call("c"));
			return change(changes);
		};
		await bench.run("apply_edit", editOf("a.txt", "one", "two"), "c");
		expect(kept).toMatchObject({ state: "started", files: [{ before: "one", after: "two" }] });
		const files = pathsBelow(bench.journalFolder).filter(({ isFile }) => isFile);
		expect(files).toHaveLength(1);
		expect(statSync(files[0]?.path ?? "").mode & 0o077).toBe(0);
	});

	test("U13: a change whose state before cannot be kept is not made", async () => {
		const bench = await allowingBench();
		const path = bench.put("ws/a.txt", "one");
		writeFileSync(bench.journalFolder, "a file where the folder should be");
		expect(await bench.run("apply_edit", editOf("a.txt", "one", "two"), "c")).toMatchObject({
			state: "failed",
			content: "Error: The call could not be recorded and was therefore not run.",
		});
		expect(readFileSync(path, "utf8")).toBe("one");
	});

	test("forgets what was denied or failed, and tells what was made", async () => {
		const bench = await createToolBench();
		bench.put("ws/a.txt", "one");
		const told: JournaledChange[] = [];
		bench.journal.onDidChange(change => told.push(change));
		await bench.run("apply_edit", editOf("a.txt", "one", "two"), "denied");
		bench.decide = allow;
		await bench.run("apply_edit", editOf("a.txt", "nowhere", "two"), "failed");
		await bench.run("apply_edit", editOf("a.txt", "one", "two"), "made");
		const counts = { added: 1, removed: 1 };
		expect(told).toEqual([{ ...call("made"), state: "applied", isWhole: true, counts }]);
		// Counted once: the record has the numbers when a chat is opened.
		expect(
			(await bench.journal.list("chat")).map(({ callId, counts: kept }) => ({ callId, kept })),
		).toEqual([{ callId: "made", kept: counts }]);
	});

	test("forgets a change that the editor refused", async () => {
		const bench = await allowingBench();
		bench.put("ws/a.txt", "one");
		bench.editor.change = () => Promise.reject(new ToolFailure("The editor refused the change."));
		expect(await bench.run("apply_edit", editOf("a.txt", "one", "two"), "c")).toMatchObject({
			state: "failed",
		});
		expect(await bench.journal.find(call("c"))).toBeUndefined();
	});

	test("keeps no deleted file over 1 MiB, and says that it cannot be taken back", async () => {
		const bench = await allowingBench();
		writeFileSync(bench.put("ws/big.bin", ""), Buffer.alloc(maxKeptBytes + 1, 7));
		await bench.run("delete_file", { path: "big.bin" }, "c");
		const kept = await bench.journal.find(call("c"));
		expect(kept && isWhole(kept)).toBe(false);
		expect(await takeBack(bench, "c")).toBe("Nothing was undone: big.bin was too large to keep.");
	});

	test("keeps no text over 1 MiB, and says that it cannot be taken back", async () => {
		const bench = await allowingBench();
		bench.put("ws/a.txt", `one${"x".repeat(maxKeptBytes)}`);
		const told: boolean[] = [];
		bench.journal.onDidChange(({ isWhole }) => told.push(isWhole));
		await bench.run("apply_edit", editOf("a.txt", "one", "two"), "c");
		expect(told).toEqual([false]);
		expect(await takeBack(bench, "c")).toBe("Nothing was undone: a.txt was too large to keep.");
	});

	test("lets the oldest changes of a chat go when they come to more than 20 MiB", async () => {
		const root = await makeTempFolder();
		const clock = createFakeClock();
		const folder = new JournalFolder(root, clock);
		const text = "x".repeat(maxChatBytes / 4);
		for (const at of [1, 2, 3, 4, 5]) {
			const file = {
				type: "create" as const,
				label: "a",
				path: "/a",
				after: text,
				madeFolders: [],
			};
			await folder.write("chat", {
				version: 1,
				callId: `c${at}`,
				at,
				state: "applied",
				files: [file],
			});
		}
		const left = (await folder.list("chat")).map(({ callId }) => callId).toSorted();
		expect(left).toEqual(["c3", "c4", "c5"]);
	});

	test("passes over files that cannot be read, and names files so that no id leads elsewhere", async () => {
		const root = await makeTempFolder();
		const folder = new JournalFolder(root, createFakeClock());
		const change = { version: 1, callId: "../../x", at: 1, state: "applied", files: [] } as const;
		await folder.write("../chat", { ...change, files: [] });
		const [chat = ""] = readdirSync(root);
		writeFileSync(join(root, chat, "torn.json"), '{"version":1');
		expect(await folder.list("../chat")).toEqual([change]);
		expect(readdirSync(root)).toHaveLength(1);
	});
});

describe("the changed files of a chat", () => {
	const kept = (state: KeptChange["state"], ...files: KeptChange["files"]): KeptChange => ({
		version: 1,
		callId: "c",
		at: 0,
		state,
		files,
	});
	const edit = (path: string, before: string, after: string) =>
		({ type: "edit", label: path, path, before, after }) as const;
	const changedFilesOf = (changes: readonly KeptChange[]) =>
		changedFiles(effectiveChanges(changes)).map(({ changes: made, ...file }) => ({
			...file,
			count: made.length,
		}));

	test("stand with their text before the first change that still holds", () => {
		expect(
			changedFilesOf([
				kept("undone", edit("a", "0", "1")),
				kept("applied", edit("a", "1", "2"), edit("b", "x", "y")),
				kept("applied", edit("a", "2", "3")),
				kept("started", edit("c", "1", "2")),
			]),
		).toEqual([
			{ label: "a", oldLabel: "a", path: "a", before: { type: "text", text: "1" }, count: 2 },
			{ label: "b", oldLabel: "b", path: "b", before: { type: "text", text: "x" }, count: 1 },
		]);
	});

	test("are followed through a rename, and left out when nothing remains of them", () => {
		expect(
			changedFilesOf([
				kept("applied", {
					type: "rename",
					label: "a",
					path: "a",
					toLabel: "b",
					toPath: "b",
					madeFolders: [],
				}),
				kept("applied", edit("b", "1", "2")),
				kept("applied", { type: "create", label: "n", path: "n", after: "", madeFolders: [] }),
				kept("applied", { type: "delete", label: "n", path: "n", bytes: "" }),
			]),
		).toEqual([
			{ label: "b", oldLabel: "a", path: "b", before: { type: "text", text: "1" }, count: 2 },
		]);
	});
});
