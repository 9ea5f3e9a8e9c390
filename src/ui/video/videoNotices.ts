import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, delay } from "../../common/async.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";

/** How long a window without the focus lets the others go first, in milliseconds. */
const politeMs = 1500;

/** An ending's name, which is a file's name too: a job settles once per submission and period of watching. */
export function endingOf(job: {
	readonly id: string;
	readonly submissions: number;
	readonly watch: { readonly round: number };
	readonly state: { readonly name: string };
}): string {
	return `${job.id}.${job.submissions}.${job.watch.round}.${job.state.name}`;
}

/**
 * Chooses the place that tells of an ending: the preview or the card where one is in sight; else, of a clip in the window in
 * front, its preview, which opens, or the status bar while others are made; else a notification. What the user did needs no
 * telling, and a window in sight behind another one leaves it to that one.
 */
export function tellerOf(place: {
	readonly isOwnDoing: boolean;
	/** A clip is there. */
	readonly isReady: boolean;
	/** Others are still made. */
	readonly hasOthers: boolean;
	readonly isFocused: boolean;
	readonly isPreviewInSight: boolean;
	readonly isCardInSight: boolean;
}): {
	readonly teller: "preview" | "card" | "opening" | "statusBar" | "notification" | "nobody";
	readonly isSeen: boolean;
} {
	const { isOwnDoing, isReady, hasOthers, isFocused, isPreviewInSight, isCardInSight } = place;
	if (isOwnDoing) {
		return { teller: "nobody", isSeen: true };
	}
	if (!isPreviewInSight && !isCardInSight) {
		const teller = !isReady || !isFocused ? "notification" : hasOthers ? "statusBar" : "opening";
		return { teller, isSeen: false };
	}
	const inSight = isPreviewInSight ? "preview" : "card";
	return isFocused ? { teller: inSight, isSeen: true } : { teller: "nobody", isSeen: false };
}

/** Dependencies of the claims. */
export interface NoticeClaimsDependencies {
	/** Folder that all windows share; made when needed. Absolute path. */
	readonly folder: string;
	readonly isFocused: () => boolean;
	readonly clock: Clock;
	readonly log: Log;
}

/** Sees to it that an ending is told once, however many windows see it (fault J20): by files that only one process can make. */
export class NoticeClaims {
	private readonly dependencies: NoticeClaimsDependencies;

	constructor(dependencies: NoticeClaimsDependencies) {
		this.dependencies = dependencies;
	}

	/** True for the one caller, in whatever window, that is to tell; false when it was told already. */
	async claim(ending: string): Promise<boolean> {
		const { folder, isFocused, clock, log } = this.dependencies;
		if (!isFocused()) {
			await delay(politeMs, undefined, clock);
		}
		try {
			await mkdir(folder, { recursive: true });
			await (await open(join(folder, ending), "wx")).close();
			return true;
		} catch (error) {
			if (isExisting(error)) {
				return false;
			}
			// Better told twice than never.
			log.warn("A notice could not be claimed", { error: toError(error).message });
			return true;
		}
	}

	/** Forgets the endings of jobs that are not among these. */
	async tidy(jobIds: ReadonlySet<string>): Promise<void> {
		const { folder } = this.dependencies;
		const names = await readdir(folder).catch(() => []);
		const stale = names.filter(name => !jobIds.has(name.split(".")[0] ?? ""));
		await Promise.all(stale.map(name => rm(join(folder, name), { force: true })));
	}
}

function isExisting(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "EEXIST";
}
