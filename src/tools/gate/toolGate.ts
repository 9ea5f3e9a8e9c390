import * as l10n from "@vscode/l10n";
import { type Clock, throwIfAborted, untilAborted } from "../../common/async.ts";
import { AbortError, isAbortError, toError, ToolFailure } from "../../common/errors.ts";
import { maskSecrets } from "../../common/secretContent.ts";
import type { Log } from "../../common/log.ts";
import type { ApprovalAnswer, Approvals } from "./approvals.ts";
import {
	acceptCall,
	offReasonOf,
	type AcceptedCall,
	type GateCall,
	type ToolPolicy,
	type ToolResult,
} from "./acceptCall.ts";
import { approvalRequest, fingerprintOf, placesOf } from "./approvalRequest.ts";
import type { ChangeJournal } from "../undo/changeJournal.ts";
import type { EditorActions } from "../contract/editorActions.ts";
import type {
	PathUse,
	Tool,
	ToolDependencies,
	ToolEffect,
	ToolLedger,
	ToolPlan,
} from "../contract/tool.ts";
import { refusalWords, type PathRefusal } from "../../paths/pathForm.ts";
import {
	isSameTarget,
	type WorkspacePaths,
	resolveTarget,
	type PathTarget,
} from "../../paths/resolveTarget.ts";
import { plainReading, withoutWorkspaceName } from "../../paths/plainReading.ts";
import { cutResult } from "../contract/resultText.ts";
import type { ToolRegistry } from "../catalog/toolRegistry.ts";
import { recordChange, settleChange } from "./settleChange.ts";

export type ToolProgress =
	| { readonly state: "asking"; readonly summary: string }
	| { readonly state: "running"; readonly summary: string };

export interface ToolGateDependencies {
	readonly registry: ToolRegistry;
	readonly editor: EditorActions;
	readonly paths: () => WorkspacePaths;
	readonly policy: ToolPolicy;
	readonly approvals: Approvals;
	readonly journal: ChangeJournal;
	readonly clock: Clock;
	readonly log: Log;
}

/** The longest run time of a tool in milliseconds, without waiting for the user. */
const maxRunMs = 60_000;

/** The longest result for the model, in UTF-16 code units. Most tools have lower limits. */
const maxContentLength = 320 * 1024;

/** The longest run time of an external tool, in milliseconds. Its server may have to be started, with a prompt of the editor. */
const maxExternalMs = 600_000;

/** The most tools in a request: services limit them, and a model with a small context works better with few. */
const maxOffered = 128;
const maxOfferedToSmall = 30;

const smallContext = 16_000;

/** Effects whose calls are recorded before they run. */
const recorded: ReadonlySet<ToolEffect> = new Set(["write", "paid", "external"]);

/** How often a change is shown again because its file changed meanwhile. */
const maxPlans = 5;

/** Key of the approvals for URLs that the user typed. No tool has this name. */
const typed = "typed";

/** Key of the approvals for external tools whose arguments the user has seen and allowed. Tool names contain no space. */
const seen = "seen before";

/** The only way from a model's output to an effect: schema, then path, policy and approval, then all of it again. docs/security.md. */
export class ToolGate {
	private readonly dependencies: ToolGateDependencies;
	/** Ids of calls that have been run. */
	private readonly claimed = new Set<string>();

	constructor(dependencies: ToolGateDependencies) {
		this.dependencies = dependencies;
	}

	/**
	 * Returns the tools to offer a model, with Browsing if the user enabled it. `contextLength` is that of the model in tokens, if known. Above the
	 * limit, drops the last ones, which are external.
	 */
	offered(mayBrowse: boolean, contextLength = smallContext): readonly Tool[] {
		return this.enabledTools(mayBrowse).slice(
			0,
			contextLength < smallContext ? maxOfferedToSmall : maxOffered,
		);
	}

	/** Returns the tools to offer without a limit. */
	enabledTools(mayBrowse: boolean): readonly Tool[] {
		const { registry, policy } = this.dependencies;
		const isPlaceOff = policy.offReason() !== undefined;
		return registry
			.all()
			.filter(
				({ name, effect }) => !policy.isOff(name) && (effect === "visit" ? mayBrowse : !isPlaceOff),
			);
	}

