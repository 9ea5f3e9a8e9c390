import * as l10n from "@vscode/l10n";
import { render } from "lit";
import type {
	VideoMemory,
	VideoPushes,
	VideoRequests,
	VideoViewState,
} from "../../src/shared/video.ts";
import { maxPictureCharacters } from "../../src/shared/videoCard.ts";
import { HostCallError, type Host } from "../shared/host.ts";
import { takePicture } from "../shared/clipPicture.ts";
import { ClipPlayer } from "./clipPlayer.ts";
import type { PlaybackMemory } from "./memory.ts";
import type { ReadableClip } from "./export/clipFrames.ts";
import { changesOf, partsShown, type TriedLook } from "./lookRow.ts";
import { type PreviewActions, renderLoadFailure, renderPreview } from "./previewPage.ts";

export interface PreviewDependencies {
	readonly root: HTMLElement;
	readonly host: Host<VideoRequests, VideoPushes>;
	readonly memory: PlaybackMemory;
}

/** More than the width of any clip, in pixels. */
const maxClipWidth = 8192;

/** How often the elapsed time is updated, in milliseconds. */
const tickMs = 1000;

/** Renders the host's state and sends the user's actions to the host. */
export class Preview {
	private readonly host: Host<VideoRequests, VideoPushes>;
	private readonly memory: PlaybackMemory;
	private readonly main = document.createElement("main");
	private readonly announcer = createAnnouncer();
	private readonly player: ClipPlayer;
	private readonly actions: PreviewActions;
	private state: VideoViewState | undefined;
	/** Error message of the last action. */
	private failure = "";
	/** Result of the last action, if nothing else shows it. */
	private note = "";
	private tried: TriedLook | undefined;
	private tick: number | undefined;
	private hasCaptions = false;

	/** Renders nothing until `load` is called. */
	constructor({ root, host, memory }: PreviewDependencies) {
		this.host = host;
		this.memory = memory;
		this.player = new ClipPlayer(memory, {
			onCannotPlay: reason => {
				host.call("cannotPlay", { reason }).catch((error: unknown) => this.fail(error));
				this.draw();
			},
			onShown: () => this.sendPicture(),
			onCaptions: isShown => this.setCaptions(isShown),
			onWidth: width => {
				host.call("clipWidth", { width }).catch((error: unknown) => this.fail(error));
			},
		});
		this.actions = {
			run: action => this.ask(() => host.call("runAction", { action })),
			copyPicture: () => this.ask(() => this.copyPicture()),
			choose: shown => this.ask(() => host.call("chooseAction", { shown: [...shown] })),
			setLooping: isLooping => this.changePlayback({ isLooping }),
			setSpeed: speed => this.changePlayback({ speed }),
			setCaptions: isShown => this.setCaptions(isShown),
			tryLook: look => this.ask(() => this.tryLook(look)),
			keepLook: () => this.ask(() => this.keepLook()),
			leaveLook: () => {
				this.ask(() => this.tryLook(undefined));
				this.main.querySelector<HTMLElement>(".look summary")?.focus();
			},
			drawAgain: () => this.ask(() => this.drawAgain()),
		};
		root.replaceChildren(this.main, this.announcer);
		host.on("state", state => this.show(state));
		this.answerExports();
	}

	/** Requests the state from the host. */
	load(): void {
		this.host.call("ready", {}).then(
			state => {
				this.hasCaptions = state.showsCaptions;
				this.show(state);
			},
			() =>
				render(
					renderLoadFailure(() => this.load()),
					this.main,
				),
		);
	}

	/** Exports the clip when the host requests it. */
	private answerExports(): void {
		const { host } = this;
		host.on("export", request => {
			const stopper = new AbortController();
			const leave = host.on("stopExport", ({ id }) => id === request.id && stopper.abort());
			void import("./export/runExport.ts")
				.then(({ runExport }) => runExport(host, this.state, request, stopper.signal))
				.finally(leave);
		});
	}

	private draw(): void {
		const { state, main, failure, note, memory, player, actions, hasCaptions, tried } = this;
		if (state) {
			const now = Date.now();
			const picture = { state, failure, note, playback: memory.current, hasCaptions, tried, now };
			render(renderPreview(picture, player, actions), main);
		}
	}

