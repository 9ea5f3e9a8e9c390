import * as l10n from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import {
	type GalleryPushes,
	type GalleryRequests,
	type GalleryState,
	type GalleryVideo,
} from "../../src/shared/gallery.ts";
import { type Host, HostCallError } from "../shared/host.ts";
import { icon, iconButton } from "../shared/icon.ts";
import { maxPictureCharacters } from "../../src/shared/videoCard.ts";
import { takePicture } from "../shared/clipPicture.ts";

const toneIcons = {
	working: "loading codicon-modifier-spin",
	ready: "play-circle",
	attention: "warning",
	failed: "error",
	stopped: "circle-slash",
} as const;

/**
 * The Videos view: a tile with a thumbnail for each video. Only one tile is in the tab order. Arrow keys, Home and End move the focus, Enter opens a
 * video, Delete deletes it.
 */
export class Gallery {
	private readonly root: HTMLElement;
	private readonly host: Host<GalleryRequests, GalleryPushes>;
	private readonly pictures: PictureTaker;
	private state: GalleryState | undefined;
	private failure = "";
	/** Job id of the tile in the tab order. */
	private current = "";

	constructor(root: HTMLElement, host: Host<GalleryRequests, GalleryPushes>) {
		this.root = root;
		this.host = host;
		this.pictures = new PictureTaker((jobId, address) => {
			// A missing thumbnail is harmless, and the host logs the error.
			host.call("keepPicture", { jobId, address }).catch(() => undefined);
		});
		host.on("state", state => this.show(state));
		// Focusing the view focuses only the document, but the keys need a focused tile.
		window.addEventListener("focus", () => {
			if (document.activeElement === document.body) {
				const first = this.tile(this.current) ?? root.querySelector<HTMLElement>(".button");
				first?.focus({ preventScroll: true });
			}
		});
	}

	/** Requests the state from the host. */
	load(): void {
		this.ask(async () => this.show(await this.host.call("ready", {})));
	}

	private show(state: GalleryState): void {
		const before = this.state?.videos.findIndex(({ jobId }) => jobId === this.current) ?? -1;
		const isAtTile = (): boolean => Boolean(document.activeElement?.closest(".tile"));
		const hadFocus = isAtTile();
		this.state = state;
		if (!state.videos.some(({ jobId }) => jobId === this.current)) {
			this.current = (state.videos[Math.max(0, before)] ?? state.videos.at(-1))?.jobId ?? "";
		}
		this.draw();
		if (hadFocus && !isAtTile()) {
			this.tile(this.current)?.focus();
		}
		this.pictures.setWanted(state.videos);
	}

	private draw(): void {
		const { state, failure } = this;
		render(
			html`<main class="gallery">
				<h1 class="screen-reader-only">${l10n.t("Videos")}</h1>
				${failure === "" ? nothing : html`<p class="failure" role="alert">${failure}</p>`}
				${state ? this.content(state) : nothing}
			</main>`,
			this.root,
		);
	}

	private content({ videos, filter }: GalleryState): TemplateResult {
		const heading =
			filter === null
				? nothing
				: html`<p class="filter">
						<span>${filter}</span>
						<button
							type="button"
							class="link"
							@click=${() => this.ask(() => this.host.call("showAll", {}))}
						>
							${l10n.t("Show All")}
						</button>
					</p>`;
		if (videos.length === 0 && filter === null) {
			return this.welcome();
		}
		return html`${heading}
			<ul
				class="tiles"
				aria-label=${l10n.t("Videos")}
				@keydown=${(event: KeyboardEvent) => this.press(event)}
			>
				${repeat(
					videos,
					({ jobId }) => jobId,
					video => this.tileOf(video),
				)}
			</ul>`;
	}

	private welcome(): TemplateResult {
		const generate = (from: "selection" | "words") => () =>
			this.ask(() => this.host.call("generate", { from }));
		return html`<div class="welcome">
			<p>
				${l10n.t(
					"No videos yet. Select text in an editor and turn it into a short clip; you keep working while it is made.",
				)}
			</p>
			<button type="button" class="button primary" @click=${generate("selection")}>
				${l10n.t("Make Clip from Selection")}
			</button>
			<button type="button" class="button" @click=${generate("words")}>
				${l10n.t("Make Clip…")}
			</button>
		</div>`;
	}

