import { randomUUID } from "node:crypto";
import * as l10n from "@vscode/l10n";

/** A file that came out of the webview. */
export interface TransferredFile {
	readonly name: string;
	readonly bytes: Uint8Array;
}

/** Files on their way out of the webview, piece by piece. */
export interface AttachmentTransfers {
	/** Announces a file; returns the id its pieces come under. */
	begin(file: { readonly name: string; readonly size: number }): string;
	/** Takes the next piece, in base64. Throws when there is no such transfer or it is longer than announced. */
	take(id: string, piece: string): void;
	/** The file, whole. Throws unless it is exactly as long as announced. */
	end(id: string): TransferredFile;
}

interface Transfer {
	readonly name: string;
	readonly bytes: Uint8Array;
	received: number;
}

/** Transfers under way at once; the page sends one after the other, so the oldest of more was given up. */
const maxTransfers = 4;

/** Makes an empty set of transfers. */
export function createAttachmentTransfers(): AttachmentTransfers {
	const transfers = new Map<string, Transfer>();
	const find = (id: string): Transfer => {
		const transfer = transfers.get(id);
		if (!transfer) {
			throw new Error(l10n.t("The file didn't arrive complete. Drop or paste it again."));
		}
		return transfer;
	};
	return {
		begin: ({ name, size }) => {
			const oldest = transfers.keys().next();
			if (transfers.size >= maxTransfers && !oldest.done) {
				transfers.delete(oldest.value);
			}
			const id = randomUUID();
			transfers.set(id, { name, bytes: new Uint8Array(size), received: 0 });
			return id;
		},
		take: (id, piece) => {
			const transfer = find(id);
			const bytes = Buffer.from(piece, "base64");
			if (transfer.received + bytes.byteLength > transfer.bytes.byteLength) {
				transfers.delete(id);
				throw new Error(
					l10n.t("{0} is larger than expected. Drop or paste it again.", transfer.name),
				);
			}
			transfer.bytes.set(bytes, transfer.received);
			transfer.received += bytes.byteLength;
		},
		end: id => {
			const { name, bytes, received } = find(id);
			transfers.delete(id);
			if (received !== bytes.byteLength) {
				throw new Error(l10n.t("{0} didn't arrive complete. Drop or paste it again.", name));
			}
			return { name, bytes };
		},
	};
}