	private show(next: VideoViewState): void {
		const { state } = this;
		if (state && (state.label !== next.label || state.sentence !== next.sentence)) {
			this.announcer.textContent = `${next.label}. ${next.sentence}`;
		}
		if (state?.clip?.url !== next.clip?.url) {
			this.tried = undefined;
		}
		this.state = next;
		document.title = next.title;
		this.memory.update({ jobId: next.jobId });
		this.player.show(next.clip, next.captions);
		this.player.showsCaptions = this.hasCaptions;
		window.clearInterval(this.tick);
		this.tick = next.tone === "working" ? window.setInterval(() => this.draw(), tickMs) : undefined;
		this.draw();
	}

	/** Sends a thumbnail if the host has none. Skips one that is too large. */
	private sendPicture(): void {
		const address = this.state?.wantsPicture ? takePicture(this.player.element) : undefined;
		if (address !== undefined && address.length <= maxPictureCharacters) {
			// A missing thumbnail is harmless, and the host logs the error.
			this.host.call("keepPicture", { address }).catch(() => undefined);
		}
	}

	/** Copies the clip's last frame as an image, unless something else is copied meanwhile. If the browser refuses, the host copies a file's path. */
	private async copyPicture(): Promise<void> {
		const { clip } = this.state ?? {};
		if (!clip) {
			return;
		}
		let hasStopped = false;
		try {
			const drawn = this.host.call("drawPicture", {});
			const picture = drawn.then(({ drawn: frames, isStopped }) => {
				hasStopped = isStopped;
				return isStopped
					? Promise.reject(new DOMException("", "AbortError"))
					: pictureOf(frames ?? clip.url);
			});
			await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
			this.announcer.textContent = l10n.t("Copied");
			this.note = l10n.t("The image is on the clipboard.");
			this.draw();
		} catch {
			if (!hasStopped) {
				await this.host.call("runAction", { action: "copyPicture" });
			}
		}
	}

	/** Draws the clip's last frame with a look, unless another look is chosen meanwhile. */
	private async tryLook(chosen: TriedLook["chosen"] | undefined): Promise<void> {
		const tried = chosen && { chosen, picture: this.tried?.picture, isDrawing: true };
		this.tried = tried;
		this.draw();
		if (!tried) {
			await this.host.call("stopLook", {});
			return;
		}
		try {
			this.player.element.pause();
			const { drawn } = await this.host.call("drawLook", tried.chosen);
			const { pictureOfDrawn } = await import("./export/drawnClip.ts");
			const picture = await pictureOfDrawn(drawn.file);
			if (this.tried === tried) {
				this.tried = { ...tried, picture, isDrawing: false };
				this.announcer.textContent = picture.firstElementChild?.ariaLabel ?? "";
				this.draw();
			}
		} catch (error) {
			if (this.tried === tried) {
				this.tried = { ...tried, picture: undefined, isDrawing: false };
				throw error;
			}
		}
	}

	private async keepLook(): Promise<void> {
		const { tried, state } = this;
		if (tried && state?.look) {
			await this.host.call("keepLook", changesOf(state.look, tried.chosen));
			this.note = l10n.t("Your changes apply to new clips.");
			this.draw();
		}
	}

	private async drawAgain(): Promise<void> {
		const { tried, state } = this;
		if (tried && state?.look) {
			const look = partsShown(state.look, tried.chosen);
			await this.host.call("runAction", { action: "generateAgain", look });
		}
	}

	private ask(call: () => Promise<unknown>): void {
		this.failure = "";
		this.note = "";
		this.draw();
		call().catch((error: unknown) => this.fail(error));
	}

	private fail(error: unknown): void {
		this.failure = error instanceof HostCallError ? error.message : l10n.t("The action failed.");
		this.draw();
	}

	/** Toggles captions, and lets the host save that for every preview. */
	private setCaptions(isShown: boolean): void {
		if (isShown !== this.hasCaptions) {
			this.hasCaptions = isShown;
			this.player.showsCaptions = isShown;
			this.ask(() => this.host.call("keepCaptions", { isShown }));
		}
	}

	private changePlayback(playback: Partial<VideoMemory>): void {
		this.memory.update(playback);
		this.player.applyPlayback();
		this.draw();
	}
}

/** Returns a clip's last frame in its full width. */
async function pictureOf(clip: ReadableClip): Promise<Blob> {
	const { exportClip } = await import("./export/runExport.ts");
	const request = { format: "png", width: maxClipWidth, isLooping: false } as const;
	const bytes = await exportClip(clip, [], request, new AbortController().signal, () => undefined);
	return new Blob([Uint8Array.from(bytes)], { type: "image/png" });
}

function createAnnouncer(): HTMLElement {
	const element = document.createElement("div");
	element.className = "screen-reader-only";
	element.setAttribute("role", "status");
	return element;
}
