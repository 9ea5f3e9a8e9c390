import { toError, ToolFailure } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { GateCall } from "./acceptCall.ts";
import { readableText } from "../contract/resultText.ts";
import type { ChangeJournal } from "../undo/changeJournal.ts";
import type { EditorActions, FileChange } from "../contract/editorActions.ts";
import type { Tool, ToolLedger, ToolPlan } from "../contract/tool.ts";

export interface SettleChangeDependencies {
	readonly call: GateCall;
	readonly tool: Tool;
	readonly ledger: ToolLedger;
	readonly journal: ChangeJournal;
	readonly editor: EditorActions;
	readonly log: Log;
}

/** Stores the call and its files' content before it runs. Throws `ToolFailure` if that fails, so the call doesn't run. */
export async function recordChange(
	{ call, tool, ledger, journal }: SettleChangeDependencies,
	changes: readonly FileChange[],
	fingerprint: string,
): Promise<void> {
	const { callId } = call;
	try {
		await ledger.begin({ callId, tool: tool.name, fingerprint });
		if (changes.length > 0) {
			await journal.begin(call, changes);
		}
	} catch {
		throw new ToolFailure("The call could not be recorded and was therefore not run.");
	}
}

/** Waits for the call and records its outcome, also if nobody waits for it any longer. A failed call that may have changed a file stays recorded as open. */
export async function settleChange(
	dependencies: SettleChangeDependencies,
	changes: readonly FileChange[],
	running: ReturnType<ToolPlan["run"]>,
): ReturnType<ToolPlan["run"]> {
	if (changes.length === 0) {
		return running;
	}
	const { call, journal } = dependencies;
	try {
		const content = await running;
		await quietly(dependencies, async () =>
			journal.made(call, await textsOf(dependencies, changes)),
		);
		return content;
	} catch (error) {
		if (error instanceof ToolFailure) {
			await quietly(dependencies, () => journal.dropped(call));
		}
		throw error;
	}
}

/** Returns the current texts of edited or created files, which saving may have formatted. Omits unreadable ones. */
async function textsOf(
	{ editor }: SettleChangeDependencies,
	changes: readonly FileChange[],
): Promise<ReadonlyMap<string, string>> {
	const texts = new Map<string, string>();
	for (const change of changes) {
		if (change.type === "edit" || change.type === "create") {
			const text = await readableText(editor, change.target);
			if (text !== undefined) {
				texts.set(change.target.path, text);
			}
		}
	}
	return texts;
}

/** If the journal can't be written, the result stays valid and only Undo is unavailable. */
async function quietly(
	{ log, call }: SettleChangeDependencies,
	write: () => Promise<void>,
): Promise<void> {
	try {
		await write();
	} catch (error) {
		log.warn("The journal of changes could not be kept", {
			tool: call.name,
			error: toError(error).name,
		});
	}
}
