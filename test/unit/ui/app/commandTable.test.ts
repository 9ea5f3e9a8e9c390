import { expect, test, vi } from "vitest";
import { Lazy } from "../../../../src/common/async.ts";
import type { OutputLog } from "../../../../src/ui/app/outputLog.ts";
import type { Runtime } from "../../../../src/ui/app/runtime.ts";

vi.mock("vscode", () => ({}));
const { commandTable } = await import("../../../../src/ui/app/commandTable.ts");

test("New Chat gives the cursor to the composer while the chat before is still being saved", async () => {
	const saved = Promise.withResolvers<undefined>();
	const done: string[] = [];
	const controller = {
		hasJustBegun: false,
		newChat: async () => {
			done.push("begun");
			await saved.promise;
			done.push("saved");
		},
	};
	const runtime = {
		chat: { get: () => Promise.resolve(controller) },
		chatView: { open: () => done.push("focus") },
	} as unknown as Runtime;
	const commands = commandTable(new Lazy(() => Promise.resolve(runtime)), {} as OutputLog);
	const run = commands["cutaway.title.newChat"]();
	await vi.waitFor(() => expect(done).toEqual(["begun", "focus"]));
	saved.resolve(undefined);
	await run;
	expect(done).toEqual(["begun", "focus", "saved"]);
});
