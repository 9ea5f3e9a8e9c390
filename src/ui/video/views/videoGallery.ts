import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { locale } from "../../../shared/locale.ts";
import { Disposable } from "../../../common/disposable.ts";
import { formatSize } from "../../base/amounts.ts";
import { matchesFilter, type VideoFilter } from "./videoFilter.ts";
import { rowDescription, type VideoJobView, fullMessage, numbered } from "./videoJobView.ts";
import { promptTitle } from "../request/videoPrompt.ts";

/** Longest title of a row, in characters, so that the job's state shows beside it in a narrow side bar. */
const maxRowCharacters = 32;

/** The most characters of a prompt in a row's tooltip. */
const maxTooltipCharacters = 300;

/** Width of the picture in a row's tooltip, in CSS pixels. A row itself is too small for one: there the icon says more. */
const pictureWidth = 240;

/** A row of the Videos view. Only the gallery makes them, so a command can tell its own rows from what others hand it. */
export class VideoRow {
	readonly id: string;

	constructor(id: string) {
		this.id = id;
	}
}

/** Source of the rows. */
export interface GallerySource {
	/** Every job, the newest first, storyboards in place of their scenes. */
	readonly jobs: () => readonly VideoJobView[];
	readonly job: (id: string) => VideoJobView | undefined;
	/** The scenes of a storyboard, in their order. */
	readonly scenes: (id: string) => readonly VideoJobView[];
	/** File of a small picture of a job's clip, when there is one. */
	readonly pictureFile: (id: string) => string | undefined;
	/** Milliseconds since 1970. */
	readonly now: () => number;
}

const icons = {
	working: new vscode.ThemeIcon("loading~spin"),
	ready: new vscode.ThemeIcon("play-circle", new vscode.ThemeColor("testing.iconPassed")),
	attention: new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground")),
	failed: new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground")),
	stopped: new vscode.ThemeIcon("circle-slash"),
} as const;

/** The Videos view: every job, the newest first, with its state. A change draws the one row again, not the list. */
export class VideoGallery extends Disposable implements vscode.TreeDataProvider<VideoRow> {
	private readonly source: GallerySource;
	private readonly rows = new Map<string, VideoRow>();
	private readonly changed = this.register(new vscode.EventEmitter<VideoRow | undefined>());
	private current: VideoFilter = { tone: undefined, text: "" };
	readonly onDidChangeTreeData = this.changed.event;

	constructor(source: GallerySource) {
		super();
		this.source = source;
	}

	get filter(): VideoFilter {
		return this.current;
	}

	setFilter(filter: VideoFilter): void {
		this.current = filter;
		this.changed.fire(undefined);
	}

	/** Draws a job's row again, or the list when the job has none yet or no longer belongs to it. */
	update(id: string): void {
		const row = this.rows.get(id);
		const job = this.source.job(id);
		if (job?.scene) {
			// A scene that has no row yet comes with its storyboard's.
			this.changed.fire(row ?? this.rows.get(job.scene.storyboard));
			return;
		}
		const isListed = job !== undefined && matchesFilter(job, this.current);
		this.changed.fire(row && isListed ? row : undefined);
	}

	getChildren(row?: VideoRow): VideoRow[] {
		const jobs = row
			? this.source.scenes(row.id)
			: this.source.jobs().filter(job => matchesFilter(job, this.current));
		const rows = jobs.map(({ id }) => this.rows.get(id) ?? new VideoRow(id));
		if (!row) {
			// The rows of scenes are asked for again where a storyboard is open.
			this.rows.clear();
		}
		rows.forEach(entry => this.rows.set(entry.id, entry));
		return rows;
	}

	getTreeItem(row: VideoRow): vscode.TreeItem {
		const job = this.source.job(row.id);
		const item = new vscode.TreeItem(
			// A row that is too narrow ends with an ellipsis of the editor's own.
			job
				? numbered(job, promptTitle(job.shortTitle, maxRowCharacters).replace(/…$/, ""))
				: l10n.t("Deleted video"),
			job?.kind === "storyboard"
				? vscode.TreeItemCollapsibleState.Collapsed
				: vscode.TreeItemCollapsibleState.None,
		);
		item.id = row.id;
		if (!job) {
			return item;
		}
		item.description = rowDescription(job, this.source.now());
		item.iconPath = icons[job.tone];
		// A scene goes with its storyboard.
		const isDeletable = !job.isUnfinished && !job.scene;
		item.contextValue = [...job.actions, ...(isDeletable ? ["delete"] : [])].join(" ");
		item.tooltip = tooltipOf(job, this.source.pictureFile(job.id));
		item.accessibilityInformation = { label: `${job.title}, ${job.label}, ${dateOf(job)}` };
		item.command = {
			command: "cutaway.videos.open",
			title: l10n.t("Open Video"),
			arguments: [row],
		};
		return item;
	}
}

function dateOf({ createdAt }: VideoJobView): string {
	return new Date(createdAt).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
}

/** Everything about a job, below a picture of its clip when there is one; a prompt is never read as Markdown. */
function tooltipOf(job: VideoJobView, picture: string | undefined): vscode.MarkdownString {
	const facts = [...job.parameters, job.service, ...(job.clip ? [formatSize(job.clip.size)] : [])];
	const text = new vscode.MarkdownString();
	if (picture !== undefined) {
		text.appendMarkdown(`![](${vscode.Uri.file(picture).toString()}|width=${pictureWidth})\n\n`);
	}
	for (const part of [
		promptTitle(job.prompt, maxTooltipCharacters),
		job.label,
		fullMessage(job),
		facts.join(" · "),
	]) {
		if (part !== "") {
			text.appendText(part).appendMarkdown("\n\n");
		}
	}
	return text;
}