	private tileOf(video: GalleryVideo): TemplateResult {
		const { jobId, name, tone, length, date, picture } = video;
		const isCurrent = jobId === this.current;
		const isReady = tone === "ready";
		return html`<li class="tile" data-tone=${tone}>
			<button
				type="button"
				class="open"
				data-job=${jobId}
				tabindex=${isCurrent ? 0 : -1}
				title=${video.tooltip}
				@focus=${() => this.setCurrent(jobId)}
				@click=${() => this.ask(() => this.host.call("open", { jobId }))}
				@contextmenu=${(event: Event) => {
					event.preventDefault();
					this.ask(() => this.host.call("choose", { jobId }));
				}}
			>
				<span class="picture">
					${
						picture === null
							? icon(toneIcons[tone])
							: html`<img src=${picture} alt="" loading="lazy" decoding="async" />`
					}
				</span>
				<span class="name">${name}</span>
				<span class="facts"
					><span
						>${isReady || picture === null ? nothing : icon(toneIcons[tone])} ${video.state}</span
					><span>${date}</span></span
				>
				${length === null ? nothing : html`<span class="length">${length}</span>`}
			</button>
			<span class="tile-actions">
				${
					video.hasScenes
						? this.action("list-tree", l10n.t("Show Scenes…"), video, "showScenes")
						: nothing
				}
				${this.action("ellipsis", l10n.t("More actions"), video, "choose")}
				${video.isDeletable ? this.action("trash", l10n.t("Delete Video"), video, "remove") : nothing}
			</span>
		</li>`;
	}

	private action(
		name: string,
		label: string,
		{ jobId }: GalleryVideo,
		method: "showScenes" | "choose" | "remove",
	): TemplateResult {
		return iconButton(name, label, () => this.ask(() => this.host.call(method, { jobId })));
	}

	private press(event: KeyboardEvent): void {
		const { videos = [] } = this.state ?? {};
		const index = videos.findIndex(({ jobId }) => jobId === this.current);
		const video = videos[index];
		if (!video || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
			return;
		}
		if (event.key === "Delete" && video.isDeletable) {
			event.preventDefault();
			this.ask(() => this.host.call("remove", { jobId: video.jobId }));
			return;
		}
		const next = {
			ArrowLeft: index - 1,
			ArrowRight: index + 1,
			ArrowUp: index - this.columns(),
			ArrowDown: index + this.columns(),
			Home: 0,
			End: videos.length - 1,
		}[event.key];
		const target = next === undefined ? undefined : videos[next];
		if (next !== undefined) {
			event.preventDefault();
		}
		if (target) {
			this.tile(target.jobId)?.focus();
		}
	}

	/** Returns the number of tiles per row. */
	private columns(): number {
		const tiles = this.root.querySelector(".tiles");
		return tiles ? getComputedStyle(tiles).gridTemplateColumns.split(" ").length : 1;
	}

	private tile(jobId: string): HTMLElement | null {
		return this.root.querySelector(`.open[data-job="${CSS.escape(jobId)}"]`);
	}

	private setCurrent(jobId: string): void {
		if (jobId !== this.current) {
			this.current = jobId;
			this.draw();
		}
	}

	private ask(call: () => Promise<unknown>): void {
		this.failure = "";
		call()
			.catch((error: unknown) => {
				this.failure =
					error instanceof HostCallError ? error.message : l10n.t("The action failed.");
			})
			.finally(() => this.draw());
	}
}

/** How long a clip may take to show a frame, in milliseconds. */
const patienceMs = 10_000;

/** Creates missing thumbnails of clips, one by one and once each, in an element that is never shown. */
class PictureTaker {
	private readonly onPicture: (jobId: string, address: string) => void;
	private readonly waiting = new Map<string, string>();
	private readonly tried = new Set<string>();
	private isBusy = false;

	constructor(onPicture: (jobId: string, address: string) => void) {
		this.onPicture = onPicture;
		// A page that is hidden is given no frames.
		document.addEventListener("visibilitychange", () => void this.work());
	}

	/** Sets the videos without a thumbnail, in order. */
	setWanted(videos: readonly GalleryVideo[]): void {
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
			} else if (document.hidden) {
				this.tried.delete(next[0]);
				this.waiting.set(...next);
			}
		}
		this.isBusy = false;
	}

	private take(): readonly [jobId: string, clip: string] | undefined {
		const [next] = document.hidden ? [] : this.waiting;
		if (next) {
			this.waiting.delete(next[0]);
			this.tried.add(next[0]);
		}
		return next;
	}
}

/**
 * Creates a thumbnail of a clip's first frame, which clips of the local renderer show whole. Resolves to undefined if no frame is shown in time; the
 * tile then keeps its icon.
 */
async function pictureOf(url: string): Promise<string | undefined> {
	const video = document.createElement("video");
	video.muted = true;
	video.preload = "auto";
	const over = new AbortController();
	const timer = window.setTimeout(() => over.abort(), patienceMs);
	video.addEventListener("error", () => over.abort(), { once: true });
	const loaded = new Promise(resolve => {
		// An event such as “loadeddata” can come before there is a frame to draw.
		video.requestVideoFrameCallback(resolve);
		over.signal.addEventListener("abort", resolve, { once: true });
	});
	video.src = url;
	await loaded;
	const picture = over.signal.aborted ? undefined : takePicture(video);
	window.clearTimeout(timer);
	over.abort();
	video.removeAttribute("src");
	video.load();
	return picture;
}
