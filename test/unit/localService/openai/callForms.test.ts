import { expect, test } from "vitest";
import { withWrittenCalls } from "../../../../src/localService/openai/callFilter.ts";
import type { CompletionPart } from "../../../../src/localService/openai/completionReader.ts";
import { createRandom } from "../../../helpers/random.ts";
import { written } from "./writtenCalls.ts";

const properties = {
	path: { type: "string" },
	line: { type: "integer" },
	all: { type: "boolean" },
	names: {
		type: "array",
		items: { type: "string" },
	},
};
const tools = ["read_file", "list_files"].map(name => ({
	type: "function",
	function: { name, parameters: { type: "object", properties } },
}));

interface Read {
	readonly text: string;
	readonly unread: string;
	readonly calls: readonly { readonly name: string; readonly input: unknown }[];
}

async function read(pieces: readonly string[]): Promise<Read> {
	async function* parts(): AsyncGenerator<CompletionPart> {
		for (const text of pieces) {
			yield { type: "text", text };
		}
		yield { type: "end", calls: [], isCut: false, thoughts: {}, usage: {} };
	}
	let [text, unread] = ["", ""];
	for await (const part of withWrittenCalls(parts(), tools)) {
		text += part.type === "text" ? part.text : "";
		unread += part.type === "unread" ? part.text : "";
		if (part.type === "end") {
			const calls = part.calls.map(({ name, arguments: input }) => ({
				name,
				input: JSON.parse(input) as unknown,
			}));
			return { text, unread, calls };
		}
	}
	throw new Error("no end");
}

/** Expects an answer to be read as its whole is, however it is cut. */
async function expectSame(
	whole: Read,
	answer: string,
	cuts: readonly (readonly string[])[],
): Promise<void> {
	const expected = JSON.stringify(whole);
	const differing: (readonly string[])[] = [];
	for (const pieces of cuts) {
		if (JSON.stringify(await read(pieces)) !== expected) {
			differing.push(pieces);
		}
	}
	expect(differing, answer).toEqual([]);
}

/** Reads an answer whole, by character and at random. All must be the same. */
async function readInPieces(answer: string): Promise<Read> {
	const random = createRandom(answer.length);
	const anywhere = Array.from({ length: 8 }, () => {
		const pieces = [""];
		for (const sign of answer.split("")) {
			const last = random.next() < 0.3 ? undefined : pieces.pop();
			pieces.push((last ?? "") + sign);
		}
		return pieces;
	});
	const whole = await read([answer]);
	await expectSame(whole, answer, [answer.split(""), ...anywhere]);
	return whole;
}

const one = { name: "read_file", input: { path: "a.ts" } };
const two = { name: "list_files", input: { path: "src", line: 2, all: true } };
const before = "I'll look.";

test.each(written)(
	"$name: a call is one, alone and behind a sentence",
	async ({ call, isWhole }) => {
		const expected = { unread: "", calls: [one] };
		expect(await readInPieces(call)).toEqual({ ...expected, text: "" });
		if (isWhole !== true) {
			for (const start of [`${before}\n\n`, before, `${before} `]) {
				expect(await readInPieces(start + call)).toEqual({ ...expected, text: start });
			}
		}
	},
);

test.each(written)(
	"$name: two calls are two, with numbers among the arguments",
	async ({ calls }) => {
		expect(await readInPieces(calls)).toEqual({ text: "", unread: "", calls: [one, two] });
	},
);

/** Answers that mention a call and make none. */
function mentionsOf(call: string): string[] {
	return [
		`So:\n\n\`\`\`\n${call}\n\`\`\`\n`,
		`So \`${call.replaceAll("`", "")}\` it is.`,
		`It writes "${call}".`,
		`> ${call.replaceAll("\n", "\n> ")}`,
		`It writes ${call} for that.`,
	];
}

test.each(written.filter(({ isWhole }) => isWhole !== true))(
	"$name: a call in code, in quotes or with text behind it in its line is text",
	async ({ call }) => {
		for (const answer of mentionsOf(call)) {
			expect(await readInPieces(answer)).toEqual({ text: answer, unread: "", calls: [] });
		}
	},
);

test.each(written)("$name: a call of another tool does not run", async ({ call }) => {
	const other = call.replace("read_file", "drop_table");
	const { text, unread, calls } = await readInPieces(other);
	expect({ written: text + unread, calls }).toEqual({ written: other, calls: [] });
});

test.each(written)(
	"$name: of two calls, one of another tool, none runs, however they arrive",
	async ({ calls }) => {
		const { calls: read } = await readInPieces(calls.replaceAll("list_files", "drop_table"));
		expect(read).toEqual([]);
	},
);

test.each(written.filter(({ broken }) => broken !== undefined))(
	"$name: a call that can't be read is not in the text",
	async ({ broken = "" }) => {
		expect(await readInPieces(`${before}\n${broken}`)).toEqual({
			text: `${before}\n`,
			unread: broken,
			calls: [],
		});
	},
);

test.each(written.filter(({ closings }) => closings !== undefined))(
	"$name: a call whose last marks are cut is one",
	async ({ call, closings = "" }) => {
		for (let length = 0; length < closings.length; length += 1) {
			const cut = call.slice(0, call.length - closings.length + length);
			expect(await read([cut])).toEqual({ text: "", unread: "", calls: [one] });
		}
	},
);

test.each(written)(
	"$name: an answer is read the same wherever it is cut in two",
	{ tags: "thorough" },
	async ({ call, calls, broken = "" }) => {
		const answers = [call, `${before} ${call}`, calls, broken, ...mentionsOf(call)];
		for (const answer of [...answers, calls.replaceAll("list_files", "drop_table")]) {
			const cuts = Array.from({ length: answer.length }, (_, at) => [
				answer.slice(0, at),
				answer.slice(at),
			]);
			await expectSame(await read([answer]), answer, cuts);
		}
	},
);

test("a mark that ends the turn is not in the text", async () => {
	expect((await readInPieces("Hello.<|end_of_text|>")).text).toBe("Hello.");
	expect(await readInPieces("Hello.<|im_end|>\n")).toEqual({
		text: "Hello.",
		unread: "",
		calls: [],
	});
	const marks = "[END FINAL RESPONSE]\n<|end|>\n<|close|>message<|sep|>\n";
	expect((await readInPieces(`Hello.\n${marks}`)).text).toBe("Hello.\n");
	const text = "Write <|im_end|> there, or `<|im_end|>`";
	expect(await readInPieces(text)).toEqual({ text, unread: "", calls: [] });
});
