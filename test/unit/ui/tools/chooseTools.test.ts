import { beforeEach, expect, test, vi } from "vitest";
import { listExternalTools } from "../../../../src/tools/catalog/externalToolList.ts";
import { ToolRegistry } from "../../../../src/tools/catalog/toolRegistry.ts";
import type { ToolRow } from "../../../../src/ui/tools/chooseTools.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

/** The list of VS Code in which several rows can be selected. */
class FakePick {
	items: readonly ToolRow[] = [];
	selectedItems: readonly ToolRow[] = [];
	placeholder = "";
	private readonly heard: Record<string, (event?: unknown) => void> = {};
	readonly onDidChangeSelection = (listener: () => void) => (this.heard["selection"] = listener);
	readonly onDidAccept = (listener: () => void) => (this.heard["accept"] = listener);
	readonly onDidHide = (listener: () => void) => (this.heard["hide"] = listener);
	show(): void {}
	dispose(): void {}

	get selected(): string[] {
		return this.selectedItems.map(({ label }) => label);
	}

	toggle(label: string): void {
		const row = this.items.find(item => item.label === label && item.kind === undefined);
		const isOn = this.selectedItems.includes(row as ToolRow);
		this.selectedItems = isOn
			? this.selectedItems.filter(each => each !== row)
			: [...this.selectedItems, row as ToolRow];
		this.heard["selection"]?.(this.selectedItems);
	}

	end(how: "accept" | "hide"): void {
		this.heard[how]?.();
	}
}

let pick = new FakePick();
const executeCommand = vi.fn<(command: string) => Promise<void>>();
let commands: string[] = [];
vi.mock("vscode", () => ({
	QuickPickItemKind: { Separator: -1 },
	commands: { executeCommand, getCommands: () => Promise.resolve(commands) },
	window: { createQuickPick: () => pick },
}));
const { chooseTools } = await import("../../../../src/ui/tools/chooseTools.ts");

beforeEach(() => {
	pick = new FakePick();
	commands = ["workbench.mcp.addConfiguration"];
	executeCommand.mockReset();
});

const own = new ToolRegistry().tools;

async function open(values: Parameters<typeof createFakeSettings>[0], names: readonly string[]) {
	const settings = createFakeSettings(values);
	const listed = names.map(name => ({
		name,
		description: `Does ${name}.`,
		inputSchema: undefined,
		tags: ["mcp"],
	}));
	const { tools: external } = listExternalTools(listed, () => undefined);
	const ended = chooseTools({ settings, own, external, note: "" });
	await Promise.resolve();
	await Promise.resolve();
	return { settings, ended };
}

test("The list always opens: Cutaway's tools, then servers by name, last the row that adds one", async () => {
	const { ended } = await open({ "tools.disabled": ["delete_file"] }, []);
	expect(pick.items.at(0)).toMatchObject({ label: "Cutaway", kind: -1 });
	expect(pick.items.at(-1)?.label).toBe("$(add) Add MCP Server…");
	expect(pick.selectedItems).toHaveLength(own.length - 1);
	expect(pick.selected).not.toContain("Delete a file");
	pick.toggle("$(add) Add MCP Server…");
	await ended;
	expect(executeCommand).toHaveBeenCalledWith("workbench.mcp.addConfiguration");
});

test("An editor without that command has no row for it", async () => {
	commands = [];
	const { ended } = await open({}, []);
	expect(pick.items.at(-1)?.label).not.toContain("Add MCP Server");
	pick.end("hide");
	await ended;
});

test("A checkmark that is taken off is written, and one that is set takes the name out again", async () => {
	const { settings, ended } = await open(
		{ "tools.disabled": ["delete_file", "mcp_gone_w"], "tools.external": ["mcp_gone_w"] },
		["mcp_a_x"],
	);
	pick.toggle("Delete a file");
	pick.toggle("Rename a file");
	pick.toggle("x");
	pick.end("accept");
	await ended;
	expect(settings.get("tools.disabled")).toEqual(["mcp_gone_w", "rename_file"]);
	expect(settings.get("tools.external")).toEqual(["mcp_gone_w", "mcp_a_x"]);
});

test("T43: no tool of a server is chosen until the user picks it; its server's row takes all of them and lets go of them", async () => {
	const { settings, ended } = await open({}, ["mcp_b_x", "mcp_a_y", "mcp_a_z"]);
	const labels = pick.items.map(({ label }) => label);
	expect(labels.slice(labels.indexOf("a"), -2)).toEqual([
		"a",
		"All tools of a",
		"y",
		"z",
		"b",
		"x",
	]);
	expect(pick.selected.filter(label => ["x", "y", "z"].includes(label))).toEqual([]);
	pick.toggle("All tools of a");
	expect(pick.selected).toEqual(expect.arrayContaining(["y", "z"]));
	pick.toggle("z");
	expect(pick.selected).not.toContain("All tools of a");
	pick.end("accept");
	await ended;
	expect(settings.get("tools.external")).toEqual(["mcp_a_y"]);
	expect(settings.get("tools.disabled")).toEqual([]);
});

test("A list that is left changes nothing, also one in which all tools are off", async () => {
	const { settings, ended } = await open({ "tools.disabled": ["*"] }, []);
	expect(pick.selectedItems).toEqual([]);
	pick.end("accept");
	await ended;
	expect(settings.get("tools.disabled")).toEqual(["*"]);
	const next = await open({}, []);
	pick.toggle("Delete a file");
	pick.end("hide");
	await next.ended;
	expect(next.settings.get("tools.disabled")).toEqual([]);
});

test("Of tools that are all off, one that is set is the only one on", async () => {
	const { settings, ended } = await open({ "tools.disabled": ["*"] }, []);
	pick.toggle("Read a file");
	pick.end("accept");
	await ended;
	const off = settings.get("tools.disabled");
	expect(off).toHaveLength(own.length - 1);
	expect(off).not.toContain("read_file");
	expect(off).not.toContain("*");
});
