import { expect, test } from "vitest";
import { isAbortError } from "../../../../../src/common/errors.ts";
import { silentLog } from "../../../../../src/common/log.ts";
import { ClipExports } from "../../../../../src/ui/video/views/clipExports.ts";

const request = { format: "webp", width: 480, isLooping: true, hasCaptions: false } as const;

/** A page that keeps what it is told; `takes` false is one that is gone. */
function pageOf(takes = true) {
	const told: { readonly event: string; readonly id: number }[] = [];
	const push = (event: string, data: unknown): Promise<boolean> => {
		told.push({ event, id: (data as { id: number }).id });
		return Promise.resolve(takes);
	};
	return { told, host: { push } };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

test("a file is put together from its parts, in order, and progress is told", async () => {
	const exports = new ClipExports(silentLog);
	const page = pageOf();
	const shares: number[] = [];
	const file = exports.run(page, request, new AbortController().signal, share =>
		shares.push(share),
	);
	await exports.handlers.exportProgress({ id: 1, share: 0.5 });
	await exports.handlers.exportPart({ id: 1, base64: base64("abc"), isLast: false });
	await exports.handlers.exportPart({ id: 1, base64: base64("de"), isLast: true });
	expect((await file).toString()).toBe("abcde");
	expect(shares).toEqual([0.5]);
	expect(page.told).toEqual([{ event: "export", id: 1 }]);
});

test("parts of two exports at once do not mix", async () => {
	const exports = new ClipExports(silentLog);
	const { signal } = new AbortController();
	const first = exports.run(pageOf(), request, signal, () => undefined);
	const second = exports.run(pageOf(), request, signal, () => undefined);
	await exports.handlers.exportPart({ id: 2, base64: base64("two"), isLast: true });
	await exports.handlers.exportPart({ id: 1, base64: base64("one"), isLast: true });
	expect(String(await first)).toBe("one");
	expect(String(await second)).toBe("two");
});

test("a cancelled export stops the page and is no failure", async () => {
	const exports = new ClipExports(silentLog);
	const page = pageOf();
	const stopper = new AbortController();
	const file = exports.run(page, request, stopper.signal, () => undefined);
	stopper.abort();
	await expect(file).rejects.toSatisfy(isAbortError);
	expect(page.told.map(({ event }) => event)).toEqual(["export", "stopExport"]);
	// A part that was on its way is nobody's.
	expect(await exports.handlers.exportPart({ id: 1, base64: "", isLast: true })).toEqual({});
});

test("what the page cannot do is a sentence with a next step", async () => {
	const exports = new ClipExports(silentLog);
	const file = exports.run(pageOf(), request, new AbortController().signal, () => undefined);
	await exports.handlers.exportFailed({ id: 1, reason: "cannotEncode", detail: "avc" });
	await expect(file).rejects.toThrow(
		"This editor has no encoder for MP4. Choose animated WebP, or save the clip as it is.",
	);
});

test("a file that grows too large is a sentence with a next step, too", async () => {
	const exports = new ClipExports(silentLog);
	const file = exports.run(pageOf(), request, new AbortController().signal, () => undefined);
	await exports.handlers.exportFailed({ id: 1, reason: "tooLarge", detail: "300000000" });
	await expect(file).rejects.toThrow(
		"The file would have more than 256 MB. Choose a smaller width or another format.",
	);
});

test("a page that is gone ends its exports, and only its own", async () => {
	const exports = new ClipExports(silentLog);
	const [gone, other] = [pageOf(), pageOf()];
	const { signal } = new AbortController();
	const lost = exports.run(gone, request, signal, () => undefined);
	const kept = exports.run(other, request, signal, () => undefined);
	exports.fail(gone, new Error("The tab was closed."));
	await expect(lost).rejects.toThrow("The tab was closed.");
	await exports.handlers.exportPart({ id: 2, base64: base64("x"), isLast: true });
	expect(String(await kept)).toBe("x");
	await expect(exports.run(pageOf(false), request, signal, () => undefined)).rejects.toThrow(
		"The clip couldn't be exported.",
	);
});
