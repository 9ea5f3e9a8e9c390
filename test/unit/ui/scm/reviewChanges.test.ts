import { beforeEach, expect, test, vi } from "vitest";
import type { FileDiff } from "../../../../src/tools/contract/editorActions.ts";

const roots = new Map<string, readonly FileDiff[]>();
vi.mock("vscode", () => ({}));
const askWith = vi.fn<(...asked: unknown[]) => Promise<string | undefined>>();
vi.mock("../../../../src/ui/editor/quickActions.ts", () => ({ askWith }));
vi.mock("../../../../src/ui/base/excludedPaths.ts", () => ({ isExcludedPath: () => false }));
vi.mock("../../../../src/editor/gitChanges.ts", () => ({
	openRepositories: async () =>
		await Promise.resolve(
			[...roots.keys()].map(root => ({ rootUri: { fsPath: root }, source: { root } })),
		),
}));
vi.mock(import("../../../../src/tools/contract/gitDiff.ts"), async original => ({
	...(await original()),
	readGitDiff: async ({ root }) => await Promise.resolve([...(roots.get(root) ?? [])]),
}));
const { askForReview, readUncommitted } = await import("../../../../src/ui/scm/reviewChanges.ts");

beforeEach(() => roots.clear());

const long = "+a line of code\n".repeat(4_000).trimEnd();
const changed = (path: string, diff = "+one"): FileDiff => ({ paths: [path], diff });

test("changes of several repositories are named by these, and share the room", async () => {
	roots.set("/code/shop", [changed("/code/shop/a.ts"), changed("/code/shop/b.ts", long)]);
	roots.set("/code/site", [changed("/code/site/a.ts", "+two")]);
	roots.set("/code/clean", []);
	const { text } = await readUncommitted();
	expect(text).toBe('# shop\n+one\n[changed as well, too long to show: "b.ts"]\n\n# site\n+two');
});

test("changes of a single repository have the whole room and no heading", async () => {
	roots.set("/code/shop", [changed("/code/shop/b.ts", long)]);
	roots.set("/code/clean", []);
	expect((await readUncommitted()).text).toBe(long);
});

test("changes that may hold secrets alone are none to attach", async () => {
	roots.set("/code/shop", [changed("/code/shop/.env")]);
	await expect(readUncommitted()).rejects.toThrow("There are no changes to attach.");
});

/** What asks for a review in a chat where an answer runs or not, and the order of its steps. */
function reviewing(isAnswering: boolean) {
	const steps: string[] = [];
	const note = (step: string, result?: string) => () => {
		steps.push(step);
		return Promise.resolve(result);
	};
	askWith.mockImplementation(note("asked", "turn"));
	const controller = { shown: { isAnswering }, newChat: note("new chat") };
	const comments = { showOnceComplete: note("findings awaited") };
	const dependencies = {
		chat: { get: () => Promise.resolve(controller) },
		reviewComments: { get: () => Promise.resolve(comments) },
	};
	return { steps, ask: () => askForReview(dependencies as never, "changes.diff", "+one\n") };
}

test("a review is asked for in a chat of its own, and its findings show once they are there", async () => {
	const { steps, ask } = reviewing(false);
	await ask();
	expect(steps).toEqual(["new chat", "asked", "findings awaited"]);
	expect(askWith.mock.lastCall?.[1]).toMatch(/^Review: 1 changed line\n/);
});

test("a review ends no answer that runs in another chat", async () => {
	const { steps, ask } = reviewing(true);
	await expect(ask()).rejects.toThrow("An answer is still running");
	expect(steps).toEqual([]);
});
