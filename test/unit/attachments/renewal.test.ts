import { rm, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { makeAttachmentBench, preparedOf } from "../../helpers/attachmentBench.ts";
import { connectionTo } from "../../helpers/clientHarness.ts";

test("files of earlier turns are not sent again while the service holds them", async () => {
	const { service, tray, write, add } = await makeAttachmentBench();
	await add(await write("data.csv", "a\n"));
	const earlier = await preparedOf(tray);
	tray.clear();
	expect(await preparedOf(tray, { earlier })).toEqual([]);
	expect(service.posts).toBe(1);
});

test("a service that lost what it held, as one that was restarted, gets the same bytes again", async () => {
	const { service, tray, write, add, another } = await makeAttachmentBench();
	await add(await write("data.csv", "a\n"));
	const earlier = await preparedOf(tray);
	const restarted = another({
		connection: () => Promise.resolve(connectionTo(service.url, { apiKey: "of-the-next-run" })),
	});
	const carried = await preparedOf(restarted, { earlier });
	expect(carried).toMatchObject([
		{ kind: "file", name: "data.csv", fileId: "file-2", isCarried: true },
	]);
	expect(await preparedOf(restarted, { earlier: [...earlier, ...carried] })).toEqual([]);
	expect(service.posts).toBe(2);
});

test("a file the service does not know any more is sent again once that was reported, not before", async () => {
	const { service, tray, write, add } = await makeAttachmentBench();
	await add(await write("data.csv", "a\n"));
	const sent = await preparedOf(tray);
	expect(await tray.renew(sent)).toBe(sent);
	expect(await tray.renew(sent, { areForgotten: true })).toMatchObject([
		{ kind: "file", fileId: "file-2" },
	]);
	expect(service.posts).toBe(2);
});

test.each([
	["changed", (path: string) => writeFile(path, "b\n")],
	["is gone", (path: string) => rm(path)],
])(
	"a file of an earlier turn that %s is not sent in its place, but called lost",
	async (_what, change) => {
		const { service, tray, write, add } = await makeAttachmentBench();
		const path = await write("data.csv", "a\n");
		await add(path);
		const earlier = await preparedOf(tray);
		tray.clear();
		await change(path);
		const carried = await tray.renew(earlier, { areForgotten: true });
		expect(carried).toMatchObject([{ kind: "lostFile", name: "data.csv" }]);
		expect(await preparedOf(tray, { earlier: [...earlier, ...carried] })).toEqual([]);
		expect(service.posts).toBe(1);
	},
);

test("a text of an earlier turn stays as it was sent", async () => {
	const { tray, write, add } = await makeAttachmentBench();
	await add(await write("a.md", "a\n"));
	const sent = await preparedOf(tray);
	expect(await tray.renew(sent)).toEqual(sent);
});

test("a question asked again carries the files of turns before it that the service forgot", async () => {
	const { service, tray, write, add } = await makeAttachmentBench();
	await add(await write("first.csv", "a\n"));
	const earlier = await preparedOf(tray);
	tray.clear();
	await add(await write("second.csv", "b\n"));
	const own = await preparedOf(tray);
	expect(await tray.renew(own, { earlier, areForgotten: true })).toMatchObject([
		{ name: "first.csv", fileId: "file-4", isCarried: true },
		{ name: "second.csv", fileId: "file-3" },
	]);
	expect(service.posts).toBe(4);
});
