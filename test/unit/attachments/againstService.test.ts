import { expect, test } from "vitest";
import { makeAttachmentBench, failureIn, preparedOf } from "../../helpers/attachmentBench.ts";
import { connectionTo } from "../../helpers/clientHarness.ts";
import { startTestService, testToken } from "../localService/testService.ts";

test("the local service takes what is attached, whatever it is called", async () => {
	const service = await startTestService();
	const connection = connectionTo(service.baseUrl, { apiKey: testToken });
	const { tray, write, add } = await makeAttachmentBench({
		connection: () => Promise.resolve(connection),
	});
	for (const name of ["data.csv", 'a"b\r\n.csv', "数据 🎬.csv", "x".repeat(200)]) {
		await add(await write(name, `${name}\n`));
	}
	tray.attachments.forEach(({ id }) => tray.setUse(id, "codeInterpreter"));
	const ids = (await preparedOf(tray)).map(each => each.kind === "file" && each.fileId);
	expect(new Set(ids).size).toBe(4);
	expect(ids.every(id => typeof id === "string" && id.startsWith("file-"))).toBe(true);
});

test("H6: the local service refuses a file over its limit, and the attachment says so", async () => {
	const service = await startTestService({ limits: { maxFileBytes: 1000 } });
	const connection = connectionTo(service.baseUrl, { apiKey: testToken });
	const { tray, write, add, named } = await makeAttachmentBench({
		connection: () => Promise.resolve(connection),
	});
	await add(await write("large.bin", Buffer.alloc(3_000_000)));
	expect((await tray.prepare()).type).toBe("blocked");
	expect(failureIn(named("large.bin"))).toMatchObject({ kind: "service", mayBeCharged: false });
	expect(failureIn(named("large.bin")).sentence).toContain("This file is too large");
});
