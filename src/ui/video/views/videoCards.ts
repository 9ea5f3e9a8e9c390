import { Disposable } from "../../../common/disposable.ts";
import { Emitter, type Event } from "../../../common/emitter.ts";
import { maxCardClipBytes, type VideoCard, type VideoAction } from "../../../shared/video.ts";
import { videoActionName } from "../../../shared/videoActionNames.ts";
import type { JobOrigin } from "../../../video/job/videoJob.ts";
import { type VideoJobView, fullMessage } from "./videoJobView.ts";

/** Source of the cards: the jobs in words, and a picture of some clips. */
export interface VideoCardSource {
	/** Every job, the newest first. */
	readonly all: readonly VideoJobView[];
	view(id: string): VideoJobView | undefined;
	/** A picture of a job's clip as a `data:` address, once it has been read. */
	picture(id: string): string | undefined;
	/** Fires with a job's id when it came, changed or went. */
	readonly onDidChange: Event<string>;
}

/** A card that came, changed or, without `card`, went. */
export interface VideoCardChange {
	readonly place: JobOrigin;
	readonly jobId: string;
	readonly card: VideoCard | undefined;
}

/** The most actions on a card itself; «More Actions…» has all of them. */
const maxButtons = 2;

/** Actions a card offers first for a finished clip; «Open» is on every card. */
const clipButtons: readonly VideoAction[] = ["insertImage", "copyGif"];

/**
 * The videos that belong to questions of chats, whatever began them: any job with a `chat` has a card. They come from the
 * jobs' records alone, so they are there again after a reload, and a job that is gone has none.
 */
export class VideoCards extends Disposable {
	private source: VideoCardSource | undefined;
	private readonly shown = new Map<string, JobOrigin>();
	private readonly changed = this.register(new Emitter<VideoCardChange>());
	readonly onDidChange: Event<VideoCardChange> = this.changed.event;

	/** Shows these jobs from now on. Until then no chat has a card, so that opening one waits for no record. */
	follow(source: VideoCardSource): void {
		this.source = source;
		this.register(source.onDidChange(id => this.update(id)));
		source.all.forEach(({ id }) => this.update(id));
	}

	/** The cards of a chat, in the order their videos were started. */
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

/** A job as its card shows it. */
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
