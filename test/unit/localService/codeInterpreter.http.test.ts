// @module-tag thorough
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { writtenFileAt } from "../../../src/common/writtenFile.ts";
import { demoEngine } from "../../../src/localService/demo/demoEngine.ts";
import type { Engine } from "../../../src/localService/engine.ts";
import { LocalServer } from "../../../src/localService/http/server.ts";
import { echoEngine } from "../../helpers/echoEngine.ts";
import { type BuiltPython, buildPython } from "../../helpers/pythonFiles.ts";
import { createRandom } from "../../helpers/random.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";
import { authorization, testToken } from "./testService.ts";
import { images } from "./video/videoFixtures.ts";

interface Message {
	readonly role: string;
	readonly content: string;
}

interface FileReference {
	readonly file_id: string;
	readonly name: string;
	readonly type: string;
}

/** Looks into tables as the demo does, and runs the blocks of Python that a question holds. */
const engine: Engine = {
	answer: (request, ...rest) =>
		(request.messages.at(-1)?.content.includes("```") ? echoEngine : demoEngine).answer(
			request,
			...rest,
		),
};

const shadeName = 'the "shade", if any';

let built: BuiltPython;
let server: LocalServer;
/** One conversation, so that one Python serves all tests that do not ask for another. */
let messages: readonly Message[] = [];

beforeAll(async () => {
	built = await buildPython();
	server = await LocalServer.start({
		token: testToken,
		engine,
		filesFolder: `${built.folder}/files`,
		python: built.options,
	});
}, 60_000);

afterAll(async () => {
	await server.stop();
	await built.remove();
});

async function upload(
	name: string,
	content: string | Uint8Array<ArrayBuffer>,
	type: string,
): Promise<FileReference> {
	const form = new FormData();
	form.append("file", new Blob([content], { type }), name);
	const response = await fetch(`${server.baseUrl}/v1/files`, {
		method: "POST",
		headers: authorization,
		body: form,
	});
	const { file_id } = (await response.json()) as { file_id: string };
	return { file_id, name, type };
}

function post(body: object, conversation = "shared"): Promise<Response> {
	return fetch(`${server.baseUrl}/v1/chat/messages`, {
		method: "POST",
		headers: {
			...authorization,
			"Content-Type": "application/json",
			...(conversation === "" ? {} : { "x-cutaway-details": conversation }),
		},
		body: JSON.stringify({ model: "llm-4-turbo-tools", tools: ["code_interpreter"], ...body }),
	});
}

/** Goes on with the one conversation and returns the texts of the answer. */
async function ask(content: string, files: readonly FileReference[] = []): Promise<string[]> {
	messages = [...messages, { role: "user", content }];
	const response = await post({ messages, files });
	const body = (await response.json()) as { messages: Message[] };
	messages = [...messages, ...body.messages];
	return body.messages.map(message => message.content);
}

/** The cells of a Markdown table, by row, its head and rule left out. */
const cellsOf = (text = ""): string[][] =>
	text
		.split("\n")
		.filter(line => line.startsWith("|"))
		.slice(2)
		.map(line => line.slice(2, -2).split(" | "));

