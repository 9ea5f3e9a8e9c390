import * as vscode from "vscode";
import { toDisposable } from "../../common/disposable.ts";
import type { Lazy } from "../../common/async.ts";
import type { ToolGate } from "../../tools/gate/toolGate.ts";

/** The tools for the editor's own agents: those that read, and the one that makes a video. */
export const languageModelToolNames = [
	"get_selection",
	"get_active_file",
	"get_open_files",
	"read_file",
	"list_files",
	"search_text",
	"get_problems",
	"get_symbols",
	"find_references",
	"get_git_diff",
	"generate_video",
] as const;

/** A gate for callers outside the chat, which asks in modal dialogs. */
export interface EditorToolGate {
	readonly gate: ToolGate;
	/** Returns why the editor's agents may not use the tools. */
	offReason(): string | undefined;
}

/** Registers the tools for the editor's agents as `cutaway_NAME`, behind the chat's gate. Loads nothing before a call. */
export function registerLanguageModelTools(
	tools: () => Promise<Lazy<EditorToolGate>>,
): vscode.Disposable {
	const registered = languageModelToolNames.map(name =>
		vscode.lm.registerTool<unknown>(`cutaway_${name}`, {
			invoke: async (options, token) => {
				const text = await callTool(await (await tools()).get(), name, options.input, token);
				return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
			},
		}),
	);
	return toDisposable(() => registered.forEach(tool => tool.dispose()));
}

let count = 0;

async function callTool(
	{ gate, offReason }: EditorToolGate,
	name: string,
	input: unknown,
	token: vscode.CancellationToken,
): Promise<string> {
	const off = offReason();
	if (off !== undefined) {
		return `Error: tools are off. ${off}`;
	}
	const stop = new AbortController();
	const subscription = token.onCancellationRequested(() => stop.abort());
	count += 1;
	const call = {
		callId: `editor:${count}`,
		chatId: "editor",
		name,
		arguments: JSON.stringify(input ?? {}),
	};
	try {
		// Video jobs have their own record before the request.
		return (await gate.run(call, { begin: () => Promise.resolve() }, stop.signal)).content;
	} finally {
		subscription.dispose();
	}
}
