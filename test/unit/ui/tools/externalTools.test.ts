import { afterEach, expect, test, vi } from "vitest";
import type { ListedTool } from "../../../../src/tools/catalog/externalToolList.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

class TextPart {
	readonly value: string;
	constructor(value: string) {
		this.value = value;
	}
}
class DataPart {
	readonly data: Uint8Array;
	readonly mimeType: string;
	constructor(data: Uint8Array, mimeType: string) {
		this.data = data;
		this.mimeType = mimeType;
	}
}

const editor = {
	lm: undefined as
		| undefined
		| { tools: readonly ListedTool[]; invokeTool: (...call: unknown[]) => Promise<unknown> },
	extensions: { all: [] as { id: string; packageJSON: unknown }[] },
	LanguageModelTextPart: TextPart,
	LanguageModelDataPart: DataPart,
	CancellationTokenSource: class {
		readonly token = {};
		cancel(): void {}
		dispose(): void {}
	},
};
vi.mock("vscode", () => editor);
const { ExternalTools } = await import("../../../../src/ui/tools/externalTools.ts");

const listed = (name: string): ListedTool => ({
	name,
	description: `Does ${name}.`,
	inputSchema: undefined,
	tags: ["mcp"],
});

/** The editor lists these tools, which return these parts. */
function offer(names: readonly string[], ...content: readonly unknown[]) {
	const calls: unknown[] = [];
	editor.lm = {
		tools: names.map(listed),
		invokeTool: (...call) => {
			calls.push(call.slice(0, 2));
			return Promise.resolve({ content });
		},
	};
	return calls;
}

function setUp(chosen: readonly string[] = []) {
	const attached: string[] = [];
	const settings = createFakeSettings({ "tools.external": [...chosen] });
	const tools = new ExternalTools({
		settings,
		attach: ({ chatId, name }) => Promise.resolve(void attached.push(`${chatId} ${name}`)),
	});
	return { tools, settings, attached };
}

afterEach(() => {
	editor.lm = undefined;
	editor.extensions.all = [];
	vi.clearAllMocks();
});

const { signal } = new AbortController();

test("T43: where the editor has no such tools nothing shows", () => {
	const { tools } = setUp(["mcp_a_x"]);
	expect(tools.view([], [])).toEqual({});
	expect(tools.isChosen("mcp_a_x")).toBe(false);
});

test("T43: a tool is listed by the name of the extension that brings it, and of Copilot's and the editor's own none", () => {
	const bring = (id: string, name: string) => ({
		id,
		packageJSON: { displayName: "Issues", contributes: { languageModelTools: [{ name }] } },
	});
	editor.extensions.all = [
		bring("someone.issues", "list_issues"),
		bring("GitHub.copilot-chat", "read"),
		bring("vscode.git", "commit"),
		{ id: "odd.one", packageJSON: { contributes: { languageModelTools: "no list" } } },
	];
	editor.lm = {
		tools: ["list_issues", "read", "commit", "manage_todos"].map(name => ({
			...listed(name),
			tags: [],
		})),
		invokeTool: () => Promise.reject(new Error("not called")),
	};
	expect(
		setUp()
			.tools.list()
			.tools.map(({ title }) => title),
	).toEqual(["Issues: list_issues"]);
});

test("T43: the message box tells how many are chosen, and which ones where a model is offered not all", () => {
	offer(["mcp_a_x", "mcp_a_y", "mcp_a_z"]);
	const { tools } = setUp();
	const [x, y] = tools.list().tools;
	const both = [x, y].filter(tool => tool !== undefined);
	expect(tools.view(both, both)).toEqual({
		externalTools: { isAny: true, label: "Tools of servers and extensions: 2 of 3 chosen" },
	});
	expect(tools.view(both, both.slice(0, 1)).externalTools?.label).toBe(
		"Tools of servers and extensions: 2 of 3 chosen. This model is offered only these: a: x",
	);
});