	/** Adds URLs that the user typed in a chat. Reading exactly these needs no approval. */
	noteTyped(chatId: string, addresses: readonly string[]): void {
		this.dependencies.approvals.remember(chatId, typed, addresses);
	}

	/** Whether a tool only reads, so it may run in parallel. */
	isReader(name: string): boolean {
		return this.dependencies.registry.find(name)?.effect === "read";
	}

	/** Checks a call and runs it once if it is allowed. Rejects with `AbortError` if the signal aborts; every other outcome is a result. */
	async run(
		call: GateCall,
		ledger: ToolLedger,
		signal: AbortSignal,
		onProgress: (progress: ToolProgress) => void = () => undefined,
	): Promise<ToolResult> {
		const { claimed, dependencies } = this;
		const accepted = acceptCall(call, dependencies.registry, dependencies.policy);
		if ("state" in accepted) {
			return accepted;
		}
		if (claimed.has(call.callId)) {
			return { state: "refused", content: "Error: this call was answered; it does not run twice." };
		}
		claimed.add(call.callId);
		const passage = { ...dependencies, ...accepted, call, ledger, signal, onProgress };
		try {
			return await pass(passage);
		} catch (error) {
			if (signal.aborted || isAbortError(error)) {
				throw new AbortError();
			}
			return toolFailureResult(error, dependencies.log, call.name);
		}
	}
}

interface GateRun extends ToolGateDependencies, AcceptedCall {
	readonly call: GateCall;
	readonly ledger: ToolLedger;
	readonly signal: AbortSignal;
	readonly onProgress: (progress: ToolProgress) => void;
}

async function pass(passage: GateRun): Promise<ToolResult> {
	for (let count = 1; count <= maxPlans; count += 1) {
		const result = await planAskRun(passage, count > 1).catch((error: unknown) => {
			// The call was allowed, so the failure is due to a changed file rather than a rule.
			throw count > 1 && error instanceof PathRefused
				? new ToolFailure(
						`${error.message} That changed after the call was allowed. Nothing was done.`,
					)
				: error;
		});
		if (result !== "stale") {
			return result;
		}
	}
	throw new ToolFailure("The file keeps changing. Nothing was changed.");
}

/** Plans, asks and runs once, including follow-up plans. Returns `stale` if a target changed in between. */
async function planAskRun(
	passage: GateRun,
	isAgain: boolean,
	next?: ToolPlan,
): Promise<ToolResult | "stale"> {
	const { tool, request, signal, onProgress } = passage;
	const context = contextOf(passage, signal);
	const named = request.paths.map(context.resolve);
	const plan = next ?? (await planOf(passage, named, context));
	const targets = [...named, ...(plan.targets ?? [])];
	const fingerprint = fingerprintOf(tool, passage.argumentsText, targets, plan);
	const answer = await approve(passage, plan, targets, fingerprint, isAgain);
	if (answer.type === "deny") {
		return denied(answer.reason);
	}
	const changes = plan.changes?.(answer.hunks) ?? [];
	if (recorded.has(tool.effect)) {
		await recordChange(passage, changes, fingerprint);
	}
	// From here to the effect, nothing else is awaited.
	throwIfAborted(signal);
	const off = offReasonOf(tool, passage.call, passage.policy);
	if (off !== undefined) {
		return { state: "refused", content: `Error: tools are off. ${off}` };
	}
	if (tool.effect === "external" && passage.policy.isOff(tool.name)) {
		return { state: "refused", content: `Error: the user switched ${tool.name} off.` };
	}
	if (!areUnchanged(passage, targets)) {
		return "stale";
	}
	onProgress({ state: "running", summary: plan.summary });
	try {
		const running = settleChange(passage, changes, plan.run(context, answer.hunks));
		const content = await (tool.effect === "question"
			? untilAborted(running, signal)
			: within(running, passage, tool.effect === "external" ? maxExternalMs : maxRunMs));
		if (answer.isForChat) {
			// Remembered only after the shown change was made. A file without accepted hunks still requires approval.
			const paths = changes.flatMap(change => (change.type === "edit" ? change.target.path : []));
			passage.approvals.remember(passage.call.chatId, tool.name, [
				...paths,
				...placesOf(plan, passage.call),
			]);
		}
		if (typeof content !== "string") {
			return await planAskRun(passage, false, content);
		}
		const isMasked = tool.effect === "read" && plan.isAskedForSecrets !== true;
		const told = cutResult(isMasked ? maskSecrets(content) : content, maxContentLength);
		return { state: "done", content: told };
	} catch (error) {
		if (error instanceof ToolFailure && error.isStale) {
			// The editor reports that nothing was changed.
			return "stale";
		}
		throw error;
	}
}

