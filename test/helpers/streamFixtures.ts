/** A small stream from life or from malice, and what it says. */
export interface StreamFixture {
	readonly name: string;
	readonly bytes: Uint8Array;
	/** The text of every message. */
	readonly texts: readonly string[];
	/** `ended`, or the kind of failure. */
	readonly ending: string;
}

const start = 'data: {"role":"assistant","content":""}\n\n';
const hi = 'data: {"content":"Hi"}\n\n';
const done = "data: {}\n\ndata: [DONE]\n\n";
const end = "data: [END]\n\n";
const whole = start + hi + done + end;

function withLineEnds(text: string, first: string, second = first): string {
	let count = 0;
	return text.replaceAll("\n", () => (count++ % 2 === 0 ? first : second));
}

function concat(...parts: readonly (string | readonly number[])[]): Uint8Array {
	return Buffer.concat(
		parts.map(part => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))),
	);
}

function row(
	name: string,
	bytes: string | Uint8Array,
	texts: readonly string[] = ["Hi"],
	ending = "ended",
): StreamFixture {
	return { name, bytes: typeof bytes === "string" ? Buffer.from(bytes) : bytes, texts, ending };
}

const lineEnds = ["\n", "\r\n", "\r"];
const shown = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Every pair of line ends, the first after a frame's line and the second as its blank line. */
const lineEndRows = lineEnds.flatMap(first =>
	lineEnds
		// LF after CR is one line end, so that pair makes no blank line.
		.filter(second => first + second !== "\r\n")
		.map(second =>
			row(`line ends ${shown(first)} and ${shown(second)}`, withLineEnds(whole, first, second)),
		),
);

const texts: readonly string[] = [
	"Žluťoučký kůň",
	"привет",
	"漢字かな交じり文",
	"שלום مرحبا",
	"🐎🏳️‍🌈👩‍👩‍👧‍👦",
	"a\u2028b\u2029c",
	"\n\n line ends \r\n inside",
	"[DONE]",
	"[END]",
	"data: [END]\n\n",
	'quotes " and \\ and \u0000',
	"\uFEFFmark inside",
];
const textRows = texts.map(text =>
	row(
		`text ${JSON.stringify(text)}`,
		`${start}data: ${JSON.stringify({ content: text })}\n\n${done}${end}`,
		[text],
	),
);

const framingRows = [
	row("as the interface shows it", whole),
	row("no space after data:", whole.replaceAll("data: ", "data:")),
	row("spaces around [DONE]", `${start}${hi}data:  [DONE] \n\n${end}`),
	row("BOM once", `\uFEFF${whole}`),
	row("BOM twice spoils the first line", `\uFEFF\uFEFF${whole}`),
	row("BOM in the middle spoils its line", `${start}\uFEFF${hi}${hi}${done}${end}`),
	row("BOM decoded twice spoils the first line", `ï»¿${whole}`),
	row("comments between", `: a\n\n${start}:\n${hi}: ${"x".repeat(300)}\n\n${done}:\n\n${end}`),
	row(
		"a comment inside a frame",
		`${start}: c\ndata: {"content":\n: c\ndata: "Hi"}\n\n${done}${end}`,
	),
	row("a frame of several lines", `${start}data: {"content":\ndata:\ndata: "Hi"}\n\n${done}${end}`),
	row(
		"event, id and retry",
		`event: x\nid: 1\nretry: 9\n${start}event:\nid\n${hi}retry: x\n\n${done}${end}`,
	),
	row("an id with NUL", `id: a\u0000b\n${whole}`),
	row("an unknown field", `foo: bar\n${whole}`),
	row("a line without a colon", `foo\n${whole}`),
	row("a space before data is another field", ` data: x\n${whole}`),
	row("Data is another field", `Data: x\n${whole}`),
	row("a space before the colon is another field", `data : x\n${whole}`),
	row("many blank lines", whole.replaceAll("\n\n", "\n\n\n\n\n")),
	row("an empty frame", `data:\n\n${start}data\n\n${hi}${done}${end}`),
	row(
		"sentinels with event names",
		`${start}${hi}event: a\ndata: [DONE]\n\nid: 2\ndata: [END]\n\n`,
	),
	row("no blank line after [END]", whole.slice(0, -1)),
	row("no line end after [END]", whole.slice(0, -2)),
	row("CR as the last byte", withLineEnds(whole, "\r").slice(0, -1)),
	row("CR LF cut after CR", `${whole.slice(0, -2)}\r`),
];

