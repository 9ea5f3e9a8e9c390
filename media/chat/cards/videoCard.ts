import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { formatElapsed, type VideoCard } from "../../../src/shared/index.ts";
import type { ChatActions } from "../base/index.ts";
import { icon, iconButton } from "../../shared/icon.ts";

const toneIcons = {
	working: "loading codicon-modifier-spin",
	ready: "device-camera-video",
	attention: "warning",
	failed: "error",
	stopped: "circle-slash",
} as const;

/** The videos that belong to a question. */
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
		${
			picture === null
				? icon(toneIcons[tone])
				: html`<img class="video-picture" src=${picture} alt="" @click=${open} />`
		}
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
			<button type="button" class="button" @click=${open}>${l10n.t("Open")}</button>
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

/** How often the elapsed time is updated, in milliseconds. */
const tickMs = 1000;

/** Looks after the videos' cards on the page: tells which can be seen, and the elapsed time of those that are not finished. */
export class VideoCardWatch {
	private readonly root: HTMLElement;
	private readonly inSight = new Set<Element>();
	private readonly observer: IntersectionObserver;
	private timer: number | undefined;

	/** Makes it for the cards inside `root`; `onSight` hears which videos' cards can be seen, at least half of each. */
	constructor(root: HTMLElement, onSight: (jobIds: string[]) => void) {
		this.root = root;
		this.observer = new IntersectionObserver(
			entries => {
				for (const { target, isIntersecting } of entries) {
					if (isIntersecting) {
						this.inSight.add(target);
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

	/** Takes note of cards that came. */
	rendered(): void {
		this.tick();
		this.root.querySelectorAll(".video-card").forEach(card => this.observer.observe(card));
	}

	/** Says the elapsed time of every unfinished video again, every second for as long as one is shown. */
	private tick(): void {
		const shown = this.root.querySelectorAll<HTMLElement>(".video-elapsed");
		for (const element of shown) {
			element.textContent = formatElapsed(Date.now() - Number(element.dataset["since"]));
		}
		window.clearTimeout(this.timer);
		this.timer = shown.length > 0 ? window.setTimeout(() => this.tick(), tickMs) : undefined;
	}
}