/** Plans the call. For a file with secrets, hides even failures until the user allows the call, because whether an edit matches reveals content. */
async function planOf(
	passage: GateRun,
	targets: readonly PathTarget[],
	dependencies: ToolDependencies,
): Promise<ToolPlan> {
	try {
		const plan = await within(passage.request.plan(targets, dependencies), passage);
		if (passage.tool.effect === "write") {
			[...targets, ...(plan.targets ?? [])].forEach(target =>
				passage.editor.mustBeChangeable(target),
			);
			const changes = plan.changes?.(undefined) ?? [];
			await within(Promise.all(changes.map(passage.editor.mustBeSavable)), passage);
		}
		return plan;
	} catch (error) {
		if (error instanceof ToolFailure && targets.some(target => target.readReason)) {
			return {
				summary: l10n.t("{0}: explain why not", passage.tool.title),
				run: () => Promise.reject(error),
			};
		}
		throw error;
	}
}

function contextOf(passage: GateRun, signal: AbortSignal): ToolDependencies {
	const { editor, paths, policy, clock, call } = passage;
	const { callId, chatId, turnId } = call;
	const look = (path: string): PathTarget | undefined => {
		const resolution = resolveTarget(path, paths());
		return resolution.ok ? resolution.target : undefined;
	};
	return {
		editor,
		callId,
		chatId,
		askedBelow: turnId === undefined ? undefined : { chatId, turnId },
		isTyped: address => passage.approvals.isRemembered(chatId, typed, [address]),
		clock,
		signal,
		look,
		tellable: path => {
			const target = look(path);
			const isAskedAbout =
				target === undefined ||
				target.readReason !== undefined ||
				target.isHardLinked ||
				policy.isExcluded(target);
			return isAskedAbout ? undefined : target;
		},
		resolve: use => resolve(use, paths()),
	};
}

function resolve(
	{ path, expects }: Pick<PathUse, "path" | "expects">,
	options: WorkspacePaths,
): PathTarget {
	const resolution = resolveTarget(path, options);
	if (expects !== "missing" && (!resolution.ok || resolution.target.kind === "missing")) {
		const meant = plainReading(path, options);
		if (meant && (expects === "any" || meant.kind === expects)) {
			return meant;
		}
	}
	if (!resolution.ok) {
		throw new PathRefused(resolution.refusal);
	}
	const { target } = resolution;
	if (target.kind === "missing" && (expects === "any" || expects === "missing")) {
		const inside = withoutWorkspaceName(path, options);
		return inside === undefined ? target : resolve({ path: inside, expects }, options);
	}
	if (expects === "any" || target.kind === expects) {
		return target;
	}
	const refusal =
		expects === "missing" ? "exists" : target.kind === "missing" ? "missing" : "isFolder";
	throw new PathRefused(expects === "folder" && refusal !== "missing" ? "notFolder" : refusal);
}

/** A path that was rejected, or where nothing exists. */
class PathRefused extends ToolFailure {
	readonly refusal: PathRefusal;

	constructor(refusal: PathRefusal) {
		super(refusalWords(refusal));
		this.refusal = refusal;
	}
}

interface Allowed {
	readonly type: "allow";
	readonly hunks?: ReadonlySet<number>;
	readonly isForChat: boolean;
}

