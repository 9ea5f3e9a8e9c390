import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { silentLog } from "../../src/common/log.ts";
import type { ToolPolicy, ToolResult } from "../../src/tools/gate/acceptCall.ts";
import {
	type ApprovalAnswer,
	type ApprovalRequest,
	type Approver,
	armMs,
	Approvals,
} from "../../src/tools/gate/approvals.ts";
import type { PathPlatform } from "../../src/paths/pathForm.ts";
import type { WorkspaceRoot } from "../../src/paths/resolveTarget.ts";
import { ChangeJournal } from "../../src/tools/undo/changeJournal.ts";
import { JournalFolder } from "../../src/tools/undo/journalFolder.ts";
import { ToolGate } from "../../src/tools/gate/toolGate.ts";
import type { LedgerEntry, ToolLedger } from "../../src/tools/contract/tool.ts";
import { ToolRegistry } from "../../src/tools/catalog/toolRegistry.ts";
import { createDiskEditor, type DiskEditor } from "./diskEditor.ts";
import { createFakeClock, type FakeClock } from "./fakeClock.ts";
import { makeTempFolder } from "./tempFolder.ts";

/** What a user does with a request; time passes before they do. */
export type Decision = (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>;

/** A gate with everything around it real but the window. */
export interface ToolBench {
	/** The temporary folder; the workspace is `ws` in it. */
	readonly base: string;
	readonly workspace: string;
	readonly editor: DiskEditor;
	readonly gate: ToolGate;
	readonly journal: ChangeJournal;
	/** Where the journal keeps its files: away from the temporary folder, as the extension's own are. */
	readonly journalFolder: string;
	readonly clock: FakeClock;
	readonly asked: ApprovalRequest[];
	readonly allowed: string[];
	readonly ledger: ToolLedger & { readonly entries: LedgerEntry[] };
	decide: Decision;
	offReason: string | undefined;
	readonly off: Set<string>;
	readonly excluded: Set<string>;
	asksForReads: boolean;
	/** Whether Browsing is on. */
	mayBrowse: boolean;
	/** The service whose model calls. */
	service: string | undefined;
	roots: WorkspaceRoot[];
	/** Puts a file into the temporary folder and returns its path. */
	put(name: string, text: string): string;
	/** Runs one call, with its arguments as a value or as text. */
	run(name: string, input: unknown, id?: string, signal?: AbortSignal): Promise<ToolResult>;
}

/** Says no. */
export const deny: Decision = () => ({ type: "deny" });

/** Says yes, once. */
export const allow: Decision = ({ fingerprint }) => ({ type: "allow", fingerprint, scope: "once" });

/** Makes a bench whose user says no until told otherwise. */
export async function createToolBench(
	platform: PathPlatform = "linux",
	given?: ToolRegistry,
): Promise<ToolBench> {
	const base = await makeTempFolder();
	const workspace = join(base, "ws");
	mkdirSync(workspace);
	const clock = createFakeClock();
	const editor = createDiskEditor(workspace);
	const registry = given ?? new ToolRegistry(undefined, () => editor.external);
	const asked: ApprovalRequest[] = [];
	const allowed: string[] = [];
	let count = 0;
	const approver: Approver = {
		ask: async request => {
			asked.push(request);
			await clock.advance(armMs);
			const answer = await bench.decide(request);
			if (answer.type === "allow") {
				allowed.push(request.fingerprint);
			}
			return answer;
		},
	};
	const policy: ToolPolicy = {
		offReason: () => bench.offReason,
		isOff: name => bench.off.has(name),
		isExcluded: target => bench.excluded.has(target.label),
		asksForReads: () => bench.asksForReads,
	};
	const entries: LedgerEntry[] = [];
	const journalFolder = join(await makeTempFolder(), "journal");
	const journal = new ChangeJournal(new JournalFolder(journalFolder, clock), clock);
	const bench: ToolBench = {
		base,
		workspace,
		editor,
		clock,
		asked,
		allowed,
		decide: deny,
		offReason: undefined,
		off: new Set(),
		excluded: new Set(),
		asksForReads: false,
		mayBrowse: false,
		service: "service",
		roots: [{ name: "ws", path: workspace }],
		journal,
		journalFolder,
		ledger: { entries, begin: entry => Promise.resolve(void entries.push(entry)) },
		gate: new ToolGate({
			registry,
			editor,
			paths: () => ({ roots: bench.roots, platform }),
			policy,
			approvals: new Approvals(approver, clock),
			journal,
			clock,
			log: silentLog,
		}),
		put: (name, text) => {
			const path = join(base, name);
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, text);
			return path;
		},
		run: (name, input, id = `call-${(count += 1)}`, signal = new AbortController().signal) =>
			bench.gate.run(
				{
					callId: id,
					chatId: "chat",
					name,
					arguments: typeof input === "string" ? input : JSON.stringify(input),
					mayBrowse: bench.mayBrowse,
					...(bench.service === undefined ? {} : { service: bench.service }),
				},
				bench.ledger,
				signal,
			),
	};
	return bench;
}

/** What a chat needs of a gate, but for the question whether tools may go on. */
export function chatToolsOf(gate: ToolGate): Pick<ToolGate, "offered" | "isReader" | "run"> {
	return {
		offered: (...wanted) => gate.offered(...wanted),
		isReader: name => gate.isReader(name),
		run: (...call) => gate.run(...call),
	};
}
