import type { GalleryVideo } from "../../src/shared/gallery.ts";
import { maxPictureCharacters } from "../../src/shared/videoCard.ts";
import { restsFrom, takePicture } from "../shared/clipPicture.ts";

/** How long a clip may take to show a frame, in milliseconds. */
const patienceMs = 10_000;

/** Creates missing thumbnails of clips, one by one and once each, in an element that is never shown. */
export class PictureTaker {
	private readonly onPicture: (jobId: string, address: string) => void;
	private readonly waiting = new Map<string, string>();
	private readonly tried = new Set<string>();
	private isBusy = false;

	constructor(onPicture: (jobId: string, address: string) => void) {
		this.onPicture = onPicture;
	}

	/** Sets the videos without a thumbnail, in order. */
	want(videos: readonly GalleryVideo[]): void {
		this.waiting.clear();
		for (const { jobId, clip } of videos) {
			if (clip !== null && !this.tried.has(jobId)) {
				this.waiting.set(jobId, clip);
			}
		}
		void this.work();
	}

	private async work(): Promise<void> {
		if (this.isBusy) {
			return;
		}
		this.isBusy = true;
		for (let next = this.take(); next; next = this.take()) {
			const address = await pictureOf(next[1]);
			if (address !== undefined && address.length <= maxPictureCharacters) {
				this.onPicture(next[0], address);
			}
		}
		this.isBusy = false;
	}

	private take(): readonly [jobId: string, clip: string] | undefined {
		const [next] = this.waiting;
		if (next) {
			this.waiting.delete(next[0]);
			this.tried.add(next[0]);
		}
		return next;
	}
}

/** Creates a thumbnail of a clip at its end. Resolves to undefined if no frame is shown in time; the tile then keeps its icon. */
async function pictureOf(url: string): Promise<string | undefined> {
	const video = document.createElement("video");
	video.muted = true;
	video.preload = "auto";
	const over = new AbortController();
	const timer = window.setTimeout(() => over.abort(), patienceMs);
	video.addEventListener("error", () => over.abort(), { once: true });
	const until = (name: string): Promise<unknown> =>
		new Promise(resolve => {
			video.addEventListener(name, resolve, { once: true });
			over.signal.addEventListener("abort", resolve, { once: true });
		});
	const loaded = until("loadeddata");
	video.src = url;
	await loaded;
	if (!over.signal.aborted && Number.isFinite(video.duration)) {
		const sought = until("seeked");
		video.currentTime = video.duration * restsFrom;
		await sought;
	}
	const picture = over.signal.aborted ? undefined : takePicture(video);
	window.clearTimeout(timer);
	over.abort();
	video.removeAttribute("src");
	video.load();
	return picture;
}
