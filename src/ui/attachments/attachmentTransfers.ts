import { randomUUID } from "node:crypto";
import * as l10n from "@vscode/l10n";

export interface TransferredFile {
	readonly name: string;
	readonly bytes: Uint8Array;
}

interface Transfer {
	readonly name: string;
	readonly bytes: Uint8Array;
	received: number;
}

/** The most concurrent transfers. The page sends one at a time, so the oldest of more was abandoned. */
const maxTransfers = 4;

/** Files being transferred from the webview in parts. */
export class AttachmentTransfers {
	private readonly transfers = new Map<string, Transfer>();

	/** Starts a transfer and returns its id. */
	begin({ name, size }: { readonly name: string; readonly size: number }): string {
		const { transfers } = this;
		const oldest = transfers.keys().next();
		if (transfers.size >= maxTransfers && !oldest.done) {
			transfers.delete(oldest.value);
		}
		const id = randomUUID();
		transfers.set(id, { name, bytes: new Uint8Array(size), received: 0 });
		return id;
	}

	/** Adds the next part, in base64. Throws if the transfer doesn't exist or is longer than announced. */
	take(id: string, piece: string): void {
		const transfer = this.find(id);
		const bytes = Buffer.from(piece, "base64");
		if (transfer.received + bytes.byteLength > transfer.bytes.byteLength) {
			this.transfers.delete(id);
			throw incomplete();
		}
		transfer.bytes.set(bytes, transfer.received);
		transfer.received += bytes.byteLength;
	}

	/** Returns the complete file. Throws unless its size is as announced. */
	end(id: string): TransferredFile {
		const { name, bytes, received } = this.find(id);
		this.transfers.delete(id);
		if (received !== bytes.byteLength) {
			throw incomplete();
		}
		return { name, bytes };
	}

	private find(id: string): Transfer {
		const transfer = this.transfers.get(id);
		if (!transfer) {
			throw incomplete();
		}
		return transfer;
	}
}

function incomplete(): Error {
	return new Error(l10n.t("The file didn't arrive complete. Drop or paste it again."));
}