test("a question about a CSV file is answered with the code that ran, its output, and figures that JavaScript finds too", async () => {
	const random = createRandom(4);
	const rows = Array.from({ length: 3000 }, (_, index) => ({
		id: String(index + 1),
		amount: random.next() < 0.1 ? "" : ((random.next() - 0.5) * 10 ** random.below(7)).toFixed(3),
		[shadeName]: random.pick(["red", "green, light", 'the "blue"', "NA"]),
		day: `2026-0${1 + random.below(9)}-1${random.below(10)}`,
	}));
	const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
	const names = Object.keys(rows[0] ?? {});
	const csv = [names, ...rows.map(row => Object.values(row))].map(row => row.map(quote).join(";"));
	const file = await upload("sales.csv", `\uFEFF${csv.join("\r\n")}\r\n`, "text/csv");

	const [code, output, answer, ...rest] = await ask("Summarize it", [file]);
	expect(rest).toEqual([]);
	expect(code).toMatch(/^```python\npath = "sales\.csv"\n[\s\S]*\n```$/);
	expect(output).toMatch(/^\*\*Output\*\*\n\n```text\n3,000 rows, 4 columns\n```\n\n\| column /);
	expect(answer).toContain("`sales.csv`: 3,000 rows, 4 columns");

	const amounts = rows.flatMap(({ amount }) => (amount === "" ? [] : [Number(amount)]));
	const shades = rows.map(row => row[shadeName]).filter(shade => shade !== "NA");
	const days = rows.map(row => row.day).toSorted();
	const mean = amounts.reduce((sum, amount) => sum + amount, 0) / amounts.length;
	const [ids, amount, shade, day] = cellsOf(answer);
	expect(ids).toEqual(["id", "integer", "0", "1", "3000", "1500.5", "over 1000"]);
	expect(amount?.slice(0, 3)).toEqual(["amount", "number", String(rows.length - amounts.length)]);
	const figures = amount?.slice(3, 6).map(Number) ?? [];
	for (const [index, figure] of [Math.min(...amounts), Math.max(...amounts), mean].entries()) {
		expect(figures[index]).toBeCloseTo(figure, 3);
	}
	expect(shade?.slice(1)).toEqual(["text", String(3000 - shades.length), "", "", "", "3"]);
	expect(day).toEqual(["day", "date", "0", days[0], days.at(-1), "", String(new Set(days).size)]);
	expect(cellsOf(output)).toEqual(cellsOf(answer));
	expect((await ask("Explain the selected code.", [file])).join()).toContain("I can't read code");
	expect((await ask("And sales.csv?", [file])).at(-1)).toContain("`sales.csv`: 3,000 rows");
}, 60_000);

test("a table that cannot be read, and files that are no tables, are said to be so", async () => {
	const about = async (
		name: string,
		content: string | Uint8Array<ArrayBuffer>,
		type: string,
	): Promise<string> =>
		(await ask(`What is in ${name}?`, [await upload(name, content, type)])).at(-1) ?? "";
	const broken = Uint8Array.of(0xff, 0xfe, 0x00);
	expect(await about("broken.csv", broken, "text/csv")).toContain("`broken.csv`");
	expect(await about("dot.png", images.png, "image/png")).toContain("I can't read code");
	expect(await about("notes.txt", "one two", "text/plain")).toContain("I can't read code");
}, 60_000);

test("a fenced Python block runs as it is, in the conversation's own Python", async () => {
	const file = await upload("numbers.txt", "1\n2\n3\n", "text/plain");
	const [code, output] = await ask(
		"Please run\n```python\nnumbers = [int(line) for line in open('numbers.txt')]\nprint(sum(numbers))\n```\nthanks",
		[file],
	);
	expect(code).toBe(
		"```python\nnumbers = [int(line) for line in open('numbers.txt')]\nprint(sum(numbers))\n```",
	);
	expect(output).toBe("**Output**\n\n```text\n6\n```");
	expect((await ask("```py\nmax(numbers)\n```"))[1]).toBe("**Output**\n\n```text\n3\n```");
	const [, failed] = await ask("```python\n1 / 0\n```");
	expect(failed).toMatch(
		/^\*\*Output \(error\)\*\*\n\n```text\nTraceback [\s\S]*ZeroDivisionError: division by zero\n```$/,
	);
}, 60_000);

test("written texts and images are shown inside the message", async () => {
	const png = Buffer.from(images.png).toString("base64");
	const [, output] = await ask(
		`\`\`\`python\nimport base64\nopen('dot.png', 'wb').write(base64.b64decode('${png}'))\nopen('a.csv', 'w').write('a,b')\nNone\n\`\`\``,
	);
	expect(output).toMatch(
		/Wrote `a\.csv`, 3 bytes \(\[Save As…\]\(cutaway-file:[\w-]+\/a\.csv\)\):\n\n```csv\na,b\n```/,
	);
	expect(output).toContain(`![dot.png](data:image/png;base64,${png})`);
}, 60_000);

