import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type {
	AttachmentsView,
	AttachmentUseView,
	AttachmentView,
} from "../../../src/shared/attachments.ts";
import { formatCount } from "../../../src/shared/locale.ts";
import type { ChatActions } from "../base/actions.ts";
import { formatBytes } from "../widgets/byteSize.ts";
import { fileIcon, isClearInHalf, renderFileName } from "../widgets/fileName.ts";
import { icon, iconButton } from "../../shared/icon.ts";

const icons: Readonly<Record<AttachmentView["kind"], string>> = {
	text: "file-code",
	data: "file",
	image: "file-media",
	selection: "list-selection",
	problems: "warning",
	page: "globe",
	chat: "comment-discussion",
	changes: "diff",
};

type NamedAttachment = Pick<AttachmentView, "kind" | "name">;

export function attachmentIcon({ kind, name }: NamedAttachment): string {
	return kind === "text" || kind === "data" ? fileIcon(name, icons[kind]) : icons[kind];
}

/** Renders an attachment's name. The end of a file's name is more important than its middle, the start of a title than its end. */
export function renderAttachmentName({ kind, name }: NamedAttachment): TemplateResult | string {
	return kind === "page" || kind === "chat" ? name : renderFileName(name);
}

/** Renders the attachments of the next message: a pill each, a folder's files as one, and the share of the text limit. */
export function renderAttachments(
	attachments: AttachmentsView,
	model: string,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	const { selection } = attachments;
	if (attachments.items.length === 0 && selection === undefined) {
		return nothing;
	}
	const groups = groupAttachments(attachments.items);
	const names = attachments.items.map(({ name }) => name);
	return html`<ul class="attachments" aria-label=${l10n.t("Attachments")}>
			${selection === undefined ? nothing : renderSelection(selection, actions)}
			${repeat(
				groups,
				group => group.id,
				group =>
					group.name === undefined
						? renderChip(group.items, names, actions)
						: renderFolder(group, actions),
			)}
		</ul>
		${renderOffer(attachments, model, actions)} ${renderBudget(attachments.budget)}`;
}

/** Renders the editor's selection; a click attaches it. */
function renderSelection(name: string, actions: ChatActions): TemplateResult {
	return html`<li class="attachment offered">
		<button
			type="button"
			aria-label=${l10n.t("Attach the selection {0}", name)}
			title=${l10n.t("Attach the selection {0}", name)}
			@click=${() => actions.ask("attachSelection", {})}
		>
			${icon("add")}<span class="attachment-name">${renderFileName(name)}</span>
		</button>
	</li>`;
}

function renderChip(
	[item]: readonly AttachmentView[],
	names: readonly string[],
	actions: ChatActions,
): TemplateResult | typeof nothing {
	return item === undefined
		? nothing
		: html`<li
				class=${isClearInHalf(item.name, names) ? "attachment can-halve" : "attachment"}
				data-attachment=${item.id}
				data-state=${item.state.type}
				title=${`${item.path} · ${formatBytes(item.size)}`}
				@keydown=${removeOnDelete([item], actions)}
			>
				${icon(attachmentIcon(item))}${renderThumbnail(item)}${renderName(item, actions)}
				<div class="attachment-facts">
					${isUsable(item) ? renderUse([item], actions) : nothing}${renderState(item)}
				</div>
				<div class="attachment-actions">
					${renderRemedy(item, actions)}
					${iconButton("close", l10n.t("Remove {0}", item.name), () => actions.ask("removeAttachments", { ids: [item.id] }))}
				</div>
				${renderNote(item, actions)}${renderProgress(item)}
			</li>`;
}

/** Renders the canvas for an image's thumbnail, which replaces the icon. Omits images that need consent. */
function renderThumbnail(item: AttachmentView): TemplateResult | typeof nothing {
	return item.kind === "image" && isUsable(item)
		? html`<canvas
				class="attachment-image"
				data-image=${item.id}
				aria-hidden="true"
				hidden
			></canvas>`
		: nothing;
}

function isUsable({ state }: AttachmentView): boolean {
	return state.type !== "unconfirmed" && state.type !== "failed";
}

