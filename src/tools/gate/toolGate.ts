import * as l10n from "@vscode/l10n";
import { type Clock, throwIfAborted } from "../../common/async.ts";
import { AbortError, isAbortError, toError } from "../../common/errors.ts";
import { maskSecrets } from "../../common/secretContent.ts";
import { untilAborted } from "../../common/untilAborted.ts";
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
import type { EditorActions } from "../tool/editorActions.ts";
import type { PathUse, Tool, ToolDependencies, ToolEffect, ToolPlan } from "../tool/tool.ts";
import { ToolFailure } from "../tool/toolFailure.ts";
import type { ToolLedger } from "../tool/toolLedger.ts";
import { refusalWords, type PathRefusal } from "../../paths/pathRefusal.ts";
import {
	isSameTarget,
	type WorkspacePaths,
	resolveTarget,
	type PathTarget,
} from "../../paths/resolveTarget.ts";
import { cutResult } from "../catalog/resultText.ts";
import type { ToolRegistry } from "../catalog/toolRegistry.ts";
import { recordChange, settleChange } from "./settleChange.ts";

/** A call's state. */
export type ToolProgress =
	| { readonly state: "asking"; readonly summary: string }
	| { readonly state: "running"; readonly summary: string };

/** Dependencies of a gate. */
export interface ToolGateDependencies {
	readonly registry: ToolRegistry;
	readonly editor: EditorActions;
	readonly paths: () => WorkspacePaths;
	readonly policy: ToolPolicy;
	readonly approvals: Approvals;
	/** Keeps the content of files before they change. */
	readonly journal: ChangeJournal;
	readonly clock: Clock;
	readonly log: Log;
}

/** How long a tool may run, in milliseconds; waiting for a user does not count (row U16). */
const maxRunMs = 60_000;

/** The most any result tells the model, in UTF-16 code units; most tools stop well before (row U20). */
const maxContentLength = 320 * 1024;

/** How long a tool of somebody else may run, in milliseconds: its server may have to start, with a question of the editor. */
const maxExternalMs = 600_000;

/** How many tools a request offers: a service takes no more, and a model with a small context is helped by few. */
const maxOffered = 128;
const maxOfferedToSmall = 30;

/** Contexts below this many tokens are small. */
const smallContext = 16_000;

/** Effects whose calls are on the medium before they run. */
const recorded: ReadonlySet<ToolEffect> = new Set(["write", "paid", "external"]);

/** How often a change is shown again because the file moved on meanwhile, before it is given up (row U11). */
const maxPlans = 5;

/** Under this name the approvals keep the addresses that the user typed; no tool has it. */
const typed = "typed";

/** Under this name they keep the tools of others whose arguments the user saw and allowed; no tool's name has a space. */
const seen = "seen before";

/** The one way from a model's words to an effect: schema, then path, policy, approval, then all of it once more. docs/security.md. */
export class ToolGate {
	private readonly dependencies: ToolGateDependencies;
	/** Ids of calls that were answered. */
	private readonly claimed = new Set<string>();

	constructor(dependencies: ToolGateDependencies) {
		this.dependencies = dependencies;
	}

	/**
	 * The tools a model may be offered now; Browsing among them where the user switched it on. `contextLength` is that of the model in
	 * tokens, where it is known: of more tools than it is offered, the last ones are left out, which are those of others.
	 */
	offered(mayBrowse: boolean, contextLength = smallContext): readonly Tool[] {
		return this.wanted(mayBrowse).slice(
			0,
			contextLength < smallContext ? maxOfferedToSmall : maxOffered,
		);
	}

	/** The tools that would be offered to a model without a bound. */
	wanted(mayBrowse: boolean): readonly Tool[] {
		const { registry, policy } = this.dependencies;
		const isPlaceOff = policy.offReason() !== undefined;
		return registry
			.all()
			.filter(
				({ name, effect }) => !policy.isOff(name) && (effect === "visit" ? mayBrowse : !isPlaceOff),
			);
	}

	/** Notes addresses that the user typed in a chat: reading just these needs no further word. */
	noteTyped(chatId: string, addresses: readonly string[]): void {
		this.dependencies.approvals.remember(chatId, typed, addresses);
	}

	/** Whether a tool only looks, so that it may run beside others. */
	isReader(name: string): boolean {
		return this.dependencies.registry.find(name)?.effect === "read";
	}

	/**
	 * Judges a call and, if everything allows it, runs it once. Rejects with `AbortError` when the signal fires; every other
	 * end is a result.
	 */
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
			return {
				state: "refused",
				content: "Error: this call was answered; it does not run twice.",
			};
		}
		claimed.add(call.callId);
		const passage = { ...dependencies, ...accepted, call, ledger, signal, onProgress };
		try {
			return await pass(passage);
		} catch (error) {
			if (signal.aborted || isAbortError(error)) {
				throw new AbortError();
			}
			return failureOf(error, dependencies.log, call.name);
		}
	}
}

