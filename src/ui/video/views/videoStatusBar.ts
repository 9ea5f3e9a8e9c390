import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type Clock, every } from "../../../common/async.ts";
import { Disposable, type IDisposable } from "../../../common/disposable.ts";
import { type StatusBarJob, statusBarPicture } from "./videoStatusBarPicture.ts";

/** How often the elapsed time is updated, in milliseconds. */
const tickMs = 1000;

const backgrounds = {
	plain: undefined,
	warning: new vscode.ThemeColor("statusBarItem.warningBackground"),
	error: new vscode.ThemeColor("statusBarItem.errorBackground"),
} as const;

export interface StatusBarSource {
	/** All jobs, newest first. */
	readonly jobs: () => readonly StatusBarJob[];
	readonly unseen: () => ReadonlySet<string>;
}

/** The videos' status bar item, hidden if nothing is unfinished or unseen. A click plays the single ready video, or shows all. */
export class VideoStatusBar extends Disposable {
	private readonly source: StatusBarSource;
	private readonly clock: Clock;
	private readonly item = this.register(
		vscode.window.createStatusBarItem("cutaway.videos", vscode.StatusBarAlignment.Left, 10),
	);
	private ticking: IDisposable | undefined;

	constructor(source: StatusBarSource, clock: Clock) {
		super();
		this.source = source;
		this.clock = clock;
		this.item.name = l10n.t("Cutaway Videos");
		this.update();
	}

	/** Updates the item. Call it after a job or the seen state changed. */
	update(): void {
		if (this.isDisposed) {
			return;
		}
		const jobs = this.source.jobs();
		const picture = statusBarPicture(jobs, this.source.unseen(), this.clock.now());
		this.tick(jobs.some(job => job.isUnfinished));
		if (!picture) {
			this.item.hide();
			return;
		}
		this.item.command = {
			command: "cutaway.showVideos",
			title: l10n.t("Show Videos"),
			arguments: picture.plays === undefined ? [] : [picture.plays],
		};
		this.item.text = picture.text;
		this.item.tooltip = picture.tooltip;
		this.item.accessibilityInformation = { label: picture.spoken, role: "button" };
		this.item.backgroundColor = backgrounds[picture.color];
		this.item.show();
	}

	override dispose(): void {
		this.tick(false);
		super.dispose();
	}

	/** Updates the time only while a job is in progress. */
	private tick(isNeeded: boolean): void {
		if (isNeeded) {
			this.ticking ??= every(tickMs, () => this.update(), this.clock);
		} else {
			this.ticking?.dispose();
			this.ticking = undefined;
		}
	}
}
