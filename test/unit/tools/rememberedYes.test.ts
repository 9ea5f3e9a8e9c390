import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { agentNames, busyNames, placedNames, plainNames } from "../../fixtures/knownFiles.ts";
import { allow, createToolBench, type Decision, type ToolBench } from "../../helpers/toolBench.ts";

const allowInChat: Decision = ({ fingerprint }) => ({ type: "allow", fingerprint, scope: "chat" });

const edit = (find: string, replace: string, ...paths: readonly string[]) => ({
	files: paths.map(path => ({ path, edits: [{ find, replace }] })),
});

async function editTwice(bench: ToolBench, path: string): Promise<boolean[]> {
	bench.put(`ws/${path}`, "one");
	const from = bench.asked.length;
	await bench.run("apply_edit", edit("one", "two", path));
	await bench.run("apply_edit", edit("two", "three", path));
	return bench.asked.slice(from).map(({ canRemember }) => canRemember);
}

const never = [
	...[...busyNames, ...agentNames].flatMap(name => [name, `packages/a/${name}`]),
	...placedNames,
	...plainNames,
	// May be an alias of another folder on some file systems.
	"src/a~/b.ts",
];

test(
	`is asked about each time for ${busyNames.length + agentNames.length + placedNames.length} names of files that run code or tell agents what to do`,
	{ tags: "thorough" },
	async () => {
		expect(busyNames.length + agentNames.length + placedNames.length).toBeGreaterThanOrEqual(285);
		expect(new Set(never).size).toBe(never.length);
		const covered: string[] = [];
		// Eight folders beside one another: an edit waits for the disk more than it computes.
		const checkEvery = async (first: number): Promise<void> => {
			const bench = await createToolBench();
			bench.decide = allowInChat;
			for (const path of never.filter((_, index) => index % 8 === first)) {
				const offers = await editTwice(bench, path);
				if (offers.length !== 2 || offers.includes(true)) {
					covered.push(path);
				}
			}
		};
		await Promise.all(Array.from({ length: 8 }, (_, first) => checkEvery(first)));
		expect(covered).toEqual([]);
	},
);

test("holds for the next edits of plain source, prose and styles below the workspace folder", async () => {
	const bench = await createToolBench();
	bench.decide = allowInChat;
	for (const path of plainNames.map(name => `packages/a/src/${name}`)) {
		expect([path, ...(await editTwice(bench, path))]).toEqual([path, true]);
	}
});

test("in one of several folders does not take the folder's own name for a folder below it", async () => {
	const bench = await createToolBench();
	bench.put("second/main.py", "one");
	bench.roots = [...bench.roots, { name: "second", path: `${bench.base}/second` }];
	bench.decide = allowInChat;
	await bench.run("apply_edit", edit("one", "two", "second/main.py"));
	await bench.run("apply_edit", edit("two", "three", "second/main.py"));
	expect(bench.asked.map(({ canRemember }) => canRemember)).toEqual([false, false]);
});

test("ends when the file becomes a program", async () => {
	const bench = await createToolBench();
	bench.decide = allowInChat;
	const program = bench.put("ws/src/a.py", "#!/usr/bin/env python\none");
	chmodSync(bench.put("ws/src/b.py", "one"), 0o755);
	const plain = bench.put("ws/src/c.py", "one");
	for (const path of ["src/a.py", "src/b.py", "src/c.py"]) {
		await bench.run("apply_edit", edit("one", "two", path));
	}
	expect(bench.asked.map(({ canRemember }) => canRemember)).toEqual([false, false, true]);
	expect(readFileSync(program, "utf8")).toContain("two");
	await bench.run("apply_edit", edit("two", "#!/bin/sh", "src/c.py"));
	chmodSync(plain, 0o755);
	writeFileSync(plain, "two");
	await bench.run("apply_edit", edit("two", "three", "src/c.py"));
	expect(bench.asked).toHaveLength(5);
});

test("counts from the change that was shown and made, and for no file whose edits were left out", async () => {
	const bench = await createToolBench();
	bench.put("ws/src/a.ts", "one");
	bench.put("ws/src/b.ts", "one");
	bench.decide = ({ fingerprint }) => ({
		type: "allow",
		fingerprint,
		scope: "chat",
		hunks: new Set([0]),
	});
	await bench.run("apply_edit", edit("one", "two", "src/a.ts", "src/b.ts"));
	bench.decide = allow;
	await bench.run("apply_edit", edit("two", "three", "src/a.ts"));
	expect(bench.asked).toHaveLength(1);
	await bench.run("apply_edit", edit("one", "two", "src/b.ts"));
	expect(bench.asked).toHaveLength(2);
});

test("to a change of a file that moved on meanwhile is not a yes to what the change became", async () => {
	const bench = await createToolBench();
	const path = bench.put("ws/src/a.ts", "one");
	bench.decide = request => {
		if (bench.asked.length === 1) {
			writeFileSync(path, "one, and what nobody saw");
		}
		return allowInChat(request);
	};
	await bench.run("apply_edit", edit("one", "two", "src/a.ts"));
	expect(bench.asked).toHaveLength(2);
});
