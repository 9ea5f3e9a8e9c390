import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { assertNever } from "../../common/errors.ts";
import type { Clock } from "../../common/async.ts";
import type { attachmentRequests } from "../../shared/attachments.ts";
import type { RequestHandlers } from "../../shared/rpc.ts";
import { AttachmentOffers, type OfferedThing } from "../attachments/attachmentOffers.ts";
import { pickAttachment } from "../attachments/attachmentPick.ts";
import { AttachmentTransfers } from "../attachments/attachmentView.ts";
import type { ChatAttachments } from "../attachments/chatAttachments.ts";

/** Creates the handlers of the chat view's requests about attachments. */
export function attachmentHandlers(
	attachments: () => Promise<ChatAttachments>,
	clock: Clock,
): RequestHandlers<typeof attachmentRequests> {
	const offers = new AttachmentOffers(clock);
	const transfers = new AttachmentTransfers();
	const ask = async (
		use: (attachments: ChatAttachments) => unknown,
	): Promise<Record<string, never>> => {
		await use(await attachments());
		return {};
	};
	return {
		attachFiles: () => ask(current => pickAttachment(current, current.recent)),
		completeAttachment: async ({ query }) => ({ offers: await offers.complete(query) }),
		attachSelection: () => ask(current => current.addShownSelection()),
		attachOffer: ({ id }) => ask(current => attachThing(current, offers.find(id))),
		attachAddresses: ({ addresses }) =>
			ask(current => current.addUris(addresses.map(address => droppedUri(address)))),
		beginTransfer: file => ({ id: transfers.begin(file) }),
		transfer: ({ id, bytes }) => {
			transfers.take(id, bytes);
			return {};
		},
		endTransfer: ({ id }) => ask(current => current.addBytes(transfers.end(id))),
		removeAttachments: ({ ids }) => ask(current => current.remove(ids)),
		confirmAttachment: ({ id }) => ask(current => current.confirm(id)),
		showHidden: ({ id }) => ask(current => current.showHidden(id)),
		openAttachment: ({ id }) => ask(current => current.open(id)),
		attachedImage: async ({ id }) => ({ base64: await (await attachments()).image(id) }),
		retryAttachment: ({ id }) => ask(current => current.retry(id)),
		setAttachmentUse: ({ ids, use }) => ask(current => current.setUse(ids, use)),
	};
}

async function attachThing(
	attachments: ChatAttachments,
	thing: OfferedThing | undefined,
): Promise<void> {
	switch (thing?.type) {
		case "uri":
			return attachments.addUris([thing.uri]);
		case "selection":
			return attachments.addSelection(thing.selection);
		case "problems":
			return attachments.addProblems();
		case "page":
			return attachments.addPage(thing.address);
		case "chat":
			return attachments.addChat();
		case undefined:
			throw new Error(l10n.t("This is no longer available."));
		default:
			return assertNever(thing);
	}
}

/**
 * Converts a dropped URI to a file. The page's claim is untrusted: the file gets the same checks as any other, and requires consent if it is outside
 * the workspace (docs/security.md). Throws if it isn't a file.
 */
export function droppedUri(address: string): vscode.Uri {
	const uri = vscode.Uri.parse(address);
	if (uri.scheme === "file") {
		return uri;
	}
	// The extension runs on the remote machine, whose files are local to it.
	if (uri.scheme === "vscode-remote") {
		return vscode.Uri.file(uri.path);
	}
	const isOfWorkspace = (vscode.workspace.workspaceFolders ?? []).some(
		folder => folder.uri.scheme === uri.scheme && folder.uri.authority === uri.authority,
	);
	if (!isOfWorkspace) {
		throw new Error(l10n.t("Only files can be attached."));
	}
	return uri;
}
