import * as l10n from "@vscode/l10n";
import {
	maxTransferBytes,
	transferPieceBytes,
	type ChatPushes,
	type ChatRequests,
} from "../../../src/shared/index.ts";
import type { Host } from "../../shared/host.ts";
import { formatBytes } from "../widgets/index.ts";

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