interface Passage extends ToolGateDependencies, AcceptedCall {
	readonly call: GateCall;
	readonly ledger: ToolLedger;
	readonly signal: AbortSignal;
	readonly onProgress: (progress: ToolProgress) => void;
}

async function pass(passage: Passage): Promise<ToolResult> {
	for (let count = 1; count <= maxPlans; count += 1) {
		const result = await tryOnce(passage, count > 1).catch((error: unknown) => {
			// It was allowed; what refuses it now is not a rule but what became of the file.
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

/** One look, one approval, one run, and the same for what it leads to; `stale` when the world moved on in between. */
async function tryOnce(
	passage: Passage,
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
	// From here to the effect nothing waits but the effect itself.
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
			// Only now was the file changed as it was shown; a file of which no hunk was taken stays one to ask about.
			const paths = changes.flatMap(change => (change.type === "edit" ? change.target.path : []));
			passage.approvals.remember(passage.call.chatId, tool.name, [
				...paths,
				...placesOf(plan, passage.call),
			]);
		}
		if (typeof content !== "string") {
			return await tryOnce(passage, false, content);
		}
		const isMasked = tool.effect === "read" && plan.isAskedForSecrets !== true;
		const told = cutResult(isMasked ? maskSecrets(content) : content, maxContentLength);
		return { state: "done", content: told };
	} catch (error) {
		if (error instanceof ToolFailure && error.isStale) {
			// The editor says that nothing happened.
			return "stale";
		}
		throw error;
	}
}

/**
 * Plans the call. Of a file with secrets not even a failure is told before the user allows it, because whether
 * an edit finds its text says what is there.
 */
async function planOf(
	passage: Passage,
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

function contextOf(passage: Passage, signal: AbortSignal): ToolDependencies {
	const { editor, paths, policy, clock, call } = passage;
	const { callId, chatId, turnId } = call;
	const look = (path: string): PathTarget | undefined => {
		const resolution = resolveTarget(path, paths());
		return resolution.ok ? resolution.target : undefined;
	};
	return {
		editor,
		callId,
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

/** A path that leads inside the workspace to what is expected there. Row U10. */
function resolve({ path, expects }: PathUse, options: WorkspacePaths): PathTarget {
	const resolution = resolveTarget(path, options);
	if (!resolution.ok) {
		throw new PathRefused(resolution.refusal);
	}
	const { target } = resolution;
	if (expects === "any" || target.kind === expects) {
		return target;
	}
	const refusal =
		expects === "missing" ? "exists" : target.kind === "missing" ? "missing" : "isFolder";
	throw new PathRefused(expects === "folder" && refusal !== "missing" ? "notFolder" : refusal);
}

/** A path that broke a rule, or led to nothing. */
class PathRefused extends ToolFailure {
	readonly refusal: PathRefusal;

	constructor(refusal: PathRefusal) {
		super(refusalWords(refusal));
		this.refusal = refusal;
	}
}

/** A yes, and whether it is to hold for the chat. */
interface Allowed {
	readonly type: "allow";
	readonly hunks?: ReadonlySet<number>;
	readonly isForChat: boolean;
}

async function approve(
	passage: Passage,
	plan: ToolPlan,
	targets: readonly PathTarget[],
	fingerprint: string,
	isAgain: boolean,
): Promise<Extract<ApprovalAnswer, { type: "deny" }> | Allowed> {
	const { tool, call, policy, approvals, signal, onProgress } = passage;
	const excluded = targets.filter(target => policy.isExcluded(target));
	const covered = placesOf(plan, call);
	// Only once the user has seen what it is called with.
	const isSeen = plan.external === undefined || approvals.isRemembered(call.chatId, seen, covered);
	const request = approvalRequest({
		...{ ...passage, plan, targets, excluded, fingerprint, callId: call.callId },
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
	// Told, but no reason to ask by itself: it says nothing about the change.
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

/** Every path leads to the very same thing as when it was shown (T13, CVE-2026-21523). */
function areUnchanged({ paths }: ToolGateDependencies, targets: readonly PathTarget[]): boolean {
	return targets.every(target => {
		const again = resolveTarget(target.asked, paths());
		return again.ok && isSameTarget(target, again.target);
	});
}

/** The promise's result, unless the user stops or its time is over. */
async function within<T>(
	promise: Promise<T>,
	{ clock, signal }: Passage,
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

/** Of anything but our own failures only the class is told: no stack and no path of this machine (row U16). */
function failureOf(error: unknown, log: Log, name: string): ToolResult {
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
