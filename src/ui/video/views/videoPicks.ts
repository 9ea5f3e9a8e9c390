import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Event } from "../../../common/disposable.ts";
import { formatElapsed } from "../../../shared/locale.ts";
import { untilChosen } from "../../base/dialogs.ts";
import { type VideoAction, videoActionIcons, videoActionName } from "../../../shared/videoCard.ts";
import {
	matchesFilter,
	toneName,
	type VideoFilter,
	type VideoJobView,
	fullMessage,
	numbered,
} from "./videoJobView.ts";

/** The actions shown as buttons in the list of scenes, in this order. */
const buttonActions: readonly VideoAction[] = [
	"stopWatching",
	"keepWatching",
	"submit",
	"submitAgain",
	"checkAgain",
	"copyPrompt",
	"openSource",
];

const toneIcons = {
	working: "loading~spin",
	ready: "play-circle",
	attention: "warning",
	failed: "error",
	stopped: "circle-slash",
} as const;

interface JobItem extends vscode.QuickPickItem {
	readonly id: string;
	readonly buttons?: readonly ActionButton[];
}

interface ActionButton extends vscode.QuickInputButton {
	readonly action: VideoAction;
}

export interface ScenePickDependencies {
	readonly jobs: () => readonly VideoJobView[];
	readonly onDidChange: Event<unknown>;
	readonly now: () => number;
	readonly open: (id: string) => unknown;
	readonly run: (id: string, action: VideoAction) => unknown;
	readonly title: string;
}

/** Lists the scenes of a storyboard with buttons; choosing one opens it. The list is updated. */
export function showScenes(dependencies: ScenePickDependencies): void {
	const pick = vscode.window.createQuickPick<JobItem>();
	const draw = (): void => {
		const active = pick.activeItems[0]?.id;
		pick.items = dependencies.jobs().map(job => jobItem(job, dependencies.now()));
		const kept = pick.items.filter(item => active !== undefined && item.id === active);
		// Otherwise the first row stays active, so Enter opens it.
		if (kept.length > 0) {
			pick.activeItems = kept;
		}
	};
	pick.title = dependencies.title;
	pick.placeholder = l10n.t("Choose a video to open");
	pick.matchOnDescription = true;
	pick.matchOnDetail = true;
	draw();
	const subscription = dependencies.onDidChange(draw);
	pick.onDidTriggerItemButton(({ item, button }) => {
		if (isActionButton(button)) {
			dependencies.run(item.id, button.action);
		}
	});
	pick.onDidAccept(() => {
		const item = pick.selectedItems[0];
		if (!item) {
			return;
		}
		pick.hide();
		dependencies.open(item.id);
	});
	pick.onDidHide(() => {
		subscription.dispose();
		pick.dispose();
	});
	pick.show();
}

function jobItem(job: VideoJobView, now: number): JobItem {
	const elapsed = job.isUnfinished ? ` ${formatElapsed(now - job.startedAt)}` : "";
	return {
		id: job.id,
		label: `$(${toneIcons[job.tone]}) ${numbered(job, job.shortTitle).replaceAll("$(", "$ (")}`,
		description: `${job.label}${elapsed}`,
		detail: fullMessage(job),
		buttons: buttonActions
			.filter(action => job.actions.includes(action))
			.map(action => ({
				action,
				iconPath: new vscode.ThemeIcon(videoActionIcons[action]),
				tooltip: videoActionName(action),
			})),
	};
}

function isActionButton(button: vscode.QuickInputButton): button is ActionButton {
	return "action" in button;
}

/** The actions on a clip and its request by what they are for. Those for a job's state come before them. */
const actionGroups: readonly (readonly VideoAction[])[] = [
	["saveAs", "exportAs", "copyGif", "copyPicture", "copyMarkdown"],
	["insertImage", "insertLink", "insertTag"],
	["openExternally", "reveal", "openSource"],
	["generateAgain", "generateWithChanges"],
	["copyPrompt", "copyDetails"],
];

interface ActionItem extends vscode.QuickPickItem {
	readonly action?: VideoAction;
}

/** Shows a job's actions to choose from, in groups, without those that are `shown` as buttons. Resolves to undefined if the user cancels. */
export async function chooseVideoAction(
	job: VideoJobView,
	shown: readonly VideoAction[] = [],
): Promise<VideoAction | undefined> {
	const offered = job.actions.filter(action => !shown.includes(action));
	const grouped = new Set(actionGroups.flat());
	const groups = [
		offered.filter(action => !grouped.has(action)),
		...actionGroups.map(group => group.filter(action => offered.includes(action))),
	].filter(group => group.length > 0);
	const items = groups.flatMap((group, index): ActionItem[] => [
		...(index === 0 ? [] : [{ label: "", kind: vscode.QuickPickItemKind.Separator }]),
		...group.map(action => ({
			action,
			label: `$(${videoActionIcons[action]}) ${videoActionName(action)}`,
		})),
	]);
	const picked = await vscode.window.showQuickPick(items, {
		title: job.shortTitle,
		placeHolder: fullMessage(job) || l10n.t("Choose what to do"),
	});
	return picked?.action;
}

/** Asks for a filter: by state, or by words in the prompt. Resolves to undefined if the user cancels. */
export async function chooseVideoFilter(
	jobs: readonly VideoJobView[],
): Promise<VideoFilter | undefined> {
	const kinds: readonly (readonly [string, VideoFilter["tone"]])[] = [
		[l10n.t("All videos"), undefined],
		...(["working", "ready", "attention", "failed", "stopped"] as const).map(
			tone => [toneName(tone), tone] as const,
		),
	];
	const offers = kinds.map(([label, tone]) => ({
		label,
		description: String(jobs.filter(job => tone === undefined || job.tone === tone).length),
		filter: { tone, text: "" },
	}));
	const pick = vscode.window.createQuickPick<(typeof offers)[number] & vscode.QuickPickItem>();
	pick.title = l10n.t("Filter Videos");
	pick.placeholder = l10n.t("Choose a video, or type to filter");
	pick.items = offers;
	const typedFilter = (): VideoFilter => ({ tone: undefined, text: pick.value.trim() });
	pick.onDidChangeValue(() => {
		const filter = typedFilter();
		const { text } = filter;
		const count = jobs.filter(job => matchesFilter(job, filter)).length;
		const typed = { label: l10n.t("Prompts with “{0}”", text), description: String(count), filter };
		pick.items = text === "" ? offers : [{ ...typed, alwaysShow: true }, ...offers];
	});
	// The item for typed text may not exist yet at a quick Enter.
	return await untilChosen(pick, chosen => chosen?.filter ?? typedFilter());
}
