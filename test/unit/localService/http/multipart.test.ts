import { describe, expect, test } from "vitest";
import { HttpFailure } from "../../../../src/localService/base/failureResponse.ts";
import {
	boundaryOf,
	MultipartParser,
	headerParameters,
} from "../../../../src/localService/http/multipart.ts";

interface Part {
	readonly headers: Readonly<Record<string, string>>;
	readonly content: string;
}

/** Feeds the pieces and gathers whole parts; bytes are shown as latin1, one character each. */
function parse(pieces: readonly Uint8Array[], boundary = "b0"): readonly Part[] {
	const parser = new MultipartParser(boundary);
	const parts: Part[] = [];
	let open: { headers: Record<string, string>; content: string } | undefined;
	for (const event of pieces.flatMap(piece => parser.feed(piece))) {
		if (event.type === "part") {
			expect(open).toBeUndefined();
			open = { headers: Object.fromEntries(event.headers), content: "" };
		} else if (open && event.type === "bytes") {
			expect(event.bytes.length).toBeGreaterThan(0);
			open.content += Buffer.from(event.bytes).toString("latin1");
		} else if (open) {
			parts.push(open);
			open = undefined;
		} else {
			throw new Error(`${event.type} outside of a part`);
		}
	}
	parser.end();
	expect(open).toBeUndefined();
	return parts;
}

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");

const body = [
	"what comes before the first boundary is ignored",
	"--b0",
	'Content-Disposition: form-data; name="note"',
	"",
	"one\r\ntwo\r",
	"--b0 \t",
	"",
	"",
	"--b0",
	'content-disposition:   form-data; name="file"; filename="a.bin"  ',
	"CONTENT-TYPE: application/x",
	"",
	"\0\xff\r\n\r\n--b\r\n--b1\r\n-- b0\r\n\n--b0--\n\r--b0",
	"--b0--",
	"what comes after the last one too\r\n--b0\r\n\r\nmore",
].join("\r\n");

const expected: readonly Part[] = [
	{ headers: { "content-disposition": 'form-data; name="note"' }, content: "one\r\ntwo\r" },
	{ headers: {}, content: "" },
	{
		headers: {
			"content-disposition": 'form-data; name="file"; filename="a.bin"',
			"content-type": "application/x",
		},
		content: "\0\xff\r\n\r\n--b\r\n--b1\r\n-- b0\r\n\n--b0--\n\r--b0",
	},
];

describe("a multipart body is the same wherever it is cut", () => {
	test("whole", () => {
		expect(parse([bytes(body)])).toEqual(expected);
	});

	test("in two, at every place", () => {
		const all = bytes(body);
		for (let cut = 0; cut <= all.length; cut += 1) {
			expect(parse([all.subarray(0, cut), all.subarray(cut)]), `cut at ${cut}`).toEqual(expected);
		}
	});

	test.each([1, 2, 3, 5, 7, 11])("in pieces of %i bytes", size => {
		const all = bytes(body);
		const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
			all.subarray(index * size, (index + 1) * size),
		);
		expect(parse(pieces)).toEqual(expected);
	});
});

test("random contents come back as they were, cut at random", () => {
	let state = 42;
	const random = (bound: number): number => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return (state >>> 8) % bound;
	};
	const pool = ["\r", "\n", "-", "--", "b", "0", "\r\n", "\r\n--", "\r\n--b", "x"];
	for (let round = 0; round < 2_000; round += 1) {
		const content = Array.from({ length: random(40) }, () => pool[random(pool.length)]).join("");
		// A content that holds its own boundary is the sender's mistake.
		if (`\r\n${content}\r\n`.includes("\r\n--b0")) {
			continue;
		}
		const all = bytes(`--b0\r\n\r\n${content}\r\n--b0--\r\n`);
		const pieces: Uint8Array[] = [];
		for (let at = 0; at < all.length;) {
			const size = 1 + random(9);
			pieces.push(all.subarray(at, at + size));
			at += size;
		}
		expect(parse(pieces), JSON.stringify(content)).toEqual([{ headers: {}, content }]);
	}
});

test("large contents are passed on as they come, not held", () => {
	const parser = new MultipartParser("b0");
	parser.feed(bytes("--b0\r\n\r\n"));
	const chunk = Buffer.alloc(65_536, "\r\n--b");
	for (let round = 0; round < 100; round += 1) {
		const passed = parser
			.feed(chunk)
			.reduce((sum, event) => sum + (event.type === "bytes" ? event.bytes.length : 0), 0);
		expect(Math.abs(passed - chunk.length)).toBeLessThan(16);
	}
});

describe("a body that is not multipart is refused", () => {
	test.each([
		["empty", ""],
		["without any boundary", "hello"],
		["that ends inside the headers", "--b0\r\nContent-Type: a"],
		["that ends inside a part", "--b0\r\n\r\nhalf"],
		["whose last boundary is not closed", "--b0\r\n\r\nhalf\r\n--b0"],
		["whose boundary has one dash too few", "--b0\r\n\r\nhalf\r\n--b0-"],
		["whose boundary goes on", "--b0xyz\r\n\r\n"],
		["with too long headers", `--b0\r\nX: ${"x".repeat(9_000)}`],
		["with endless spaces behind a boundary", `--b0${" ".repeat(9_000)}`],
		["with too many parts", `${"--b0\r\n\r\n\r\n".repeat(65)}--b0--`],
	])("%s", (_name, text) => {
		const attempt = (): unknown => parse([bytes(text)]);
		expect(attempt).toThrow(HttpFailure);
		expect(attempt).toThrow(expect.objectContaining({ status: 400, code: "malformed_multipart" }));
	});
});

describe("the boundary of a Content-Type", () => {
	test.each([
		["multipart/form-data; boundary=abc", "abc"],
		['multipart/form-data; boundary="a b:c"', "a b:c"],
		["multipart/form-data;charset=utf-8;BOUNDARY=----x-1", "----x-1"],
		["multipart/form-data; boundary=a; boundary=b", "a"],
		[`multipart/form-data; boundary=${"x".repeat(70)}`, "x".repeat(70)],
	])("%s", (header, boundary) => {
		expect(boundaryOf(header)).toBe(boundary);
	});

	test.each([
		"multipart/form-data",
		"multipart/form-data; boundary=",
		'multipart/form-data; boundary="a "',
		'multipart/form-data; boundary="a\\"b"',
		"multipart/form-data; boundary=é",
		`multipart/form-data; boundary=${"x".repeat(71)}`,
	])("is refused in %s", header => {
		expect(() => boundaryOf(header)).toThrow(HttpFailure);
	});
});

test("header parameters keep Windows paths and undo escapes", () => {
	const header = String.raw`form-data; name="file"; filename="C:\dir\a \"b\".txt"; x=1; X=2`;
	expect([...headerParameters(header)]).toEqual([
		["name", "file"],
		["filename", String.raw`C:\dir\a "b".txt`],
		["x", "1"],
	]);
});
