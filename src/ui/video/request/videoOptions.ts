import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { Settings } from "../../base/settings.ts";
import { motionName, motionWords } from "./videoOptionNames.ts";
import { promptTitle } from "./videoPrompt.ts";

/** Choices about a video before it is sent. Interface §4.1, §4.2. */
export interface VideoOptions {
	/** Seconds, 1 to 4. */
	readonly duration: number;
	/** 1 to 5. */
	readonly motionStrength: number;
}

/** A line of the step: either sends, or sets one option and stays. */
interface OptionItem extends vscode.QuickPickItem {
	readonly change?: Partial<VideoOptions>;
}

const durations = [1, 2, 3, 4] as const;

/**
 * The one step before a video is sent: Enter accepts what was chosen last time, the lines below change it. What is accepted
 * is remembered in the settings. Undefined when the user leaves.
 */
export async function chooseVideoOptions(
	settings: Pick<Settings, "get" | "set">,
	step: { readonly title: string; readonly prompt: string; readonly start?: VideoOptions },
): Promise<VideoOptions | undefined> {
	const remembered = {
		duration: settings.get("video.duration"),
		motionStrength: settings.get("video.motionStrength"),
	};
	const chosen = await pickOptions(step.title, step.prompt, step.start ?? remembered);
	if (chosen && chosen.duration !== remembered.duration) {
		await settings.set("video.duration", chosen.duration);
	}
	if (chosen && chosen.motionStrength !== remembered.motionStrength) {
		await settings.set("video.motionStrength", chosen.motionStrength);
	}
	return chosen;
}

function pickOptions(
	title: string,
	prompt: string,
	start: VideoOptions,
): Promise<VideoOptions | undefined> {
	const pick = vscode.window.createQuickPick<OptionItem>();
	let options = start;
	const draw = (): void => {
		const items = itemsFor(options, prompt);
		pick.items = items;
		pick.activeItems = items.slice(0, 1);
	};
	pick.title = title;
	pick.placeholder = l10n.t("Enter generates the video; choose a line below to change it first");
	pick.ignoreFocusOut = true;
	draw();
	return new Promise(resolve => {
		pick.onDidAccept(() => {
			const change = pick.selectedItems[0]?.change;
			if (change) {
				options = { ...options, ...change };
				pick.value = "";
				draw();
				return;
			}
			resolve(options);
			pick.dispose();
		});
		pick.onDidHide(() => {
			resolve(undefined);
			pick.dispose();
		});
		pick.show();
	});
}

function secondsName(seconds: number): string {
	return seconds === 1 ? l10n.t("1 second") : l10n.t("{0} seconds", seconds);
}

function itemsFor(options: VideoOptions, prompt: string): OptionItem[] {
	const mark = (isChosen: boolean): string => (isChosen ? "$(check)" : "$(blank)");
	return [
		{
			label: `$(play) ${l10n.t("Generate")}`,
			description: l10n.t(
				"{0} s, motion {1} of {2}",
				options.duration,
				options.motionStrength,
				motionWords().length,
			),
			detail: promptTitle(prompt, 100),
			alwaysShow: true,
		},
		{ label: l10n.t("Duration"), kind: vscode.QuickPickItemKind.Separator },
		...durations.map(duration => ({
			label: `${mark(duration === options.duration)} ${secondsName(duration)}`,
			change: { duration },
		})),
		{ label: l10n.t("Motion"), kind: vscode.QuickPickItemKind.Separator },
		...motionWords().map((name, index) => ({
			label: `${mark(index + 1 === options.motionStrength)} ${name}`,
			description: motionName(index + 1),
			change: { motionStrength: index + 1 },
		})),
	];
}
