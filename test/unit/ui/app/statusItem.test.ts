import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

const state = vi.hoisted(() => ({
	values: {} as Record<string, unknown>,
	item: {
		text: "",
		tooltip: "",
		command: "",
		name: "",
		show: () => undefined,
		dispose: () => undefined,
	},
	change: (): void => undefined,
	open: (_input: unknown): void => undefined,
	executed: [] as unknown[][],
}));
vi.mock("vscode", () => ({
	StatusBarAlignment: { Right: 2 },
	ExtensionMode: { Production: 1, Test: 3 },
	Disposable: { from: () => ({ dispose: () => undefined }) },
	commands: {
		executeCommand: async (...call: unknown[]) => {
			await Promise.resolve(void state.executed.push(call));
			if (String(call[0]).startsWith("welcome.")) {
				throw new Error("This editor has no such command.");
			}
		},
	},
	window: {
		createStatusBarItem: () => state.item,
		tabGroups: {
			onDidChangeTabs: (
				listener: (change: { opened: { input: unknown }[]; changed: never[] }) => void,
			) => {
				state.open = input => listener({ opened: [{ input }], changed: [] });
			},
		},
	},
	workspace: {
		getConfiguration: (section: string) => ({
			get: (name: string) => state.values[`${section}.${name}`],
			inspect: (name: string) => ({ globalValue: state.values[`${section}.${name}`] }),
		}),
		onDidChangeConfiguration: (
			listener: (change: { affectsConfiguration: () => boolean }) => void,
		) => {
			state.change = () => listener({ affectsConfiguration: () => true });
		},
	},
}));
const { registerStatusItem } = await import("../../../../src/ui/app/statusItem.ts");
const { completeStep, followWalkthrough } = await import("../../../../src/ui/app/walkthrough.ts");

beforeEach(() => {
	state.values = { "cutaway.endpoint": "", "cutaway.chat.model": "llm-4-turbo-tools" };
	state.executed = [];
});

/** A context whose state of all windows is a map. */
function contextOf(kept = new Map<string, unknown>()): vscode.ExtensionContext {
	const globalState = {
		get: (key: string) => kept.get(key),
		update: async (key: string, value: unknown) => await Promise.resolve(void kept.set(key, value)),
	};
	const context = { extensionMode: 1, extension: { id: "someone.cutaway" }, globalState };
	return context as unknown as vscode.ExtensionContext;
}

const walkthroughs = (): unknown[][] =>
	state.executed.filter(([command]) => command === "workbench.action.openWalkthrough");

test("the status bar names the model that answers, or says that there is none; a click opens the chat (ux 25)", () => {
	registerStatusItem(contextOf());
	expect(state.item.text).toBe("$(comment-discussion-sparkle) Cutaway: no model");
	expect(state.item.command).toBe("cutaway.openChat");
	state.values["cutaway.chat.model"] = "lm-studio/qwen3-coder-30b";
	state.change();
	expect(state.item.text).toBe("$(comment-discussion-sparkle) Cutaway: qwen3-coder-30b");
	expect(state.executed).toContainEqual(["setContext", "cutaway.hasModel", true]);
	state.values["cutaway.endpoint"] = "https://api.example.com";
	state.values["cutaway.chat.model"] = "llm-4-turbo";
	state.change();
	expect(state.item.text).toBe("$(comment-discussion-sparkle) Cutaway: llm-4-turbo");
	state.values["cutaway.chat.model"] = "";
	state.change();
	expect(state.item.text).toBe("$(comment-discussion-sparkle) Cutaway: llm-4-turbo-tools");
	state.values["cutaway.chat.model"] = "$(bomb)";
	state.change();
	expect(state.item.text).toBe("$(comment-discussion-sparkle) Cutaway: $ (bomb)");
	state.values["cutaway.chat.model"] = 7;
	state.change();
	expect(state.item.text).toBe("$(comment-discussion-sparkle) Cutaway: no model");
});

test("the step that chooses a model is open again once no model answers, and asks for it once", () => {
	const context = contextOf();
	const asked = (): unknown[] =>
		state.executed.filter(([command]) => command === "welcome.markStepIncomplete");
	registerStatusItem(context);
	expect(asked()).toEqual([]);
	state.values["cutaway.chat.model"] = "lm-studio/qwen3-coder-30b";
	state.change();
	state.values["cutaway.chat.model"] = "llm-4-turbo-tools";
	state.change();
	state.change();
	expect(asked()).toEqual([["welcome.markStepIncomplete", "someone.cutaway#start#model"]]);
	state.executed = [];
	followWalkthrough(context.globalState);
	state.open(undefined);
	expect(state.executed).toEqual([]);
});

test("the walkthrough opens once after the installation", async () => {
	const kept = new Map<string, unknown>();
	registerStatusItem(contextOf(kept));
	await vi.waitFor(() =>
		expect(walkthroughs()).toEqual([["workbench.action.openWalkthrough", "someone.cutaway#start"]]),
	);
	registerStatusItem(contextOf(kept));
	await Promise.resolve();
	expect(walkthroughs()).toHaveLength(1);
});

test("the walkthrough stays closed where the user wants none to open by itself", async () => {
	state.values["workbench.welcomePage.walkthroughs.openOnInstall"] = false;
	registerStatusItem(contextOf());
	await Promise.resolve();
	expect(walkthroughs()).toEqual([]);
});

test("a result completes its step at once, and again when a walkthrough is opened later, its key at rest in between", () => {
	const { globalState } = contextOf();
	const told = (): unknown[] => state.executed.splice(0).map(([, key, value]) => [key, value]);
	followWalkthrough(globalState);
	state.open(undefined);
	expect(told()).toEqual([]);
	completeStep(globalState, "cutaway.hasVideo");
	const pulse = [
		["cutaway.hasVideo", true],
		["cutaway.hasVideo", false],
	];
	expect(told()).toEqual(pulse);
	state.open({ uri: "a file" });
	expect(told()).toEqual([]);
	state.open(undefined);
	expect(told()).toEqual(pulse);
});
