import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { ToolAnswer, ToolCardView } from "../../src/shared/tools.ts";
import { chat, configure, turnEnded } from "./cutaway.ts";
import { type ScriptedService, startScriptedService } from "./service.ts";

/** A call that the scripted model makes. */
export type Call = readonly [name: string, input: unknown];

/** A model that makes the given calls, one answer after the other, and then says «Done.» */
async function startModel(...rounds: readonly (readonly Call[])[]): Promise<ScriptedService> {
	let round = 0;
	let count = 0;
	return startScriptedService((_request, response) => {
		const calls = rounds[round] ?? [];
		round += 1;
		const message =
			calls.length > 0
				? {
						tool_calls: calls.map(([name, input]) => ({
							id: `call-${(count += 1)}`,
							type: "function",
							function: { name, arguments: JSON.stringify(input) },
						})),
					}
				: { content: "Done." };
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.end(
			`data: {"role":"assistant","content":""}\n\ndata: ${JSON.stringify(message)}\n\ndata: {}\n\ndata: [DONE]\n\ndata: [END]\n\n`,
		);
	});
}

/** Closes a document without a question, its unsaved changes given up. */
async function discard(document: vscode.TextDocument): Promise<void> {
	if (document.isDirty && !document.isClosed) {
		await vscode.window.showTextDocument(document);
		await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
	}
}

/**
 * Files, a model and a user for the tests of a suite: call it where the suite begins. After each test the editors are
 * closed and the files gone.
 */
export function useTools() {
	const services: ScriptedService[] = [];
	let folder: vscode.Uri;
	const files: vscode.Uri[] = [];

	before(async () => {
		const [first] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(first, "a folder is open");
		folder = first.uri;
		// The web workbench saves by itself after a second; what is unsaved is to stay so.
		await vscode.workspace.getConfiguration("files").update("autoSave", "off", true);
	});

	afterEach(async () => {
		await configure({ endpoint: undefined });
		await Promise.all(services.splice(0).map(service => service.stop()));
		for (const document of vscode.workspace.textDocuments) {
			await discard(document);
		}
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
		for (const file of files.splice(0)) {
			await vscode.workspace.fs.delete(file).then(undefined, () => undefined);
		}
	});

	const at = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, name);

	async function put(name: string, bytes: string | Uint8Array): Promise<vscode.Uri> {
		const uri = at(name);
		files.push(uri);
		await vscode.workspace.fs.writeFile(
			uri,
			typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes,
		);
		return uri;
	}

	async function bytesOf(uri: vscode.Uri): Promise<string> {
		return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("latin1");
	}

	/** Runs a scripted model; `answer` is what the user says to every request. */
	async function run(
		rounds: readonly (readonly Call[])[],
		answer: Partial<ToolAnswer> = { decision: "allow" },
		onAsk: (card: ToolCardView) => Promise<void> | void = () => undefined,
	) {
		const service = await startModel(...rounds);
		services.push(service);
		await configure({ endpoint: service.baseUrl });
		const controller = await chat();
		await controller.newChat();
		const answered = new Set<string>();
		const cards: ToolCardView[] = [];
		const subscription = controller.onDidChange(changes => {
			for (const change of changes) {
				const approval = change.type === "tool-card" ? change.card.approval : undefined;
				if (change.type === "tool-card" && approval && !answered.has(approval.requestId)) {
					answered.add(approval.requestId);
					cards.push(change.card);
					const { requestId, hunks } = approval;
					const all = hunks.flatMap(({ number }) => number ?? []);
					const reply = async (): Promise<void> => {
						await onAsk(change.card);
						controller.tools.cards.answer({
							requestId,
							decision: "allow",
							scope: "once",
							reason: "",
							hunks: all,
							...answer,
						});
					};
					// A request can be allowed once it has been shown for half a second.
					setTimeout(() => void reply(), 550);
				}
			}
		});
		const turn = await turnEnded(controller, await controller.send("Go"));
		subscription.dispose();
		return { turn, asked: cards, results: turn.tools ?? [] };
	}

	return {
		at,
		put,
		bytesOf,
		run,
		/** Has a file deleted after the test that something else than `put` makes. */
		forget: (...names: readonly string[]) => files.push(...names.map(at)),
		/** What the models were sent. */
		heard: () => services.flatMap(({ heard }) => heard.map(({ body }) => body)).join(""),
	};
}