function renderFolder({ name = "", items }: AttachmentGroup, actions: ChatActions): TemplateResult {
	const { size, sentence } = describeGroup(items);
	return html`<li
		class="attachment attachment-folder"
		title=${`${name} · ${formatBytes(size)}`}
		@keydown=${removeOnDelete(items, actions)}
	>
		${icon("folder")}<span class="attachment-name">${name}</span>
		<div class="attachment-facts">${renderUse(items, actions)}</div>
		<div class="attachment-actions">
			${iconButton("close", l10n.t("Remove {0}", name), () =>
				actions.ask("removeAttachments", { ids: items.map(({ id }) => id) }),
			)}
		</div>
		<details class="attachment-files">
			<summary>${sentence}</summary>
			<ul aria-label=${l10n.t("Files of {0}", name)}>
				${repeat(
					items,
					item => item.id,
					item =>
						html`<li
							class="attachment-file"
							data-attachment=${item.id}
							data-state=${item.state.type}
							title=${item.path}
							@keydown=${removeOnDelete([item], actions)}
						>
							${renderName(item, actions)}<span class="attachment-size"
								>${formatBytes(item.size)}</span
							>${renderState(item)}${renderRemedy(item, actions)}
							${iconButton("close", l10n.t("Remove {0}", item.name), () =>
								actions.ask("removeAttachments", { ids: [item.id] }),
							)}
							${renderNote(item, actions)}
						</li>`,
				)}
			</ul>
		</details>
	</li>`;
}

/** Removes attachments when Delete is pressed on anything in their pill or, of a file of a folder, in its row. */
function removeOnDelete(items: readonly AttachmentView[], actions: ChatActions) {
	return (event: KeyboardEvent): void => {
		const { key, repeat, ctrlKey, metaKey, altKey } = event;
		// The focus moves on to the next attachment, which a held key must not remove, too.
		if (key === "Delete" && !(repeat || ctrlKey || metaKey || altKey)) {
			// The row's own folder stays.
			event.stopPropagation();
			actions.ask("removeAttachments", { ids: items.map(({ id }) => id) });
		}
	};
}

/** Renders an attachment's name; a click opens its file or shows its text as it will be sent. */
function renderName(item: AttachmentView, actions: ChatActions): TemplateResult {
	const name = renderAttachmentName(item);
	return item.canOpen
		? html`<button
				type="button"
				class="attachment-name attachment-open"
				aria-label=${item.name}
				@click=${() => actions.ask("openAttachment", { id: item.id })}
			>
				${name}
			</button>`
		: html`<span class="attachment-name">${name}</span>`;
}

/** Renders a switch if both uses are possible, otherwise the use as text. */
function renderUse(
	items: readonly AttachmentView[],
	actions: ChatActions,
): TemplateResult | typeof nothing {
	const switchable = items.filter(({ canSwitchUse }) => canSwitchUse);
	const isForCode = items.every(({ use }) => use === "codeInterpreter");
	const label = isForCode ? "Python" : l10n.t("Read as text");
	const shown = html`<span class=${isForCode ? "" : "screen-reader-only"}>${label}</span>`;
	if (switchable.length === 0) {
		return html`<span class="attachment-use"
			>${isForCode ? icon("terminal") : nothing}${shown}</span
		>`;
	}
	const use: AttachmentUseView = isForCode ? "read" : "codeInterpreter";
	return html`<button
		type="button"
		role="switch"
		class="attachment-use"
		aria-checked=${isForCode ? "true" : "false"}
		aria-label=${l10n.t("For Python: {0}", items[0]?.folder ?? items[0]?.name ?? "")}
		title=${isForCode ? l10n.t("For Python. Click to read as text instead.") : l10n.t("Read as text. Click to use in Python instead.")}
		@click=${() => actions.ask("setAttachmentUse", { ids: switchable.map(({ id }) => id), use })}
	>
		${icon(isForCode ? "terminal" : "book")}${shown}
	</button>`;
}

function renderState(item: AttachmentView): TemplateResult | typeof nothing {
	const sentence = describeState(item);
	const { state } = item;
	return sentence === ""
		? nothing
		: html`<span class="attachment-state"
				>${sentence}${
					state.type === "failed" && state.serviceMessage !== null
						? html` ${l10n.t("Service message:")} <q dir="auto">${state.serviceMessage}</q>`
						: nothing
				}</span
			>`;
}

/** Renders the actions on an attachment in a state other than ready. */
function renderRemedy(
	{ id, name, state }: AttachmentView,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	if (state.type === "unconfirmed") {
		return iconButton("shield", l10n.t("Review {0}", name), () =>
			actions.ask("confirmAttachment", { id }),
		);
	}
	if (state.type !== "failed" || !state.canRetry) {
		return nothing;
	}
	const label = state.mayBeCharged
		? l10n.t("Retry {0} (may be charged)", name)
		: l10n.t("Retry {0}", name);
	return iconButton("refresh", label, () => actions.ask("retryAttachment", { id }));
}

