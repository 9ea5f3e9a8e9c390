import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { GateCall } from "./acceptCall.ts";
import { textOf } from "../catalog/searchText.ts";
import type { ChangeJournal } from "../undo/changeJournal.ts";
import { snapshotsOf } from "../undo/fileSnapshot.ts";
import type { EditorActions, FileChange } from "../tool/editorActions.ts";
import type { Tool, ToolPlan } from "../tool/tool.ts";
import { ToolFailure } from "../tool/toolFailure.ts";
import type { ToolLedger } from "../tool/toolLedger.ts";

/** Dependencies of following a change. */
export interface SettleChangeDependencies {
	readonly call: GateCall;
	readonly tool: Tool;
	readonly ledger: ToolLedger;
	readonly journal: ChangeJournal;
	readonly editor: EditorActions;
	readonly log: Log;
}

/** The call and what is in its files are on the medium before it runs, or it does not run. Throws `ToolFailure`. */
export async function recordChange(
	{ call, tool, ledger, journal }: SettleChangeDependencies,
	changes: readonly FileChange[],
	fingerprint: string,
): Promise<void> {
	const { callId } = call;
	try {
		await ledger.begin({ callId, tool: tool.name, fingerprint, files: snapshotsOf(changes) });
		if (changes.length > 0) {
			await journal.begin(call, changes);
		}
	} catch {
		throw new ToolFailure("The call could not be recorded and was therefore not run.");
	}
}

/**
 * The promise's outcome, once the journal says how the change ended; it says so as well when nobody waits any more. A failure
 * that does not say that nothing was changed stays open in the journal.
 */
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

/** The files that were edited or made as they now are: saving may have formatted them. One that cannot be read is left out. */
async function textsOf(
	{ editor }: SettleChangeDependencies,
	changes: readonly FileChange[],
): Promise<ReadonlyMap<string, string>> {
	const texts = new Map<string, string>();
	for (const change of changes) {
		if (change.type === "edit" || change.type === "create") {
			const text = await textOf(editor, change.target);
			if (text !== undefined) {
				texts.set(change.target.path, text);
			}
		}
	}
	return texts;
}

/** The change is made or it is not; a journal that cannot say so takes away Undo, not the result. */
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
