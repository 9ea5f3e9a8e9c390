import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import type { VideoMemory, VideoViewState } from "../../src/shared/video.ts";
import { type VideoAction, videoActionIcons, videoActionName } from "../../src/shared/videoCard.ts";
import { formatElapsed, locale } from "../../src/shared/locale.ts";
import { icon, iconButton } from "../shared/icon.ts";
import { openPopupMenu } from "../shared/popupMenu.ts";
import type { ClipPlayer } from "./clipPlayer.ts";
import { type LookActions, renderLook, renderTried, type TriedLook } from "./lookRow.ts";

/** The user's actions. Templates call them and contain no logic. */
export interface PreviewActions extends LookActions {
	run(action: VideoAction): void;
	/** Shows the actions of the video to choose from that aren't `shown` as buttons. */
	choose(shown: readonly VideoAction[]): void;
	/** Copies the clip's last frame as an image. */
	copyPicture(): void;
	setLooping(isLooping: boolean): void;
	setSpeed(speed: number): void;
	setCaptions(isShown: boolean): void;
}

/** Everything the page shows. */
export interface PreviewPicture {
	readonly state: VideoViewState;
	/** Error message of the last action; empty if it succeeded. */
	readonly failure: string;
	/** Result of the last action; empty if something else shows it. */
	readonly note: string;
	readonly playback: VideoMemory;
	readonly hasCaptions: boolean;
	/** A look that is shown in place of the clip. */
	readonly tried: TriedLook | undefined;
	/** Milliseconds since 1970. */
	readonly now: number;
}

/** Items of the “Copy” menu, in order. */
const copies: readonly VideoAction[] = ["copyGif", "copyPicture", "copyMarkdown"];

const speeds = [0.25, 0.5, 1, 1.5, 2] as const;

/** Actions that are shown elsewhere on the page or in the list of all actions, but not as buttons of a state. */
const placed: ReadonlySet<VideoAction> = new Set([
	"openSource",
	"copyPrompt",
	"copyDetails",
	"generateAgain",
	"generateWithChanges",
]);

/** Actions with a button in the details, and those with one in the clip's bar as well. */
const inDetails: readonly VideoAction[] = ["openSource", "copyPrompt"];
const inBar: readonly VideoAction[] = [
	...inDetails,
	...copies,
	"insertImage",
	"exportAs",
	"generateWithChanges",
];

/** Actions for a clip that can't be played here, beside the message. */
const waysOut: readonly VideoAction[] = ["openExternally", "saveAs"];

/** Renders the page: the clip or the job's state, the actions, then the request. */
export function renderPreview(
	picture: PreviewPicture,
	player: ClipPlayer,
	actions: PreviewActions,
): TemplateResult {
	const { state, failure, note } = picture;
	return html`<div class="preview">
		<h1 class="screen-reader-only">${state.title}</h1>
		${state.clip ? renderStage(picture, player, actions) : renderStatus(picture, actions)}
		${failure === "" ? nothing : html`<p class="notice notice-failed" role="alert">${icon("error")}<span>${failure}</span></p>`}
		${note === "" ? nothing : html`<p class="notice">${icon("check")}<span>${note}</span></p>`}
		${state.clip ? renderBar(picture, player, actions) : nothing}
		${state.look ? renderLook(state.look, picture.tried, actions) : nothing}
		${renderDetails(state, actions)}
	</div>`;
}

/** Renders the page shown if the host didn't answer. */
export function renderLoadFailure(onRetry: () => void): TemplateResult {
	return html`<div class="preview">
		<div class="status">
			<p>${l10n.t("Couldn't load the video.")}</p>
			<button type="button" class="button primary" @click=${onRetry}>${l10n.t("Retry")}</button>
		</div>
	</div>`;
}

function renderStage(
	picture: PreviewPicture,
	player: ClipPlayer,
	actions: PreviewActions,
): TemplateResult {
	const { state, tried } = picture;
	const { trouble } = player;
	const isPlayable = trouble !== "cannotPlay";
	return html`<div class="shown" aria-busy=${tried?.isDrawing ? "true" : "false"}>
			<div class="stage" ?hidden=${!isPlayable || tried?.picture !== undefined}>
				${player.element}
			</div>
			${tried?.picture ?? nothing}
		</div>
		${trouble && !tried ? renderTrouble(trouble, state, actions) : nothing}
		${
			state.tone === "ready" || state.sentence === ""
				? nothing
				: html`<p class="notice">${icon("info")}<span>${state.label}. ${state.sentence}</span></p>`
		}`;
}