function renderNote(
	{ id, note, hidden }: AttachmentView,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	return html`${
		hidden === undefined
			? nothing
			: html`<p class="attachment-note attachment-hidden">
					${icon("warning")}<button
						type="button"
						class="link-button"
						title=${l10n.t("Show what is hidden")}
						@click=${() => actions.ask("showHidden", { id })}
					>
						${hidden === 1 ? l10n.t("1 hidden character") : l10n.t("{0} hidden characters", formatCount(hidden))}
					</button>
				</p>`
	}${note === null ? nothing : html`<p class="attachment-note">${note}</p>`}`;
}

function renderProgress({ name, size, state }: AttachmentView): TemplateResult | typeof nothing {
	return state.type === "uploading"
		? html`<progress
				aria-label=${l10n.t("Upload of {0}", name)}
				max=${Math.max(1, size)}
				.value=${state.sentBytes}
			></progress>`
		: nothing;
}

/** Renders a message that the model can't use the attachments, and an offer of one that can. */
function renderOffer(
	{ offeredModel }: AttachmentsView,
	model: string,
	actions: ChatActions,
): TemplateResult | typeof nothing {
	return offeredModel === null
		? nothing
		: html`<div class="attachments-offer" role="note">
				${icon("info")}
				<span
					>${l10n.t("{0} can't use Code interpreter and Browsing. Choose another model for them.", model)}</span
				>
				<button
					type="button"
					class="link-button"
					@click=${() => actions.ask("setModel", { model: offeredModel })}
				>
					${l10n.t("Use {0}", offeredModel)}
				</button>
			</div>`;
}

/** Renders the share of the text limit, with numbers when it is nearly reached. */
function renderBudget(budget: AttachmentsView["budget"]): TemplateResult | typeof nothing {
	// Not shown while far from the limit.
	if (budget === null || budget.characters <= budget.limit / 2) {
		return nothing;
	}
	const { characters, limit } = budget;
	const [taken, most] = [formatCount(characters), formatCount(limit)];
	const words =
		characters > limit
			? l10n.t("{0} of {1} characters; the rest is left out", taken, most)
			: l10n.t("{0} of {1} characters", taken, most);
	return html`<div class="attachments-budget" data-full=${characters > limit ? "" : nothing}>
		<meter
			aria-label=${l10n.t("Text attached")}
			min="0"
			max=${limit}
			high=${limit * 0.8}
			.value=${Math.min(characters, limit)}
		></meter>
		<span>${words}</span>
	</div>`;
}

/** Attachments shown as one: a folder's, or a single one without a group name. */
interface AttachmentGroup {
	readonly id: string;
	readonly name: string | undefined;
	readonly items: readonly AttachmentView[];
}

/** Groups the files of a folder at the position of the first one. */
export function groupAttachments(items: readonly AttachmentView[]): readonly AttachmentGroup[] {
	const groups = Map.groupBy(items, ({ id, folder }) =>
		folder === null ? id : `folder ${folder}`,
	);
	return [...groups].map(([id, members]) => ({
		id,
		name: members[0]?.folder ?? undefined,
		items: members,
	}));
}

/** Returns a folder's size in bytes, and a description of its files' states. */
export function describeGroup(items: readonly AttachmentView[]): {
	readonly size: number;
	readonly sentence: string;
} {
	const size = items.reduce((sum, item) => sum + item.size, 0);
	const count = items.length === 1 ? l10n.t("1 file") : l10n.t("{0} files", items.length);
	const inState = (type: AttachmentView["state"]["type"]): number =>
		items.filter(({ state }) => state.type === type).length;
	const done = inState("uploaded");
	const failed = inState("failed");
	const unconfirmed = inState("unconfirmed");
	const isMoving = inState("uploading") + inState("waiting") + inState("reading") > 0;
	return {
		size,
		sentence: [
			count,
			done > 0 || isMoving ? l10n.t("{0} uploaded", done) : "",
			failed > 0 ? l10n.t("{0} failed", failed) : "",
			unconfirmed > 0 ? l10n.t("{0} to confirm", unconfirmed) : "",
		]
			.filter(part => part !== "")
			.join(", "),
	};
}

/** Describes an attachment's state; empty if it is ready. */
export function describeState({ state, size }: AttachmentView): string {
	switch (state.type) {
		case "ready":
			return "";
		case "waiting":
			return l10n.t("Waiting");
		case "reading":
			return l10n.t("Reading");
		case "uploading": {
			const percent = Math.floor((100 * state.sentBytes) / Math.max(1, size));
			return state.isDelayed ? l10n.t("Waiting to retry") : l10n.t("Uploading {0}%", percent);
		}
		case "uploaded":
			return state.isReused ? l10n.t("Already uploaded") : l10n.t("Uploaded");
		case "unconfirmed":
		case "failed":
			return state.sentence;
	}
}
