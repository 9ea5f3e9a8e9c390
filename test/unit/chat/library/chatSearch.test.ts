import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ChatFound, ChatLibrary } from "../../../../src/chat/library/chatLibrary.ts";
import { type FileSystem, nodeFileSystem } from "../../../../src/storage/fileSystem.ts";
import { systemClock } from "../../../../src/common/async.ts";
import { turnsOfEveryKind, keepChat, turnRecords } from "../../../helpers/keptChats.ts";

function libraryOf(folder: string, files?: FileSystem): ChatLibrary {
	const library = new ChatLibrary({ folder, clock: systemClock, ...(files ? { files } : {}) });
	onTestFinished(() => library.dispose());
	return library;
}

async function foundIn(folder: string, query: string, limit?: number): Promise<ChatFound[]> {
	const options = limit === undefined ? {} : { limit };
	const found: ChatFound[] = [];
	for await (const place of libraryOf(folder).search(query, options)) {
		found.push(place);
	}
	return found;
}

/** An excerpt with what was found between brackets. */
function marked({ excerpt, ranges }: ChatFound): string {
	return ranges.reduceRight(
		(text, { start, end }) =>
			`${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`,
		excerpt,
	);
}

describe("a search", () => {
	test.each([
		["meaning life", "t1", "question", "What is the [meaning] of [Life]?"],
		["FORTY", "t1", "answer", "The answer is [forty]-two."],
		["interrupted", "t2", "answer", "An [interrupted] word, then"],
		["parquet", "t2", "tool", "42 rows in quarterly.[parquet]"],
		["second try", "t2", "answer", "A [second] [try]"],
		["ubersicht", "t2", "attachment", "[Übersicht].csv"],
		["ledger", "t2", "tool", '{"path":"[ledger].ts"}'],
		["line 7", "t2", "tool", "Inserted at [line] [7]"],
		["came whole", "t3", "answer", "[Came] [whole]"],
		["budget quarterly", "t2", "question", "And the [budget]?"],
	])("for %j finds turn %s, by its %s", async (query, turnId, speaker, excerpt) => {
		const { folder, id } = await keepChat(systemClock, turnsOfEveryKind());
		const found = await foundIn(folder, query);
		expect(found).toMatchObject([{ chat: { id }, turnId, speaker }]);
		expect(found.map(marked)).toEqual([excerpt]);
	});

	test("finds a chat by its name, and turns by words of which some are in the name", async () => {
		const { folder, id } = await keepChat(systemClock, turnsOfEveryKind());
		await libraryOf(folder).rename(id, "Holiday plans");
		expect((await foundIn(folder, "holiday")).map(({ turnId }) => turnId)).toEqual([undefined]);
		expect((await foundIn(folder, "plans budget")).map(({ turnId }) => turnId)).toEqual(["t2"]);
	});

	test("finds nothing when a word is nowhere, when there is none, and in deleted chats", async () => {
		const { folder, id } = await keepChat(systemClock, turnsOfEveryKind());
		expect(await foundIn(folder, "budget nowhere")).toEqual([]);
		expect(await foundIn(folder, "  ")).toEqual([]);
		await libraryOf(folder).delete(id);
		expect(await foundIn(folder, "budget")).toEqual([]);
	});

	test("gives the chat changed last first, and its latest turn first, up to the limit", async () => {
		const three = [1, 2, 3].map(turn => turnRecords(turn, "common ground"));
		const old = await keepChat(systemClock, three);
		const recent = await keepChat(systemClock, three, old.folder);
		await nodeFileSystem.touch(old.path, 1000);
		const found = await foundIn(old.folder, "common", 4);
		expect(found.map(({ chat, turnId }) => [chat.id, turnId])).toEqual([
			[recent.id, "t3"],
			[recent.id, "t2"],
			[recent.id, "t1"],
			[old.id, "t3"],
		]);
	});

	test("shows what is around a match in a long text, in one line", async () => {
		const words = (count: number): string =>
			Array.from({ length: count }, () => "filler").join("\n");
		const { folder } = await keepChat(systemClock, [
			turnRecords(1, `${words(5000)} needle\n\n ${words(5000)}`),
		]);
		const [found] = await foundIn(folder, "needle");
		expect(found && marked(found)).toMatch(/^…(filler ){5}\[needle\] (filler ){16,}filler…$/);
	});

	test("passes over what cannot be read", async () => {
		const { folder, id } = await keepChat(systemClock, turnsOfEveryKind());
		await writeFile(join(folder, "broken.jsonl"), "budget?\n");
		expect(await foundIn(folder, "budget")).toMatchObject([{ chat: { id } }]);
	});

	test("reads one chat at a time, and none after it is aborted", async () => {
		const first = await keepChat(systemClock, turnsOfEveryKind());
		for (let count = 0; count < 5; count += 1) {
			await keepChat(systemClock, turnsOfEveryKind(), first.folder);
		}
		let reads = 0;
		const files: FileSystem = {
			...nodeFileSystem,
			read: path => {
				reads += path.endsWith(".jsonl") ? 1 : 0;
				return nodeFileSystem.read(path);
			},
		};
		const abort = new AbortController();
		const search = libraryOf(first.folder, files).search("budget", { signal: abort.signal });
		const looking = async (): Promise<void> => {
			for await (const { turnId } of search) {
				expect(turnId).toBe("t2");
				expect(reads).toBe(1);
				abort.abort();
			}
		};
		await expect(looking()).rejects.toMatchObject({ name: "AbortError" });
		expect(reads).toBe(1);
	});
});
