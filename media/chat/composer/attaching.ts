import * as l10n from "@vscode/l10n";
import type { ChatPushes, ChatRequests } from "../../../src/shared/chat.ts";
import type { SlashOffer } from "../../../src/shared/slash.ts";
import { maxTransferBytes, transferPieceBytes } from "../../../src/shared/attachments.ts";
import type { Host } from "../../shared/host.ts";
import { Completion } from "./completion.ts";
import { describeFailure, type Draft } from "../draft/draft.ts";
import { completeMention } from "../draft/mention.ts";
import { type Dropped, takeDrops } from "./dropTarget.ts";
import { formatBytes } from "../widgets/byteSize.ts";

/** Dependencies of attaching; the page and the draft are looked up when they are needed. */
export interface AttachingDependencies {
	readonly host: Pick<Host<ChatRequests, ChatPushes>, "call">;
	readonly draft: () => Draft;
	readonly page: () => { setDropTarget(isOver: boolean): void; setCursor(position: number): void };
	readonly onChange: () => void;
	/** Takes a command that the list offered. */
	readonly onCommand: (offer: SlashOffer, isOnlyCompleted: boolean) => void;
}

/** The ways attachments get into the composer and out of it. */
export class Attaching {
	readonly completion: Completion;
	private readonly dependencies: AttachingDependencies;

	/** Connects the composer's attachments to the host. */
	constructor(dependencies: AttachingDependencies) {
		this.dependencies = dependencies;
		this.completion = new Completion(dependencies.host, dependencies.onChange);
	}

	/** Takes an offer of the list: the one of an index, else the one that Enter would take. */
	accept(index?: number, isOnlyCompleted = false): void {
		const { completion } = this;
		const { host, draft, page, onCommand } = this.dependencies;
		const { list } = completion;
		const offer = list?.offers[index ?? list.active];
		if (!list || !offer) {
			return;
		}
		if (index === undefined && !list.isCurrent && !list.isChosen) {
			// What is first was offered for less than is written: nobody has seen yet what Enter would take.
			completion.whenCurrent(() => this.accept(undefined, isOnlyCompleted));
			return;
		}
		if ("insert" in offer) {
			completion.close();
			onCommand(offer, isOnlyCompleted);
			return;
		}
		const completed = completeMention(draft().text, list.mention, offer.label);
		completion.close();
		draft().set(completed.text);
		page().setCursor(completed.cursor);
		void this.ask(() => host.call("attachOffer", { id: offer.id }));
	}

	/** Takes what is dropped on the page and pasted into it. */
	takeDrops(root: HTMLElement): void {
		const { host, page } = this.dependencies;
		takeDrops(root, {
			onHover: isOver => page().setDropTarget(isOver),
			onDrop: dropped => void this.ask(() => handOver(host, dropped)),
		});
	}

	/** Runs something the host does; that it failed is shown below the composer. */
	private async ask(work: () => Promise<unknown>): Promise<void> {
		try {
			await work();
		} catch (error) {
			this.dependencies.draft().say(describeFailure(error));
		}
	}
}

/** The most addresses the protocol takes at once. */
const maxAddresses = 200;

async function handOver(
	host: Pick<Host<ChatRequests, ChatPushes>, "call">,
	{ addresses, files, folders }: Dropped,
): Promise<void> {
	if (addresses.length > 0) {
		await host.call("attachAddresses", { addresses: addresses.slice(0, maxAddresses) });
		return;
	}
	await transferFiles(host, files);
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

type ChatHost = Pick<Host<ChatRequests, ChatPushes>, "call">;

/** The most files taken from one drop or paste. */
const maxFiles = 50;

/**
 * Hands files over that this page alone has, one after the other and each in pieces, the next only when the one before has
 * arrived. Rejects with a sentence when a file is too large, cannot be read, or is refused.
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

/** Bytes in base64. The browser encodes them away from this thread, so that typing goes on. */
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