/** Renders what this editor can't play, and the two alternatives. docs/faults.md. */
function renderTrouble(
	trouble: "cannotPlay" | "noSound",
	state: VideoViewState,
	actions: PreviewActions,
): TemplateResult {
	const sentence =
		trouble === "noSound"
			? l10n.t("The editor can't play this clip's sound (AAC). Open it externally to hear it.")
			: l10n.t("The editor can't play this clip. It's saved; open it in the system's player.");
	return html`<div class="notice" role="note">
		${icon("warning")}
		<div class="notice-body">
			<span>${sentence}</span>
			${renderButtons(
				waysOut.filter(action => state.actions.includes(action)),
				l10n.t("Actions"),
				actions,
				true,
			)}
		</div>
	</div>`;
}

/** Renders the clip's actions, most likely first, and the playback options. */
function renderBar(
	picture: PreviewPicture,
	player: ClipPlayer,
	actions: PreviewActions,
): TemplateResult {
	const { state, tried } = picture;
	if (tried) {
		// The clip's actions would use its own look, not the one that is shown.
		return renderTried(state.hasNewLook && state.actions.includes("generateAgain"), actions);
	}
	const has = (action: VideoAction): boolean => state.actions.includes(action);
	const { insertInto } = state;
	const insert =
		insertInto === null ? videoActionName("insertImage") : l10n.t("Insert into {0}", insertInto);
	return html`<div class="bar">
		<div class="buttons" role="group" aria-label=${l10n.t("Actions")}>
			${
				has("insertImage")
					? barButton(
							"markdown",
							insert,
							() => actions.run("insertImage"),
							player.trouble ? "" : "primary",
						)
					: nothing
			}
			<div class="buttons">
				${has("copyGif") ? renderCopy(state, actions) : nothing}
				${has("exportAs") ? barButton("export", l10n.t("Export…"), () => actions.run("exportAs"), "folding") : nothing}
				${
					has("generateWithChanges")
						? barButton(
								"edit",
								l10n.t("Change…"),
								() => actions.run("generateWithChanges"),
								"folding",
							)
						: nothing
				}
				${iconButton("ellipsis", l10n.t("More actions"), () => actions.choose(inBar))}
			</div>
		</div>
		${player.trouble === "cannotPlay" ? nothing : renderPlayback(picture, actions)}
	</div>`;
}

function barButton(
	iconName: string,
	name: string,
	onClick: () => void,
	kind: "" | "primary" | "folding" = "",
): TemplateResult {
	return html`<button
		type="button"
		class=${`button ${kind}`}
		title=${kind === "folding" ? name : nothing}
		@click=${onClick}
	>
		${icon(iconName)}<span>${name}</span>
	</button>`;
}

function renderCopy(state: VideoViewState, actions: PreviewActions): TemplateResult {
	const items = copies
		.filter(action => state.actions.includes(action))
		.map(action => ({
			label: videoActionName(action),
			onPick: () => (action === "copyPicture" ? actions.copyPicture() : actions.run(action)),
		}));
	const onClick = (event: Event): void => {
		if (event.currentTarget instanceof HTMLElement) {
			openPopupMenu(event.currentTarget, l10n.t("Copy"), items);
		}
	};
	return html`<button
		type="button"
		class="button folding"
		title=${l10n.t("Copy")}
		aria-haspopup="menu"
		aria-expanded="false"
		@click=${onClick}
	>
		${icon("copy")}<span>${l10n.t("Copy")}</span>${icon("chevron-down")}
	</button>`;
}

function renderPlayback(
	{ playback, hasCaptions, state }: PreviewPicture,
	actions: PreviewActions,
): TemplateResult {
	const onSpeed = (event: Event): void => {
		if (event.currentTarget instanceof HTMLSelectElement) {
			actions.setSpeed(Number(event.currentTarget.value));
		}
	};
	return html`<div class="playback" role="group" aria-label=${l10n.t("Playback")}>
		${renderSwitch("sync", l10n.t("Loop"), playback.isLooping, isOn => actions.setLooping(isOn))}
		${
			state.captions.length === 0
				? nothing
				: renderSwitch("comment", l10n.t("Captions"), hasCaptions, isOn =>
						actions.setCaptions(isOn),
					)
		}
		<label class="labeled">
			<span>${l10n.t("Speed")}</span>
			<select aria-label=${l10n.t("Speed")} @change=${onSpeed}>
				${speeds.map(
					speed =>
						html`<option value=${speed} ?selected=${speed === playback.speed}>${speed}×</option>`,
				)}
			</select>
		</label>
	</div>`;
}

