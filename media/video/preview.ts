import * as l10n from "@vscode/l10n";
import { render } from "lit";
import {
	maxPictureCharacters,
	type VideoPushes,
	type VideoRequests,
	type VideoViewState,
} from "../../src/shared/index.ts";
import { HostCallError, type Host } from "../shared/host.ts";
import { takePicture } from "./clipPicture.ts";
import { type ClipPlayer, createClipPlayer } from "./clipPlayer.ts";
import type { PlaybackMemory } from "./memory.ts";
import { type PreviewActions, renderLoadFailure, renderPreview } from "./previewPage.ts";

/** Dependencies of the preview. */
export interface PreviewDependencies {
	readonly root: HTMLElement;
	readonly host: Host<VideoRequests, VideoPushes>;
	readonly memory: PlaybackMemory;
}

/** The objects the preview is made of, and what it shows now. */
interface PreviewPage {
	readonly main: HTMLElement;
	readonly announcer: HTMLElement;
	readonly memory: PlaybackMemory;
	readonly player: ClipPlayer;
	readonly actions: PreviewActions;
	state: VideoViewState | undefined;
	/** Why the last click came to nothing. */
	failure: string;
	tick: number | undefined;
}

/** How often the elapsed time is updated, in milliseconds. */
const tickMs = 1000;

/** Starts the preview: asks the host for everything and shows whatever it says from then on. */
export function startPreview({ root, host, memory }: PreviewDependencies): void {
	const fail = (error: unknown): void => {
		preview.failure = error instanceof HostCallError ? error.message : l10n.t("The action failed.");
		draw(preview);
	};
	const preview: PreviewPage = {
		main: document.createElement("main"),
		announcer: createAnnouncer(),
		memory,
		player: createClipPlayer(memory, {
			onCannotPlay: reason => {
				host.call("cannotPlay", { reason }).catch(fail);
				draw(preview);
			},
			onPlayed: () => sendPicture(preview, host),
		}),
		actions: createActions(() => preview, host, fail),
		state: undefined,
		failure: "",
		tick: undefined,
	};
	root.replaceChildren(preview.main, preview.announcer);
	const load = (): void => {
		host.call("ready", {}).then(
			state => show(preview, state),
			() => render(renderLoadFailure(load), preview.main),
		);
	};
	host.on("state", state => show(preview, state));
	answerExports(preview, host);
	load();
}

/** Makes files of the clip, as the host asks. */
function answerExports(preview: PreviewPage, host: Host<VideoRequests, VideoPushes>): void {
	host.on("export", request => {
		const stopper = new AbortController();
		const leave = host.on("stopExport", ({ id }) => id === request.id && stopper.abort());
		void import("./export/index.ts")
			.then(({ runExport }) =>
				runExport(host, preview.state?.clip ?? null, request, stopper.signal),
			)
			.finally(leave);
	});
}

function draw({ state, main, failure, memory, player, actions }: PreviewPage): void {
	if (state) {
		const picture = { state, failure, playback: memory.current, now: Date.now() };
		render(renderPreview(picture, player, actions), main);
	}
}

function show(preview: PreviewPage, next: VideoViewState): void {
	const { state, announcer, memory, player } = preview;
	if (state && (state.label !== next.label || state.sentence !== next.sentence)) {
		announcer.textContent = `${next.label}. ${next.sentence}`;
	}
	preview.state = next;
	document.title = next.title;
	memory.update({ jobId: next.jobId });
	player.show(next.clip);
	window.clearInterval(preview.tick);
	preview.tick =
		next.tone === "working" ? window.setInterval(() => draw(preview), tickMs) : undefined;
	draw(preview);
}

/** Gives the host a picture of the clip when it has none; one that is too large stays here. */
function sendPicture({ state, player }: PreviewPage, host: Host<VideoRequests, VideoPushes>): void {
	const address = state?.wantsPicture ? takePicture(player.element) : undefined;
	if (address !== undefined && address.length <= maxPictureCharacters) {
		// A picture is a nicety: its loss is in the host's log, and no reason to disturb.
		host.call("keepPicture", { address }).catch(() => undefined);
	}
}

function createActions(
	preview: () => PreviewPage,
	host: Host<VideoRequests, VideoPushes>,
	fail: (error: unknown) => void,
): PreviewActions {
	const change = (playback: Parameters<PlaybackMemory["update"]>[0]): void => {
		preview().memory.update(playback);
		preview().player.applyPlayback();
		draw(preview());
	};
	return {
		run: action => {
			preview().failure = "";
			draw(preview());
			host.call("runAction", { action }).catch(fail);
		},
		choose: () => {
			preview().failure = "";
			draw(preview());
			host.call("chooseAction", {}).catch(fail);
		},
		setLooping: isLooping => change({ isLooping }),
		setSpeed: speed => change({ speed }),
	};
}

function createAnnouncer(): HTMLElement {
	const element = document.createElement("div");
	element.className = "screen-reader-only";
	element.setAttribute("role", "status");
	return element;
}
