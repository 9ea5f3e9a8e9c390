import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { formatElapsed } from "../../../src/shared/locale.ts";
import type { VideoCard } from "../../../src/shared/videoCard.ts";
import type { ChatActions } from "../base/actions.ts";
import { icon, iconButton } from "../../shared/icon.ts";

const toneIcons = {
	working: "loading codicon-modifier-spin",
	ready: "device-camera-video",
	attention: "warning",
	failed: "error",
	stopped: "circle-slash",
} as const;

export function renderVideoCards(
	videos: readonly VideoCard[],
	actions: ChatActions,
): TemplateResult | typeof nothing {
	return videos.length === 0
		? nothing
		: html`${repeat(
				videos,
				video => video.jobId,
				video => renderCard(video, actions),
			)}`;
}

function renderCard(video: VideoCard, actions: ChatActions): TemplateResult {
	const { jobId, title, tone, label, sentence, picture } = video;
	const open = (): void => actions.ask("openVideo", { jobId });
	return html`<div
		class=${`video-card video-${tone}`}
		role="group"
		data-job=${jobId}
		aria-label=${l10n.t("Video: {0}", title)}
	>
		${video.hasClip || picture !== null ? renderCover(video, open) : icon(toneIcons[tone])}
		<div>
			<p class="video-title" dir="auto" title=${title}>${title}</p>
			<p class="video-state">
				<span>${label}</span>${
					video.isUnfinished
						? html` <span class="video-elapsed" data-since=${video.startedAt}></span>`
						: nothing
				}
			</p>
			${sentence === "" ? nothing : html`<p class="video-sentence">${sentence}</p>`}
		</div>
		<div class="video-actions">
			${
				video.hasClip
					? nothing
					: html`<button type="button" class="button" @click=${open}>${l10n.t("Open")}</button>`
			}
			${video.actions.map(
				({ action, label: name }) =>
					html`<button
						type="button"
						class="button"
						@click=${() => actions.ask("runVideoAction", { jobId, action })}
					>
						${name}
					</button>`,
			)}
			${iconButton("ellipsis", l10n.t("More actions"), () => actions.ask("chooseVideoAction", { jobId }))}
		</div>
	</div>`;
}

/** Renders the thumbnail of a clip, or the clip itself, which plays without sound while it is hovered or focused. */
function renderCover(
	{ jobId, title, hasClip, picture }: VideoCard,
	open: () => void,
): TemplateResult {
	return html`<button
		type="button"
		class="video-cover"
		aria-label=${l10n.t("Open {0}", title)}
		@click=${open}
		@pointerenter=${startClip}
		@focus=${startClip}
		@pointerleave=${stopClip}
		@blur=${stopClip}
	>
		${
			hasClip
				? html`<video
						data-clip=${jobId}
						poster=${picture ?? nothing}
						muted
						loop
						playsinline
						tabindex="-1"
					></video>`
				: html`<img class="video-picture" src=${picture ?? ""} alt="" />`
		}
		${icon("play")}
	</button>`;
}

function clipIn({ currentTarget }: Event): HTMLVideoElement | null {
	return currentTarget instanceof Element ? currentTarget.querySelector("video") : null;
}

function startClip(event: Event): void {
	const clip = clipIn(event);
	if (clip && !window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
		clip.muted = true;
		// If the browser blocks playback, the thumbnail remains.
		clip.play().catch(() => undefined);
	}
}

/** Returns to the first frame, which shows its final state, unless it is still hovered or focused. */
function stopClip(event: Event): void {
	const clip = clipIn(event);
	const isStillOn = event.type === "blur" ? ":hover" : ":focus";
	if (clip && !clip.parentElement?.matches(isStillOn)) {
		clip.pause();
		clip.currentTime = 0;
	}
}

/** How often the elapsed time is updated, in milliseconds. */
const tickMs = 1000;

/** Observes the video cards in the page: reports which are visible, and updates the elapsed time of unfinished ones. */
export class VideoCardWatch {
	private readonly root: HTMLElement;
	private readonly inSight = new Set<Element>();
	private readonly observer: IntersectionObserver;
	private timer: number | undefined;
	private readonly load: (jobId: string) => Promise<string | null>;

	/**
	 * Observes the cards inside `root`. `onSight` is called with the videos whose cards are at least half visible. `load` returns a clip's bytes as
	 * base64, or null if it can't be played.
	 */
	constructor(
		root: HTMLElement,
		onSight: (jobIds: string[]) => void,
		load: (jobId: string) => Promise<string | null>,
	) {
		this.root = root;
		this.load = load;
		this.observer = new IntersectionObserver(
			entries => {
				for (const { target, isIntersecting } of entries) {
					if (isIntersecting) {
						this.inSight.add(target);
						void this.showClip(target.querySelector("video"));
					} else {
						this.inSight.delete(target);
					}
				}
				const cards = [...this.inSight].filter(card => card instanceof HTMLElement);
				onSight(cards.flatMap(({ dataset }) => dataset["job"] ?? []));
			},
			{ threshold: 0.5 },
		);
	}

	/** Call it after rendering cards. */
	rendered(): void {
		this.tick();
		this.root.querySelectorAll(".video-card").forEach(card => {
			this.observer.observe(card);
			if (this.inSight.has(card)) {
				void this.showClip(card.querySelector("video"));
			}
		});
	}

	/** Loads a card's clip when the card first becomes visible. */
	private async showClip(video: HTMLVideoElement | null): Promise<void> {
		const id = video?.dataset["clip"];
		if (!video || id === undefined || video.dataset["asked"] === id) {
			return;
		}
		video.dataset["asked"] = id;
		const base64 = await this.load(id);
		if (base64 !== null) {
			const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
			video.src = URL.createObjectURL(new Blob([bytes]));
		}
	}

	/** Updates the elapsed time of unfinished videos every second while one is shown. */
	private tick(): void {
		const shown = this.root.querySelectorAll<HTMLElement>(".video-elapsed");
		for (const element of shown) {
			element.textContent = formatElapsed(Date.now() - Number(element.dataset["since"]));
		}
		window.clearTimeout(this.timer);
		this.timer = shown.length > 0 ? window.setTimeout(() => this.tick(), tickMs) : undefined;
	}
}