async function approve(
	passage: GateRun,
	plan: ToolPlan,
	targets: readonly PathTarget[],
	fingerprint: string,
	isAgain: boolean,
): Promise<Extract<ApprovalAnswer, { type: "deny" }> | Allowed> {
	const { tool, call, policy, approvals, signal, onProgress } = passage;
	const excluded = targets.filter(target => policy.isExcluded(target));
	const covered = placesOf(plan, call);
	// A tool of another program can be remembered only if the user has seen the arguments of one of its calls.
	const isSeen = plan.external === undefined || approvals.isRemembered(call.chatId, seen, covered);
	const request = approvalRequest({
		...passage,
		plan,
		targets,
		excluded,
		fingerprint,
		callId: call.callId,
		places: isSeen ? covered : [],
	});
	const isLooking = tool.effect === "read" || tool.effect === "show";
	const isTyped =
		plan.address !== undefined && approvals.isRemembered(call.chatId, typed, [plan.address]);
	const isAsking = isLooking
		? request.warnings.length > 0 || policy.asksForReads()
		: tool.effect !== "question" && !isTyped;
	const places = [...targets.map(target => target.path), ...covered];
	const isRemembered =
		request.canRemember && approvals.isRemembered(call.chatId, tool.name, places);
	if (!isAsking || isRemembered) {
		return { type: "allow", isForChat: false };
	}
	onProgress({ state: "asking", summary: plan.summary });
	// The request shows this with its warnings. It is not a reason to ask, so it is added after the decision.
	const warnings = isAgain
		? [
				l10n.t("Nothing was done yet, because a file changed meanwhile. Check this again."),
				...request.warnings,
			]
		: request.warnings;
	const answer = await approvals.decide({ ...request, warnings }, signal);
	if (answer.type === "deny") {
		return answer;
	}
	if (plan.external !== undefined) {
		approvals.remember(call.chatId, seen, covered);
	}
	return { ...answer, isForChat: answer.scope === "chat" && request.canRemember };
}

/** Whether every path still leads to the same target as when it was shown (CVE-2026-21523). */
function areUnchanged({ paths }: ToolGateDependencies, targets: readonly PathTarget[]): boolean {
	return targets.every(target => {
		const again = resolveTarget(target.asked, paths());
		return again.ok && isSameTarget(target, again.target);
	});
}

/** Waits for a promise until the user stops it or its time is over. */
async function within<T>(
	promise: Promise<T>,
	{ clock, signal }: GateRun,
	mostMs = maxRunMs,
): Promise<T> {
	const { promise: late, reject } = Promise.withResolvers<never>();
	const words = mostMs === maxRunMs ? "a minute" : "ten minutes";
	const timer = clock.setTimer(mostMs, () =>
		reject(new ToolFailure(`It took longer than ${words}. It may still have an effect.`)),
	);
	try {
		return await untilAborted(Promise.race([promise, late]), signal);
	} finally {
		timer.dispose();
	}
}

function denied(reason: string | undefined): ToolResult {
	const reasonText = reason?.trim() ? ` Reason: ${reason.trim().slice(0, 2000)}` : "";
	return { state: "denied", content: `Denied: the user did not allow this.${reasonText}` };
}

/** Reports only the class of unexpected errors: no stack trace and no local paths. */
function toolFailureResult(error: unknown, log: Log, name: string): ToolResult {
	if (error instanceof ToolFailure) {
		const content = `Error: ${error.message}`;
		if (error instanceof PathRefused) {
			return { state: error.refusal === "missing" ? "missing" : "refused", content };
		}
		return { state: "failed", content };
	}
	const kind = toError(error).name.slice(0, 40);
	log.warn("A tool failed", { tool: name, error: kind });
	return { state: "failed", content: `Error: the tool failed (${kind}).` };
}

/** Calls that the user can cancel individually while the answer continues. The model is told that an effect can't be ruled out. */
export class CancellableCalls implements Pick<ToolGate, "run"> {
	private readonly gate: Pick<ToolGate, "run">;
	private readonly running = new Map<string, AbortController>();

	constructor(gate: Pick<ToolGate, "run">) {
		this.gate = gate;
	}

	async run(
		...[call, ledger, signal, onProgress]: Parameters<ToolGate["run"]>
	): Promise<ToolResult> {
		const { running } = this;
		const own = new AbortController();
		running.set(call.callId, own);
		try {
			const ending = AbortSignal.any([signal, own.signal]);
			return await this.gate.run(call, ledger, ending, onProgress);
		} catch (error) {
			if (!isAbortError(error) || signal.aborted || !own.signal.aborted) {
				throw error;
			}
			return {
				state: "cancelled",
				content: "Cancelled: the user ended this call. It may have had an effect.",
			};
		} finally {
			running.delete(call.callId);
		}
	}

	/** Cancels the running calls whose id `isMeant` accepts. */
	cancel(isMeant: (callId: string) => boolean): void {
		this.running.forEach((own, callId) => {
			if (isMeant(callId)) {
				own.abort();
			}
		});
	}
}
