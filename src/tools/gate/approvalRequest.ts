import * as l10n from "@vscode/l10n";
import { revealHidden, revealInLine } from "../../common/hiddenText.ts";
import type { GateCall } from "./acceptCall.ts";
import type { ApprovalRequest } from "./approvals.ts";
import { sha256 } from "../tool/digest.ts";
import type { Tool, ToolPlan } from "../tool/tool.ts";
import { sensitiveFileMessage } from "../../paths/pathRefusal.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";
import { isPlainFile } from "./plainFile.ts";

export interface ApprovalSubject {
	readonly callId: string;
	readonly tool: Tool;
	readonly argumentsText: string;
	readonly targets: readonly PathTarget[];
	/** The targets that the user excluded from the workspace's files. */
	readonly excluded: readonly PathTarget[];
	readonly plan: ToolPlan;
	readonly fingerprint: string;
	/** What “in this chat” would cover besides files. */
	readonly places: readonly string[];
}

/** Returns a digest of everything that determines the effect: tool, arguments, the actual files and both sides of a change. */
export function fingerprintOf(
	tool: Tool,
	argumentsText: string,
	targets: readonly PathTarget[],
	plan: ToolPlan,
): string {
	return sha256(
		JSON.stringify([
			tool.name,
			argumentsText,
			targets.map(({ path, kind, identity }) => [path, kind, identity]),
			[...(plan.binding ?? []), ...(plan.address === undefined ? [] : [plan.address])],
		]),
	);
}

/** Creates the approval request for the user. The shown paths are those that will be accessed. */
export function approvalRequest(subject: ApprovalSubject): ApprovalRequest {
	const { callId, tool, argumentsText, targets, plan, fingerprint } = subject;
	const warnings = [
		...targets.flatMap(target => targetWarnings(target, tool.effect === "write")),
		...subject.excluded.map(({ label }) =>
			l10n.t("{0} is excluded from the workspace's files", label),
		),
		...(plan.warnings ?? []),
	];
	const isPlainEdit =
		tool.effect === "write" &&
		plan.preview !== undefined &&
		plan.preview.files.every(file => file.change === "edit" && isPlainFile(file));
	return {
		callId,
		tool: { name: tool.name, title: tool.title, effect: tool.effect },
		summary: revealInLine(plan.summary),
		argumentsText: revealHidden(argumentsText),
		files: targets.map(({ label }) => revealInLine(label)),
		warnings: warnings.map(revealInLine),
		canRemember: (isPlainEdit && warnings.length === 0) || subject.places.length > 0,
		address: plan.address,
		external: plan.external,
		clip: plan.clip,
		preview: plan.preview,
		fingerprint,
	};
}

/**
 * Returns what “in this chat” can cover besides files: the URL of a page without a query, which may differ every time, or an external tool in its
 * current version, for calls of one service.
 */
export function placesOf(
	{ address, external }: ToolPlan,
	{ service }: Pick<GateCall, "service">,
): readonly string[] {
	return [
		...(address === undefined || address.includes("?") ? [] : [address]),
		...(external === undefined || service === undefined ? [] : [`${external.digest} ${service}`]),
	];
}

function targetWarnings(target: PathTarget, isWriting: boolean): string[] {
	const reason = isWriting ? (target.writeReason ?? target.readReason) : target.readReason;
	return [
		...(reason ? [sensitiveFileMessage(reason, target.label)] : []),
		...(target.isHardLinked
			? [l10n.t("{0} has other names, possibly outside the workspace", target.label)]
			: []),
		...(isWriting && target.isLinked
			? [l10n.t("{0} is a link to {1}", target.asked, target.label)]
			: []),
	];
}
