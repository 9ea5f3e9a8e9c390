import * as l10n from "@vscode/l10n";
import type { ChatPushes, ChatRequests } from "../../../src/shared/chat.ts";
import type { SlashOffer } from "../../../src/shared/slash.ts";
import {
	maxPicturedImageBytes,
	maxTransferBytes,
	seenImages,
	transferPieceBytes,
} from "../../../src/shared/attachments.ts";
import type { Host } from "../../shared/host.ts";
import { Completion, type CompletionOffer } from "./completion.ts";
import { describeFailure, type Draft } from "../draft/draft.ts";
import { completeMention } from "../draft/mention.ts";
import { type Dropped, takeDrops } from "./dropTarget.ts";
import { formatBytes } from "../widgets/byteSize.ts";

/** Dependencies of attaching. `page` and `draft` are called at each use. */
export interface AttachingDependencies {
	readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	readonly draft: () => Draft;
	readonly seesImages: () => boolean;
	readonly page: () => { setDropTarget(isOver: boolean): void; setCursor(position: number): void };
	readonly onChange: () => void;
	/** Called with an accepted command. */
	readonly onCommand: (offer: SlashOffer, isOnlyCompleted: boolean) => void;
}

/** Kinds whose attachment replaces the mention. Names of files and of what is selected stay as part of a sentence, unless the text starts with them. */
const standAlone: ReadonlySet<CompletionOffer["kind"]> = new Set([
	"page",
	"chat",
	"changes",
	"problems",
	"folder",
]);

/** Adds attachments to the composer: by completion, drop and paste. */
export class Attaching {
	readonly completion: Completion;
	private readonly dependencies: AttachingDependencies;

	constructor(dependencies: AttachingDependencies) {
		this.dependencies = dependencies;
		this.completion = new Completion(dependencies.host, dependencies.onChange);
	}

	/** Accepts an offer of the list, by its index, or the active one. */
	accept(index?: number, isOnlyCompleted = false): void {
		const { completion } = this;
		const { host, draft, page, onCommand } = this.dependencies;
		const { list } = completion;
		const offer = list?.offers[index ?? list.active];
		if (!list || !offer) {
			return;
		}
		if (index === undefined && !list.isCurrent && !list.isChosen) {
			// The first offer is for an earlier query, so wait until the list shows what Enter accepts.
			completion.whenCurrent(() => this.accept(undefined, isOnlyCompleted));
			return;
		}
		if ("insert" in offer) {
			completion.close();
			onCommand(offer, isOnlyCompleted);
			return;
		}
		const { text } = draft();
		const isFirst = text.slice(0, list.mention.start).trim() === "";
		const name = isFirst || standAlone.has(offer.kind) ? "" : offer.label;
		const completed = completeMention(text, list.mention, name);
		completion.close();
		draft().set(completed.text);
		page().setCursor(completed.cursor);
		void this.ask(
			() => host.call("attachOffer", { id: offer.id }),
			() => draft().text === completed.text && draft().set(text),
		);
	}

	/** Accepts files dropped on the page or pasted into it. */
	takeDrops(root: HTMLElement): void {
		const { host, page, seesImages } = this.dependencies;
		takeDrops(root, {
			onHover: isOver => page().setDropTarget(isOver),
			onDrop: dropped => void this.ask(() => handOver(host, dropped, seesImages())),
		});
	}

	/** Runs a request of the host. Shows a failure below the composer, after `undo`. */
	private async ask(work: () => Promise<unknown>, undo?: () => unknown): Promise<void> {
		try {
			await work();
		} catch (error) {
			undo?.();
			this.dependencies.draft().say(describeFailure(error));
		}
	}
}

/** The most URIs per request. */
const maxAddresses = 200;

async function handOver(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	{ addresses, files, folders }: Dropped,
	seesImages: boolean,
): Promise<void> {
	if (addresses.length > 0) {
		await host.call("attachAddresses", { addresses: addresses.slice(0, maxAddresses) });
		return;
	}
	await transferFiles(host, seesImages ? await Promise.all(files.map(toSeenImage)) : files);
	if (folders.length > 0) {
		throw new Error(
			l10n.t(
				"{0} is a folder and was dropped from outside VS Code. Use Attach files for folders.",
				folders[0] ?? "",
			),
		);
	}
	if (files.length === 0) {
		throw new Error(l10n.t("Nothing was attached: what you dropped isn't a file."));
	}
}

/** The longest side of an image that is made smaller, in pixels. Services make larger ones smaller themselves. */
const maxSide = 2048;

/** Returns an image that models see in place of one in another format or above the limit; the file itself if the browser can't decode it. */
async function toSeenImage(file: File): Promise<File> {
	const isLarge = file.size > maxPicturedImageBytes;
	if (!/^image\/(?!svg)/.test(file.type) || (seenImages.test(file.type) && !isLarge)) {
		return file;
	}
	const bitmap = await createImageBitmap(file).catch(() => undefined);
	if (bitmap === undefined) {
		return file;
	}
	const scale = isLarge ? Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height)) : 1;
	const width = Math.max(1, Math.round(bitmap.width * scale));
	const height = Math.max(1, Math.round(bitmap.height * scale));
	const canvas = new OffscreenCanvas(width, height);
	canvas.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
	bitmap.close();
	const png = await canvas.convertToBlob();
	const image =
		png.size > maxPicturedImageBytes
			? await canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 })
			: png;
	const name = file.name.replace(/\.\w+$/, "") + image.type.replace("image/", ".");
	return new File([image], name, { type: image.type });
}

type ChatHost = Pick<Host<ChatRequests, ChatPushes>, "call">;

/** The most files per drop or paste. */
const maxFiles = 50;

/**
 * Transfers files that only this page has, one by one and in parts, each after the previous one has arrived. Rejects with a message for the user if a
 * file is too large, can't be read, or is rejected.
 */
export async function transferFiles(host: ChatHost, files: readonly File[]): Promise<void> {
	if (files.length > maxFiles) {
		throw new Error(
			l10n.t("At most {0} files can be dropped at once. Use Attach files for more.", maxFiles),
		);
	}
	const large = files.find(file => file.size > maxTransferBytes);
	if (large) {
		throw new Error(
			l10n.t(
				"{0} has {1}; at most {2} can be dropped or pasted. Use Attach files for larger ones.",
				large.name,
				formatBytes(large.size),
				formatBytes(maxTransferBytes),
			),
		);
	}
	for (const file of files) {
		await transferFile(host, file);
	}
}

async function transferFile(host: ChatHost, file: File): Promise<void> {
	const { name, type, size } = file;
	const { id } = await host.call("beginTransfer", {
		name: name.slice(0, 255),
		type: type.slice(0, 200),
		size,
	});
	for (let start = 0; start < size; start += transferPieceBytes) {
		const bytes = await base64Of(file.slice(start, start + transferPieceBytes), name);
		await host.call("transfer", { id, bytes });
	}
	await host.call("endTransfer", { id });
}

/** Encodes bytes as base64. The browser does that in another thread, so typing isn't blocked. */
function base64Of(bytes: Blob, name: string): Promise<string> {
	return new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.addEventListener("load", () => {
			const url = typeof reader.result === "string" ? reader.result : "";
			resolve(url.slice(url.indexOf(",") + 1));
		});
		reader.addEventListener("error", () =>
			reject(new Error(l10n.t("{0} couldn't be read.", name))),
		);
		reader.readAsDataURL(bytes);
	});
}
