import { expect, test, vi } from "vitest";
import { createFakeClock } from "../../../helpers/fakeClock.ts";

const git = Promise.withResolvers<readonly unknown[]>();
vi.mock("vscode", () => ({
	CancellationTokenSource: Object,
	languages: { getDiagnostics: () => [] },
	window: {},
	workspace: {},
}));
vi.mock("../../../../src/editor/gitChanges.ts", () => ({ openRepositories: () => git.promise }));
vi.mock("../../../../src/editor/workspaceFiles.ts", () => ({
	problemsText: () => ({ count: 0 }),
	listWorkspaceFiles: async () => await Promise.resolve([]),
	openUris: () => [],
}));
const { AttachmentOffers } = await import("../../../../src/ui/attachments/attachmentOffers.ts");

test("the list does not wait for Git, whose changes are offered once it has started", async () => {
	const offers = new AttachmentOffers(createFakeClock());
	const kinds = async () => (await offers.complete("cha")).map(({ kind }) => kind);
	expect(await kinds()).toEqual(["chat"]);
	git.resolve([{}]);
	await vi.waitFor(async () => expect(await kinds()).toEqual(["chat", "changes"]));
});
