// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { transferFiles } from "../../../../../media/chat/composer/attaching.ts";
import { maxTransferBytes, transferPieceBytes } from "../../../../../src/shared/attachments.ts";
import { AttachmentTransfers } from "../../../../../src/ui/attachments/attachmentView.ts";
import { chatRequests } from "../../../../../src/shared/chat.ts";
import { maxMessageCharacters } from "../../../../../src/shared/rpc.ts";
import { parse } from "zod/mini";

vi.mock("../../../../../src/editor/workspaceFiles.ts", () => ({}));

/** A host that takes transfers as the real one does and keeps what arrived. */
function createScene() {
	const transfers = new AttachmentTransfers();
	const arrived: { name: string; bytes: Uint8Array }[] = [];
	const sizes: number[] = [];
	const handlers: Record<string, (params: never) => unknown> = {
		beginTransfer: (file: { name: string; size: number }) => ({ id: transfers.begin(file) }),
		transfer: ({ id, bytes }: { id: string; bytes: string }) => {
			transfers.take(id, bytes);
			return {};
		},
		endTransfer: ({ id }: { id: string }) => {
			arrived.push(transfers.end(id));
			return {};
		},
	};
	const host = {
		call: (method: keyof typeof chatRequests, params: unknown) => {
			sizes.push(JSON.stringify({ type: "request", id: 1e9, method, params }).length);
			return Promise.resolve(
				handlers[method]?.(parse(chatRequests[method].params, params) as never),
			);
		},
	};
	return { arrived, sizes, host: host as Parameters<typeof transferFiles>[0] };
}

test("A file of several pieces arrives byte for byte, and no message is over the cap", async () => {
	const { arrived, sizes, host } = createScene();
	const bytes = Uint8Array.from({ length: 2 * transferPieceBytes + 7 }, (_, index) => index % 251);
	await transferFiles(host, [new File([bytes], 'na"me\n.bin'), new File([], "empty.txt")]);
	expect(arrived.map(({ name }) => name)).toEqual(['na"me\n.bin', "empty.txt"]);
	expect(Buffer.from(arrived[0]?.bytes ?? []).equals(Buffer.from(bytes))).toBe(true);
	expect(arrived[1]?.bytes).toHaveLength(0);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(maxMessageCharacters);
});

test("A file that is too large is refused before anything of it is sent", async () => {
	const { sizes, host } = createScene();
	const file = new File(["x"], "big.bin");
	Object.defineProperty(file, "size", { value: maxTransferBytes + 1 });
	await expect(transferFiles(host, [file])).rejects.toThrow(/big\.bin has 20\.0 MB; at most/);
	expect(sizes).toEqual([]);
});

test("T19: what arrives longer or shorter than announced is refused", () => {
	const transfers = new AttachmentTransfers();
	const long = transfers.begin({ name: "a", size: 2 });
	expect(() => transfers.take(long, Buffer.from("abc").toString("base64"))).toThrow(
		/didn't arrive complete/,
	);
	expect(() => transfers.end(long)).toThrow(/didn't arrive/);
	const short = transfers.begin({ name: "b", size: 4 });
	transfers.take(short, Buffer.from("abc").toString("base64"));
	expect(() => transfers.end(short)).toThrow(/didn't arrive complete/);
});

test("Transfers that were given up make room", () => {
	const transfers = new AttachmentTransfers();
	const ids = Array.from({ length: 5 }, () => transfers.begin({ name: "a", size: 0 }));
	expect(() => transfers.end(ids[0] ?? "")).toThrow();
	expect(transfers.end(ids[4] ?? "").bytes).toHaveLength(0);
});