const grammarRows = [
	row("two messages", `${start}${hi}${done}${start}${hi}${done}${end}`, ["Hi", "Hi"]),
	row(
		"a tool's message between",
		`${start}${hi}${done}data: {"role":"function","name":"f","content":""}\n\n${hi}${done}${end}`,
		["Hi", "Hi"],
	),
	row("no {} before [DONE]", `${start}${hi}data: [DONE]\n\n${end}`),
	row("no first frame", `${hi}${done}${end}`),
	row("role and text in one frame", `data: {"role":"assistant","content":"Hi"}\n\n${done}${end}`),
	row("{} everywhere", `data: {}\n\n${start}data: {}\n\n${hi}${done}data: {}\n\n${end}`),
	row("[DONE] twice", `${start}${hi}${done}data: [DONE]\n\n${end}`),
	row("frames after [END]", `${whole}${hi}${done}`),
	row("nothing at all", "", [], "noText"),
	row("only a comment", ": x\n\n", [], "noText"),
	row("only {}", "data: {}\n\n", [], "noText"),
	row("only [END]", end, [], "empty"),
	row("only [DONE] and [END]", done + end, [], "empty"),
	row("a message without text", start + done + end, [""], "empty"),
	row("cut after the first frame", start, [""], "noText"),
	row("cut in a text", `${start}${hi}data: {"conte`, ["Hi"], "interrupted"),
	row("cut before [DONE]", start + hi, ["Hi"], "interrupted"),
	row("cut before [END]", start + hi + done, ["Hi"], "endedEarly"),
	row("cut in [END]", `${start}${hi}${done}data: [EN`, ["Hi"], "endedEarly"),
	row("cut in a field's name", `${start}${hi}${done}dat`, ["Hi"], "endedEarly"),
	row("[END] in a message", start + hi + end, ["Hi"], "endedEarly"),
	row(
		"a last frame without its blank line",
		`${start}data: {"content":"Hi"}`,
		["Hi"],
		"interrupted",
	),
	row("a bad frame", `${start}data: {bad\n\n${hi}${done}${end}`),
	row(
		"three bad frames",
		`${start}${hi}${"data: x\n\n".repeat(3)}${hi}${done}${end}`,
		["Hi"],
		"interrupted",
	),
	row(
		"eleven bad frames",
		start + `${hi}data: x\n\n`.repeat(11) + done,
		["Hi".repeat(11)],
		"interrupted",
	),
	row(
		"JSON that is no object",
		`${start}data: 1\n\n${hi}data: null\n\ndata: {}\n\ndata: []\n\n${done}${end}`,
	),
	row("a sentinel as JSON text", `${start}${hi}data: "[DONE]"\n\n${done}${end}`),
	row(
		"look-alikes",
		`${start}data: [DONE]. \n\n${hi}data: [done]\n\n${hi}data: [DONE]\ndata: x\n\n${done}${end}`,
		["HiHi"],
	),
	row(
		"wrong types",
		`${start}data: {"content":5}\n\ndata: {"content":"Hi","role":5}\n\n${done}${end}`,
	),
	row(
		"unknown frames",
		`data: {"type":"ping"}\n\n${start}data: {"usage":{}}\n\n${hi}${done}${end}`,
	),
	row(
		"hostile keys",
		`${start}data: {"__proto__":{"content":"x"},"constructor":1,"content":"Hi"}\n\n${done}${end}`,
	),
	row("a second start in a message", start + hi + start + hi + done + end, ["HiHi"]),
	row(
		"another role in a message",
		`${start}${hi}data: {"role":"tool","content":"Hi"}\n\n${done}${end}`,
		["Hi", "Hi"],
	),
	row("a web page", "<!doctype html>\n<title>x</title>\n", [], "noText"),
	row("an error body", '{"success":false,"message":"no"}', [], "noText"),
];

const byteRows = [
	row(
		"bytes that are not UTF-8",
		concat(start, 'data: {"content":"a', [0xc3, 0x28], '"}\n\n', done, end),
		["a\uFFFD("],
	),
	row(
		"a character cut by a quote",
		concat(start, 'data: {"content":"', [0xf0, 0x9f, 0x90], '"}\n\n', done, end),
		["\uFFFD"],
	),
	row(
		"a character cut by the end",
		concat(start, hi, 'data: {"content":"', [0xe2, 0x82]),
		["Hi"],
		"interrupted",
	),
	row("U+FFFD itself", `${start}data: {"content":"\uFFFD"}\n\n${done}${end}`, ["\uFFFD"]),
	row("half a surrogate pair, escaped", `${start}data: {"content":"\\ud83d"}\n\n${done}${end}`, [
		"\ud83d",
	]),
	row(
		"a pair escaped in halves",
		`${start}data: {"content":"\\ud83d"}\n\ndata: {"content":"\\udc0e"}\n\n${done}${end}`,
		["🐎"],
	),
	row("NUL in a comment", `: \u0000\n${whole}`),
];

const call = '{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}';
const callRows = [
	row("a whole tool call", `${start}data: {"calls":[${call}]}\n\n${done}${end}`, [""]),
	row(
		"a tool call in pieces",
		`${start}${["", '{\\"a', '\\":1}']
			.map(
				(text, index) =>
					`data: {"tool_calls":[{"index":0,${index === 0 ? '"id":"c","type":"function",' : ""}"function":{${index === 0 ? '"name":"f",' : ""}"arguments":"${text}"}}]}\n\n`,
			)
			.join("")}${done}${end}`,
		[""],
	),
	row(
		"a function call in pieces",
		`${start}data: {"function_call":{"name":"f","arguments":"{"}}\n\ndata: {"function_call":{"arguments":"}"}}\n\n${done}${end}`,
		[""],
	),
	row(
		"a tool call in a bad message",
		`${start}data: {"calls":[${call}]}\n\ndata: x\n\n${done}${end}`,
		[""],
	),
	row(
		"a tool call in an open message",
		`${start}data: {"calls":[${call}]}\n\n${end}`,
		[""],
		"endedEarly",
	),
];

/** Small streams, each read the same however it is cut (goal G4). */
export const streamFixtures: readonly StreamFixture[] = [
	...lineEndRows,
	...textRows,
	...framingRows,
	...grammarRows,
	...byteRows,
	...callRows,
];
