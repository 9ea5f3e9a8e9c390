import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/common/async.ts";
import { isAbortError } from "../../src/common/errors.ts";
import { type LogDetails, silentLog } from "../../src/common/log.ts";
import { EmbeddedModels } from "../../src/localService/embedded/embeddedModels.ts";
import type { ModelPart } from "../../src/localService/openai/completionReader.ts";
import { ensureLlamaBuild } from "../../scripts/llamaBuild.ts";
import { projectRoot } from "../../scripts/project.ts";
import { makeTempFolder } from "../helpers/tempFolder.ts";
import { whyNoLlama } from "./llamaPackage.ts";
import { tinyModel } from "./tinyModel.ts";

const chatTemplate =
	"{% for m in messages %}<s>{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}<s>assistant:{% endif %}";
const tiny = tinyModel({ seed: 5, isEndless: false, chatTemplate });
const calling = tinyModel({ seed: 5, isEndless: true, isCalling: true, chatTemplate });
const endless = tinyModel({ seed: 5, isEndless: true, chatTemplate });

describe.skipIf(whyNoLlama !== undefined)("llama.cpp in a process of the local service", () => {
	let llamaFolder: string;
	let folder: string;
	let embedded: EmbeddedModels;
	/** What was logged of each answer. */
	let answered: LogDetails[];

	beforeAll(async () => {
		llamaFolder = await ensureLlamaBuild();
	});

	beforeEach(async () => {
		folder = await makeTempFolder();
		const childFile = join(folder, "child.mjs");
		await build({
			...{ bundle: true, format: "esm", platform: "node", outfile: childFile },
			entryPoints: [join(projectRoot, "src/localService/embedded/child.ts")],
		});
		await writeFile(join(folder, "tiny.gguf"), tiny);
		await writeFile(join(folder, "endless.gguf"), endless);
		answered = [];
		const log = {
			...silentLog,
			debug: (_: string, details: LogDetails = {}) => void answered.push(details),
		};
		embedded = new EmbeddedModels({
			...{ childFile, llamaFolder, modelsFolder: folder, clock: systemClock, log },
			contextLength: () => 0,
		});
	});

	afterEach(() => embedded.dispose());

	interface Asked {
		readonly model?: string;
		readonly signal?: AbortSignal;
		readonly onPart?: (part: ModelPart) => void;
		readonly max?: number;
	}

	async function ask(
		question: string | readonly string[],
		asked: Asked = {},
	): Promise<readonly ModelPart[]> {
		const messages = [question].flat().map((content, index) => ({
			role: index % 2 === 0 ? "user" : "assistant",
			content,
		}));
		const { model = "tiny.gguf", signal = new AbortController().signal, max = 40 } = asked;
		const parts: ModelPart[] = [];
		for await (const part of embedded.ask({ model, messages, max_tokens: max }, signal)) {
			parts.push(part);
			asked.onPart?.(part);
		}
		return parts;
	}

	const textOf = (parts: readonly ModelPart[]): string =>
		parts.map(part => (part.type === "text" ? part.text : "")).join("");
	const endOf = (parts: readonly ModelPart[]): ModelPart | undefined => parts.at(-1);

	test("a model answers word by word, with its progress, context and tokens", async () => {
		const parts = await ask("Read the first line of the file.");
		const before = parts.slice(
			0,
			parts.findIndex(({ type }) => type === "text"),
		);
		expect(before[0]).toEqual({ type: "progress", stage: "loading", share: 0 });
		expect(before.slice(-2)).toEqual([
			{ type: "progress", stage: "reading", share: 1 },
			{ type: "context", tokens: 4_096 },
		]);
		expect(parts.filter(({ type }) => type === "text").length).toBeGreaterThan(1);
		expect(textOf(parts)).toMatch(/[a-z]+ [a-z]+/);
		expect(endOf(parts)).toMatchObject({ type: "end", usage: { input: expect.any(Number) } });
	});

	test("a chat is read on from where it was, and another chat in between changes nothing", async () => {
		const first = ["word ".repeat(500), "An answer.", "And now?"];
		const other = ["line ".repeat(300), "Another answer.", "And then?"];
		for (const messages of [first.slice(0, 1), other.slice(0, 1), first, other]) {
			await ask(messages, { max: 4 });
		}
		const reads = answered.map(({ input, kept }) => Number(input) - Number(kept));
		expect(answered[2]?.["kept"]).toBeGreaterThan(500);
		expect(answered[3]?.["kept"]).toBeGreaterThan(300);
		expect(Math.max(...reads.slice(2))).toBeLessThan(60);
	});

	test("a call is JSON with the name of a tool, whatever the model would write", async () => {
		await writeFile(join(folder, "calling.gguf"), calling);
		const tools = ["look", "read_file"].map(name => ({ type: "function", function: { name } }));
		for (const content of ["Look", "Read it", "What is there?"]) {
			const body = { model: "calling.gguf", messages: [{ role: "user", content }], tools };
			const parts: ModelPart[] = [];
			for await (const part of embedded.ask(body, new AbortController().signal)) {
				parts.push(part);
			}
			const end = parts.at(-1);
			const [call] = end?.type === "end" ? end.calls : [];
			expect(["look", "read_file"]).toContain(call?.name);
			expect(JSON.parse(call?.arguments ?? "")).toBeTypeOf("object");
		}
	});

	test("Stop ends an answer at once, and the next question is answered", async () => {
		const stopper = new AbortController();
		let stoppedAt = 0;
		const asked = ask("Go on", {
			...{ model: "endless.gguf", signal: stopper.signal, max: 3_000 },
			onPart: ({ type }) => {
				if (type === "text" && stoppedAt === 0) {
					stoppedAt = performance.now();
					stopper.abort();
				}
			},
		});
		const error: unknown = await asked.catch((reason: unknown) => reason);
		expect(isAbortError(error)).toBe(true);
		expect(performance.now() - stoppedAt).toBeLessThan(300);
		expect(textOf(await ask("Hi", { model: "endless.gguf", max: 5 }))).not.toBe("");
	});

	test("a process that is killed is one sentence, and the next question starts another", async () => {
		const asked = ask("Go on", {
			...{ model: "endless.gguf", max: 3_000 },
			onPart: ({ type }) => {
				if (type === "text" && embedded.pid !== undefined) {
					process.kill(embedded.pid, "SIGKILL");
				}
			},
		});
		await expect(asked).rejects.toMatchObject({ name: "HttpFailure", code: "model_ended" });
		expect(textOf(await ask("Hi"))).not.toBe("");
	});

	test("a file deleted while it answers changes nothing until the model is loaded again", async () => {
		expect(textOf(await ask("Hi"))).not.toBe("");
		await writeFile(join(folder, "tiny.gguf"), "");
		expect(textOf(await ask("And now?"))).not.toBe("");
	});

	test.each<[string, Buffer, string]>([
		["has no bytes", Buffer.alloc(0), "is empty"],
		["is cut", tiny.subarray(0, tiny.length - 100_000), "not"],
		["is of a kind that is not known", replaced(tiny, "llama", "llamx"), "could not load"],
		["has no template", tinyModel({ seed: 1, isEndless: false }), "chat template"],
		[
			"has a broken template",
			tinyModel({ seed: 1, isEndless: false, chatTemplate: "{% for %}" }),
			"chat template",
		],
	])("a file that %s is one sentence", async (_, bytes, words) => {
		await writeFile(join(folder, "bad.gguf"), bytes);
		await expect(ask("Hi", { model: "bad.gguf" })).rejects.toMatchObject({
			...{ name: "HttpFailure", message: expect.stringContaining(words) },
		});
	});

	test("a conversation that is longer than the context is told as that", async () => {
		const asked = ask("word ".repeat(6_000));
		await expect(asked).rejects.toMatchObject({ name: "HttpFailure", status: 400 });
	});
});

function replaced(bytes: Buffer, from: string, to: string): Buffer {
	return Buffer.from(bytes.toString("latin1").replaceAll(from, to), "latin1");
}
