import { homedir } from "node:os";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { plainLabel } from "../../common/plainMarkdown.ts";
import { currentWorkspace } from "../base/settings.ts";
import { type ChatHistoryDependencies, showHistory } from "../history/chatHistory.ts";
import {
	deleteChat,
	duplicateChat,
	type HistoryActionDependencies,
	offer,
	renameChat,
	toggleArchive,
	togglePin,
} from "../history/chatHistoryActions.ts";
import { nameOf } from "../history/chatHistoryRows.ts";
import type { Runtime } from "./runtime.ts";

/** Actions on saved chats, by the end of the command's id. */
export type HistoryStep =
	| "showHistory"
	| "searchChats"
	| "renameChat"
	| "pinChat"
	| "archiveChat"
	| "deleteChat"
	| "duplicateChat"
	| "exportChat"
	| "copyChat"
	| "importChat";

type HistoryRuntime = Pick<Runtime, "chat" | "chatView" | "library" | "clock" | "log">;

/** Runs a command about the history, or about the shown chat. */
export async function runHistoryStep(runtime: HistoryRuntime, step: HistoryStep): Promise<void> {
	const dependencies = await historyDependencies(runtime);
	switch (step) {
		case "showHistory":
			return showHistory(dependencies, false);
		case "searchChats":
			return showHistory(dependencies, true);
		case "importChat":
			return importChat(dependencies);
		default: {
			const { id, turnCount } = dependencies.shown();
			if (turnCount === 0) {
				void vscode.window.showInformationMessage(
					l10n.t("Chats are saved after your first message."),
				);
				return;
			}
			await shownSteps[step](dependencies, id);
		}
	}
}

const shownSteps: Readonly<
	Record<
		Exclude<HistoryStep, "showHistory" | "searchChats" | "importChat">,
		(dependencies: ChatHistoryDependencies, id: string) => Promise<unknown>
	>
> = {
	renameChat,
	pinChat: togglePin,
	archiveChat: toggleArchive,
	deleteChat,
	duplicateChat,
	exportChat,
	copyChat,
};

async function historyDependencies(runtime: HistoryRuntime): Promise<ChatHistoryDependencies> {
	const controller = await runtime.chat.get();
	const { library, clock, log, chatView } = runtime;
	return {
		library,
		clock,
		log,
		shown: () => controller.shown,
		// Focuses without waiting until the previous chat is saved, because a late focus change would steal keystrokes.
		open: (id, turnId) =>
			controller.open(id, () =>
				turnId === undefined ? chatView.open() : chatView.showTurn(turnId),
			),
		stop: () => controller.stop(),
		leave: () => controller.newChat(),
		openIds: () => library.openIds(),
		folders: () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()),
	};
}

/** Saves a chat to a file: as Markdown for reading, or as JSON for importing. */
async function exportChat({ library }: HistoryActionDependencies, id: string): Promise<void> {
	const name = nameOf((await library.get(id)) ?? { title: "" });
	const format = await vscode.window.showQuickPick(
		[
			{
				label: l10n.t("Markdown"),
				detail: l10n.t("For reading: every message, with the names of attachments and tool calls"),
				extension: "md" as const,
			},
			{
				label: "JSON",
				detail: l10n.t("For backup or transfer; can be imported again"),
				extension: "json" as const,
			},
		],
		{ title: l10n.t("Export Chat"), placeHolder: plainLabel(name) },
	);
	if (!format) {
		return;
	}
	const { extension, label } = format;
	const target = await vscode.window.showSaveDialog({
		title: l10n.t("Export Chat"),
		defaultUri: vscode.Uri.joinPath(exportFolder(), `${fileNameOf(name)}.${extension}`),
		filters: { [label]: [extension] },
	});
	if (target) {
		const text = await (extension === "md" ? library.exportMarkdown(id) : library.exportJson(id));
		await vscode.workspace.fs.writeFile(target, Buffer.from(text));
		offer(
			l10n.t("Chat exported to {0}.", vscode.workspace.asRelativePath(target)),
			l10n.t("Open"),
			async () => vscode.window.showTextDocument(target),
		);
	}
}

async function copyChat({ library }: HistoryActionDependencies, id: string): Promise<void> {
	await vscode.env.clipboard.writeText(await library.exportMarkdown(id));
	vscode.window.setStatusBarMessage(l10n.t("Chat copied as Markdown."), 5000);
}

/** Imports a chat from a JSON export and shows it. */
async function importChat({ library, open }: HistoryActionDependencies): Promise<void> {
	const [source] =
		(await vscode.window.showOpenDialog({
			title: l10n.t("Import Chat"),
			openLabel: l10n.t("Import"),
			defaultUri: exportFolder(),
			filters: { JSON: ["json"] },
		})) ?? [];
	if (source) {
		const bytes = await vscode.workspace.fs.readFile(source);
		await open(await library.importChat(bytes, currentWorkspace()));
	}
}

function exportFolder(): vscode.Uri {
	return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
}

/** The longest file name of an export without extension, in characters. */
const maxFileName = 60;

/** Converts a chat's name to a file name for any platform. */
function fileNameOf(name: string): string {
	const plain = name
		.replaceAll(/[^\p{L}\p{N}\p{M} ._-]+/gu, " ")
		.replaceAll(/\s+/g, " ")
		.trim();
	const short = [...plain]
		.slice(0, maxFileName)
		.join("")
		.replace(/[. ]+$/, "");
	return short === "" || /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(short)
		? `chat ${short}`.trim()
		: short;
}
