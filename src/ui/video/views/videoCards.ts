import { Disposable, Emitter, type Event } from "../../../common/disposable.ts";
import {
	maxCardClipBytes,
	type VideoCard,
	type VideoAction,
	videoActionName,
} from "../../../shared/videoCard.ts";
import type { JobOrigin } from "../../../video/job/videoJob.ts";
import { type VideoJobView, fullMessage } from "./videoJobView.ts";

/** Source of the cards: the jobs and thumbnails of clips. */
export interface VideoCardSource {
	/** All jobs, newest first. */
	readonly all: readonly VideoJobView[];
	view(id: string): VideoJobView | undefined;
	/** Returns a thumbnail of a job's clip as a `data:` URL, if it has been read. */
	picture(id: string): string | undefined;
	/** Fires with a job's id when it was added, changed or removed. */
	readonly onDidChange: Event<string>;
}

/** A card that was added or changed, or removed if `card` is undefined. */
export interface VideoCardChange {
	readonly place: JobOrigin;
	readonly jobId: string;
	readonly card: VideoCard | undefined;
}

/** The most actions on a card itself; “More Actions…” shows all. */
const maxButtons = 2;

/** Actions shown first for a finished clip. “Open” is on every card. */
const clipButtons: readonly VideoAction[] = ["insertImage", "copyGif"];

/**
 * The videos that belong to questions of chats: every job with a `chat` has a card. Cards are created from the jobs' records only, so they exist
 * again after a reload, but not for deleted jobs.
 */
export class VideoCards extends Disposable {
	private source: VideoCardSource | undefined;
	private readonly shown = new Map<string, JobOrigin>();
	private readonly changed = this.register(new Emitter<VideoCardChange>());
	readonly onDidChange: Event<VideoCardChange> = this.changed.event;

	/** Shows these jobs. Before that no chat has cards, so opening a chat doesn't wait for records. */
	follow(source: VideoCardSource): void {
		this.source = source;
		this.register(source.onDidChange(id => this.update(id)));
		source.all.forEach(({ id }) => this.update(id));
	}

	/** Returns the cards of a chat, in the order their videos were started. */
	of(chatId: string): VideoCard[] {
		const jobs = this.source?.all.filter(({ chat }) => chat?.chatId === chatId) ?? [];
		return jobs.reverse().flatMap(job => this.card(job) ?? []);
	}

	private update(id: string): void {
		const job = this.source?.view(id);
		const place = job?.chat ?? this.shown.get(id);
		if (!place) {
			return;
		}
		if (job) {
			this.shown.set(id, place);
		} else {
			this.shown.delete(id);
		}
		this.changed.fire({ place, jobId: id, card: job && this.card(job) });
	}

	private card(job: VideoJobView): VideoCard | undefined {
		return job.chat && videoCard(job, job.chat.turnId, this.source?.picture(job.id));
	}
}

export function videoCard(
	job: VideoJobView,
	turnId: string,
	picture: string | undefined,
): VideoCard {
	const { id, title, tone, label, startedAt, isUnfinished } = job;
	const own = job.clip ? clipButtons : job.stateActions;
	return {
		jobId: id,
		turnId,
		title,
		tone,
		label,
		sentence: fullMessage(job),
		startedAt,
		isUnfinished,
		actions: own
			.filter(action => job.actions.includes(action))
			.slice(0, maxButtons)
			.map(action => ({ action, label: videoActionName(action) })),
		hasClip: job.clip !== undefined && job.clip.size <= maxCardClipBytes,
		picture: picture ?? null,
	};
}