test("streamed, each message has its own [DONE] and the code comes before it runs", async () => {
	const response = await post({
		messages: [...messages, { role: "user", content: "```python\nprint('x')\n```" }],
		stream: true,
	});
	const text = await response.text();
	expect(text.match(/data: \[DONE\]/g)).toHaveLength(3);
	expect(text).toMatch(
		/^data: \{"role":"assistant","content":""\}\n\ndata: \{"content":"```python/,
	);
	expect(text).toMatch(/data: \[DONE\]\n\ndata: \[END\]\n\n$/);
}, 60_000);

test("without the tool files stay closed", async () => {
	const file = await upload("b.csv", "a\n1\n", "text/csv");
	const closed = await post({
		messages: [{ role: "user", content: "What is in b.csv?" }],
		files: [file],
		tools: [],
	});
	const body = (await closed.json()) as { messages: Message[] };
	expect(body.messages[0]?.content).toContain("I can't read code");
});

test("a conversation keeps its variables by its id, and a request without one sees none", async () => {
	const last = async (code: string, conversation: string): Promise<string> => {
		const messages = [{ role: "user", content: `\`\`\`python\n${code}\n\`\`\`` }];
		const response = await post({ messages }, conversation);
		return ((await response.json()) as { messages: Message[] }).messages[1]?.content ?? "";
	};
	const peek = "'secret' in globals()";
	await last("secret = 1", "one");
	expect(await last(peek, "one")).toContain("True");
	expect(await last(peek, "another")).toContain("False");
	await last("secret = 1", "");
	expect(await last(peek, "")).toContain("False");
}, 180_000);

test("a file that code writes is kept for saving, and its message has a link to it", async () => {
	const [, output = ""] = await ask("```python\nopen('sum (1).txt', 'w').write('42')\n```");
	const address = /\(\[Save As…\]\(([^)]+)\)\)/.exec(output)?.[1] ?? "";
	const { id = "", name } = writtenFileAt(address) ?? {};
	expect(name).toBe("sum (1).txt");
	expect(await readFile(join(built.folder, "files", id), "utf8")).toBe("42");
}, 60_000);

test("a file the service does not hold is refused by name of its place", async () => {
	const response = await post({
		messages: [{ role: "user", content: "?" }],
		files: [{ file_id: "file-gone", name: "a.csv", type: "text/csv" }],
	});
	expect(response.status).toBe(400);
	expect(await response.text()).toContain("files[0].file_id: the service holds no such file");
});

test("a caller that leaves while Python runs ends the run, and the service goes on", async () => {
	const leaving = new AbortController();
	const folder = await makeTempFolder();
	const own = await LocalServer.start({
		token: testToken,
		engine,
		filesFolder: `${folder}/files`,
		python: built.options,
	});
	onTestFinished(() => own.stop());
	const request = (content: string, signal?: AbortSignal): Promise<Response> =>
		fetch(`${own.baseUrl}/v1/chat/messages`, {
			method: "POST",
			headers: { ...authorization, "Content-Type": "application/json" },
			body: JSON.stringify({
				model: "llm-4-turbo-tools",
				tools: ["code_interpreter"],
				stream: true,
				messages: [{ role: "user", content }],
			}),
			...(signal ? { signal } : {}),
		});
	const response = await request("```python\nwhile True: pass\n```", leaving.signal);
	const reader = response.body?.getReader();
	await reader?.read();
	leaving.abort();
	await expect(reader?.read()).rejects.toMatchObject({ name: "AbortError" });
	expect(await (await request("Hello")).text()).toContain("No model");
}, 60_000);
