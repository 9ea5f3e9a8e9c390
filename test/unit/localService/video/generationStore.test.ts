import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GenerationStore } from "../../../../src/localService/video/generationStore.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const recordOf = (id: string) => ({
	id,
	createdAt: 0,
	owner: { machine: "m", pid: 1, run: "r" },
	type: "text-to-video" as const,
	params: { prompt: "A cat" },
});

test("Only an id that the store gave is ever looked for on the disk", async () => {
	const folder = join(await makeTempFolder(), "generations");
	const store = new GenerationStore(folder);
	const own = `gen-${"a".repeat(22)}`;
	await store.write(recordOf(own));
	expect(await store.read(own, 1)).toMatchObject({ id: own });
	await mkdir(join(folder, "sub"));
	const others = [
		`../gen-${"b".repeat(22)}`,
		`sub/gen-${"c".repeat(22)}`,
		`sub/../${own}`,
		`./${own}`,
		"gen-short",
		`gen-${"d".repeat(23)}`,
		`${own}.json`,
	];
	for (const id of others) {
		await writeFile(join(folder, `${id}.json`), JSON.stringify(recordOf(id)));
		expect(await store.read(id, 1)).toBeUndefined();
	}
});