function renderSwitch(
	iconName: string,
	name: string,
	isOn: boolean,
	onSwitch: (isOn: boolean) => void,
): TemplateResult {
	return html`<button
		type="button"
		class="button toggle"
		role="switch"
		aria-checked=${isOn ? "true" : "false"}
		@click=${() => onSwitch(!isOn)}
	>
		${icon(iconName)}<span>${name}</span>
	</button>`;
}

const toneIcons = {
	working: "loading codicon-modifier-spin",
	ready: "check",
	attention: "warning",
	failed: "error",
	stopped: "circle-slash",
} as const;

function renderStatus({ state, now }: PreviewPicture, actions: PreviewActions): TemplateResult {
	const about = aboutOf(state);
	return html`<section class=${`status status-${state.tone}`} aria-label=${l10n.t("Status")}>
		<p class="status-label">
			${icon(toneIcons[state.tone])}<strong>${state.label}</strong>
			${
				state.tone === "working"
					? html`<span class="elapsed">${formatElapsed(now - state.startedAt)}</span>`
					: nothing
			}
		</p>
		${
			state.downloaded === null
				? nothing
				: html`<progress
						max="1"
						.value=${state.downloaded}
						aria-label=${state.kind === "storyboard" ? l10n.t("Scenes ready") : l10n.t("Downloaded")}
					></progress>`
		}
		${state.sentence === "" ? nothing : html`<p class="status-sentence">${state.sentence}</p>`}
		${
			state.serviceMessage === undefined
				? nothing
				: html`<figure class="service-message">
						<figcaption>${l10n.t("Service message")}</figcaption>
						<pre tabindex="0">${state.serviceMessage}</pre>
					</figure>`
		}
		${renderButtons(
			about,
			l10n.t("What to do"),
			actions,
			// Stopping is never the primary action.
			about[0] !== "stopWatching",
			() => actions.choose([...about, ...inDetails]),
		)}
	</section>`;
}

/** Returns the actions with their own buttons: those for the job's state, or what can be done with a clip that isn't shown. */
function aboutOf({ actions, tone }: VideoViewState): VideoAction[] {
	return actions.filter(action =>
		tone === "ready" ? waysOut.includes(action) : !placed.has(action),
	);
}

function renderButtons(
	offered: readonly VideoAction[],
	name: string,
	actions: PreviewActions,
	/** Whether the first button is the primary one. */
	hasPrimary: boolean,
	/** Shows all other actions. */
	onMore?: () => void,
): TemplateResult {
	return html`<div class="buttons" role="group" aria-label=${name}>
		${offered.map(
			(action, index) =>
				html`<button
					type="button"
					class=${index === 0 && hasPrimary ? "button primary" : "button"}
					@click=${() => actions.run(action)}
				>
					${icon(videoActionIcons[action])}<span>${videoActionName(action)}</span>
				</button>`,
		)}
		${onMore ? iconButton("ellipsis", l10n.t("More actions"), onMore) : nothing}
	</div>`;
}

function kindName(kind: VideoViewState["kind"]): string {
	return { text: l10n.t("Text"), image: l10n.t("Image"), storyboard: l10n.t("Scenes") }[kind];
}

function renderDetails(state: VideoViewState, actions: PreviewActions): TemplateResult {
	return html`<section class="details" aria-label=${l10n.t("Details")}>
		${renderFacts(state)}
		${
			state.source === null
				? nothing
				: html`<p>
						<button type="button" class="link" @click=${() => actions.run("openSource")}>
							${icon("go-to-file")}<span>${state.source}</span>
						</button>
					</p>`
		}
		<details ?open=${state.clip === null}>
			<summary>${kindName(state.kind)}</summary>
			<div class="details-text">
				<pre class="prompt" dir="auto" tabindex="0">${state.prompt}</pre>
				${
					state.actions.includes("copyPrompt")
						? html`<div class="buttons">
								${barButton("copy", videoActionName("copyPrompt"), () => actions.run("copyPrompt"))}
							</div>`
						: nothing
				}
			</div>
		</details>
	</section>`;
}

function undrawnWords(count: number): string {
	return count === 1
		? l10n.t("1 character couldn't be drawn: no font here has it")
		: l10n.t("{0} characters couldn't be drawn: no font here has them", count);
}

function renderFacts(state: VideoViewState): TemplateResult {
	const created = new Date(state.createdAt);
	const facts = [
		state.provenance,
		...state.parameters,
		...(state.clip ? [state.clip.size, state.clip.fileName] : []),
		...(state.clip?.undrawn ? [undrawnWords(state.clip.undrawn)] : []),
	];
	return html`<ul class="facts">
		${facts.map(fact => html`<li>${fact}</li>`)}
		<li>
			<time datetime=${created.toISOString()}
				>${new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "medium" }).format(created)}</time
			>
		</li>
	</ul>`;
}
