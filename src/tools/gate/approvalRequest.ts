import * as l10n from "@vscode/l10n";
import { revealHidden, revealInLine } from "../../common/hiddenText.ts";
import type { GateCall } from "./acceptCall.ts";
import type { ApprovalRequest } from "./approvals.ts";
import { sha256 } from "../contract/safeFile.ts";
import type { Tool, ToolPlan } from "../contract/tool.ts";
import { sensitiveFileMessage } from "../../paths/pathForm.ts";
import type { PathTarget } from "../../paths/resolveTarget.ts";
import { words } from "../../paths/sensitivePaths.ts";
import type { FilePreview } from "../contract/edits.ts";

interface ApprovalSubject {
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

/** Extensions of prose. Agents follow instructions in it. */
const proseKinds = words("md txt rst adoc");

/** Extensions of source, markup and styles that aren't executed automatically. */
const sourceKinds = words(
	"ts tsx mts cts js jsx mjs cjs vue svelte py java kt scala cs fs vb go rs swift dart c h cc cpp cxx hh hpp hxx m mm",
	"rb php ex erl hs ml mli clj cljs r jl html htm css scss sass less",
);

/** Folders whose files run, build, deploy or configure, or are third-party. */
const busyFolders = words(
	"node_modules bower_components jspm_packages vendor pods site-packages dist-packages venv env virtualenv renv",
	"bin sbin script scripts hooks githooks git-hooks ci config configs conf build buildsrc build-logic gradle cmake project",
	"tasks rakelib xtask magefiles fastlane deploy deployment docker initializers autoload ftplugin ruby_lsp",
);

/** Words in the names of files that tools read or that run automatically. */
const busyWords = words(
	"config configs configuration conf cfg settings setup build make install preinstall postinstall hook hooks task tasks",
	"conftest sitecustomize usercustomize dodo manage wsgi asgi webpack rollup vite vitest esbuild babel jest karma cypress",
	"playwright eslint prettier stylelint gatsby package project workspace manifest requirements constraints cmakelists deps",
	"plugin plugins preload bootstrap startup entrypoint deploy release publish ci env environment toolchain lock rc",
);

/** Words in the paths of prose that instructs agents. */
const agentWords = words(
	"agent agents subagents claude gemini copilot cursor codex aider windsurf cline clinerules roo kiro junie augment",
	"opencode crush warp qwen jules goose goosehints skill skills convention conventions rule rules prompt prompts",
	"instruction instructions guideline guidelines chatmode chatmodes mode modes memory memories llm llms command commands",
	"workflow workflows persona personas system",
);

/**
 * Whether an approval for a file may cover its later edits: source, prose or a style sheet with a known extension, in a folder below the workspace
 * folder, that no tool, agent or system reads or runs automatically. Other files require approval every time (docs/security.md).
 */
function isPlainFile({
	target,
	before,
	after,
}: Pick<FilePreview, "target" | "before" | "after">): boolean {
	const names = target.inside.map(folded);
	const name = names.at(-1) ?? "";
	const folders = names.slice(0, -1);
	const kind = name.slice(name.lastIndexOf(".") + 1);
	const parts = name.split(/[^a-z0-9]+/).slice(0, -1);
	const isProse = proseKinds.has(kind);
	return (
		folders.length > 0 &&
		(isProse || sourceKinds.has(kind)) &&
		!names.some(isAlias) &&
		!folders.some(folder => busyFolders.has(folder) || folder.endsWith(".d")) &&
		!parts.some(part => busyWords.has(part)) &&
		!(isProse && names.some(part => part.split(/[^a-z0-9]+/).some(word => agentWords.has(word)))) &&
		!target.isExecutable &&
		![before, after].some(text => /^\uFEFF?#!/.test(text))
	);
}

/** Whether a name may be an alias of another one on some file systems. Names that start with a dot have a warning. */
function isAlias(name: string): boolean {
	return /[. ]$|[~:]/.test(name);
}

/** Normalizes names that a file system may treat as the same. */
function folded(name: string): string {
	return name.normalize("NFKC").toUpperCase().toLowerCase();
}