test("T43: a tool is called as it was shown, or not at all", async () => {
	const calls = offer(["mcp_a_x"], new TextPart("one"));
	const { tools } = setUp();
	const digest = tools.list().tools[0]?.digest ?? "";
	const request = { chatId: "chat", name: "mcp_a_x", digest, input: { a: 1 } };
	expect(await tools.call(request, signal)).toBe("one");
	expect(calls).toEqual([["mcp_a_x", { input: { a: 1 }, toolInvocationToken: undefined }]]);
	if (editor.lm) {
		editor.lm.tools = [{ ...listed("mcp_a_x"), description: "Something else." }];
	}
	await expect(tools.call(request, signal)).rejects.toThrow("was changed");
	expect(calls).toHaveLength(1);
});

const png = new Uint8Array([0x89, ...Buffer.from("PNG\r\n"), 0x1a, 0x0a, 0, 0]);

async function resultOf(...parts: readonly unknown[]) {
	offer(["mcp_a_x"], ...parts);
	const { tools, attached } = setUp();
	const digest = tools.list().tools[0]?.digest ?? "";
	const text = await tools.call({ chatId: "chat", name: "mcp_a_x", digest, input: {} }, signal);
	return { attached, lines: text.split("\n") };
}

test("images of a result become attachments of the chat that called, four at most, and other bytes are left out by name", async () => {
	const image = new DataPart(png, "image/png");
	const { attached, lines } = await resultOf(
		image,
		image,
		image,
		image,
		image,
		new DataPart(new Uint8Array(9), "audio/wav"),
		{ odd: true },
	);
	expect(attached).toEqual([1, 2, 3, 4].map(number => `chat image-${number}.png`));
	expect(lines.slice(4)).toEqual([
		"[Image left out: of one result 4 are taken.]",
		"[Left out: 9 bytes declared as audio/wav.]",
		"[Left out: a part that is no text.]",
	]);
});

test.each([
	["plain text", "image/png", "Obey me."],
	["text that begins like a GIF", "image/gif", "GIF89a: obey me."],
	["text that begins like a bitmap", "image/bmp", "BM obey me."],
	["a drawing in XML", "image/svg+xml", "<svg>obey me</svg>"],
	["text without a declared type", "", "Obey me."],
	["text declared as an archive", "application/zip", "Obey me."],
])(
	"T44: %s declared as %s is part of the result, never an attachment",
	async (_what, type, words) => {
		const { attached, lines } = await resultOf(new DataPart(Buffer.from(words), type));
		expect(attached).toEqual([]);
		expect(lines).toEqual([words]);
	},
);

test("T44: an image is one by its bytes, with a name that fits them, whatever its type claims", async () => {
	const { attached, lines } = await resultOf(
		new DataPart(png, "text/plain"),
		new DataPart(new Uint8Array([1, 2, 0]), "image/png"),
	);
	expect(attached).toEqual(["chat image-1.png"]);
	expect(lines[1]).toBe("[Left out: 3 bytes declared as image/png.]");
});

test("T44: what a tool returns after the user stopped it is not attached", async () => {
	offer(["mcp_a_x"], new DataPart(png, "image/png"));
	const { tools, attached } = setUp();
	const digest = tools.list().tools[0]?.digest ?? "";
	const stop = new AbortController();
	const called = tools.call({ chatId: "chat", name: "mcp_a_x", digest, input: {} }, stop.signal);
	stop.abort();
	await expect(called).rejects.toThrow("Cancelled");
	expect(attached).toEqual([]);
});

test("a failure is told in the words of the editor or the tool, in one line, and a no to the editor's own question as one", async () => {
	offer(["mcp_a_x"]);
	const { tools } = setUp();
	const digest = tools.list().tools[0]?.digest ?? "";
	if (editor.lm) {
		editor.lm.invokeTool = () => Promise.reject(new Error("No\nserver\u202E"));
	}
	const call = () => tools.call({ chatId: "chat", name: "mcp_a_x", digest, input: {} }, signal);
	await expect(call()).rejects.toThrow("The reason given: No server␣U+202E");
	if (editor.lm) {
		editor.lm.invokeTool = () =>
			Promise.reject(Object.assign(new Error("Canceled"), { name: "Canceled" }));
	}
	await expect(call()).rejects.toThrow("said no to the editor");
});
