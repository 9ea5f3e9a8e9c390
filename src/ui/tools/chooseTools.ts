import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { oneLine } from "../../common/shortText.ts";
import { revealInLine } from "../../common/hiddenText.ts";
import type { ExternalTool } from "../../tools/catalog/externalToolList.ts";
import type { Tool } from "../../tools/contract/tool.ts";
import { everyTool, type Settings } from "../base/settings.ts";

export interface ToolChoiceDependencies {
	readonly settings: Settings;
	readonly own: readonly Tool[];
	readonly external: readonly ExternalTool[];
	/** A sentence about the whole list; empty for none. */
	readonly note: string;
}

/** A tool, or all tools of a server. */
export interface ToolRow extends vscode.QuickPickItem {
	/** Its name in the settings. Absent in a heading and in the row of a server. */
	readonly tool?: { readonly name: string; readonly isOwn: boolean };
	/** The group whose tools a row selects together. */
	readonly all?: string;
	/** The group to which a tool belongs. */
	readonly group?: string;
}

const addServerCommand = "workbench.mcp.addConfiguration";

/** Lets the user choose the tools that a model is offered, Cutaway's and those of servers and extensions. Its last row adds an MCP server. */
export async function chooseTools(dependencies: ToolChoiceDependencies): Promise<void> {
	const canAdd = (await vscode.commands.getCommands(true)).includes(addServerCommand);
	const adding: ToolRow = { label: `$(add) ${l10n.t("Add MCP Server…")}`, alwaysShow: true };
	const tools = toolRows(dependencies);
	const rows = canAdd
		? [...tools, { label: "", kind: vscode.QuickPickItemKind.Separator }, adding]
		: tools;
	const pick = vscode.window.createQuickPick<ToolRow>();
	pick.title = l10n.t("Choose Tools");
	pick.placeholder =
		dependencies.note || l10n.t("Every call of another's tool is shown and asks first");
	pick.canSelectMany = true;
	pick.matchOnDetail = true;
	pick.items = rows;
	let shown = withGroups(rows, new Set(), new Set(rows.filter(({ picked }) => picked)));
	pick.selectedItems = [...shown];
	const { promise, resolve } = Promise.withResolvers<"save" | "add" | undefined>();
	pick.onDidChangeSelection(selected => {
		const now = new Set(selected);
		const added = selected.filter(row => !shown.has(row));
		if (now.delete(adding) && added.length === 1) {
			resolve("add");
			return;
		}
		shown = withGroups(rows, shown, now);
		if (shown.size !== selected.length) {
			pick.selectedItems = [...shown];
		}
	});
	pick.onDidAccept(() => resolve("save"));
	pick.onDidHide(() => resolve(undefined));
	pick.show();
	const end = await promise;
	pick.dispose();
	if (end !== undefined) {
		await save(dependencies, shown);
	}
	if (end === "add") {
		await vscode.commands.executeCommand(addServerCommand);
	}
}

function toolRows({ settings, own, external }: ToolChoiceDependencies): ToolRow[] {
	const disabled = new Set(settings.get("tools.disabled"));
	const chosen = new Set(settings.get("tools.external"));
	const isOn = (name: string): boolean => !disabled.has(name) && !disabled.has(everyTool);
	const ownRows = own.map(({ name, title }): ToolRow => ({
		label: title,
		picked: isOn(name),
		tool: { name, isOwn: true },
		group: "",
	}));
	const servers = [...Map.groupBy(external, ({ server }) => server)].sort(([one], [other]) =>
		one.localeCompare(other),
	);
	return [
		...groupRows("", "Cutaway", ownRows),
		...servers.flatMap(([server, tools]) =>
			groupRows(
				server,
				server,
				tools.map(({ name, listedName, ownName, description }) => ({
					label: ownName,
					detail: revealInLine(oneLine(description)),
					picked: chosen.has(listedName) && isOn(name),
					tool: { name: listedName, isOwn: false },
					group: server,
				})),
			),
		),
	];
}

function groupRows(group: string, title: string, rows: readonly ToolRow[]): ToolRow[] {
	const all = { label: l10n.t("All tools of {0}", title), all: group };
	return [
		{ label: title, kind: vscode.QuickPickItemKind.Separator },
		...(rows.length > 1 ? [all] : []),
		...rows,
	];
}

/** Returns the selected rows after a change: the row of a group selects or clears its tools, and is selected while all of them are. */
function withGroups(
	rows: readonly ToolRow[],
	before: ReadonlySet<ToolRow>,
	now: ReadonlySet<ToolRow>,
): ReadonlySet<ToolRow> {
	const result = new Set(now);
	for (const head of rows.filter(({ all }) => all !== undefined)) {
		const members = rows.filter(({ group }) => group === head.all);
		if (now.has(head) && !before.has(head)) {
			members.forEach(row => result.add(row));
		} else if (before.has(head) && !now.has(head)) {
			members.forEach(row => result.delete(row));
		}
		if (members.every(row => result.has(row))) {
			result.add(head);
		} else {
			result.delete(head);
		}
	}
	return result;
}

/** Stores what is selected. Keeps the entries of tools that aren't listed, such as those of servers that aren't running. */
async function save(
	{ settings, own, external }: ToolChoiceDependencies,
	selected: ReadonlySet<ToolRow>,
): Promise<void> {
	const names = new Set([...selected].flatMap(({ tool }) => (tool ? [tool.name] : [])));
	const chosen = external.filter(({ listedName }) => names.has(listedName));
	const keptExternal = settings
		.get("tools.external")
		.filter(name => external.every(({ listedName }) => listedName !== name));
	const on = new Set([...own.filter(({ name }) => names.has(name)), ...chosen].map(t => t.name));
	const off = own.filter(({ name }) => !names.has(name)).map(({ name }) => name);
	const before = settings.get("tools.disabled");
	const kept = before.filter(name => !on.has(name) && !off.includes(name) && name !== everyTool);
	const isAllOff = before.includes(everyTool) && on.size === 0;
	await change(settings, "tools.disabled", isAllOff ? before : [...kept, ...off]);
	await change(settings, "tools.external", [
		...keptExternal,
		...chosen.map(({ listedName }) => listedName),
	]);
}

/** Writes a list of names unless it has the same ones. */
async function change(
	settings: Settings,
	name: "tools.disabled" | "tools.external",
	value: readonly string[],
): Promise<void> {
	const before = settings.get(name);
	if (before.length !== value.length || value.some(each => !before.includes(each))) {
		await settings.set(name, [...value]);
	}
}
