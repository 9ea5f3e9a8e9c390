import { expect, test, vi } from "vitest";
import { autoSeconds } from "../../../../../src/clip/clipLength.ts";
import { cutScenes } from "../../../../../src/video/storyboard/cutScenes.ts";
import {
	fencedScenes,
	generateStoryboard,
	stepItems,
} from "../../../../../src/ui/video/storyboard/generateStoryboard.ts";
import { createFakeSettings } from "../../../../helpers/fakeSettings.ts";

const { executeCommand, window } = vi.hoisted(() => ({
	executeCommand: vi.fn<(id: string) => Promise<void>>(),
	window: {
		activeTextEditor: {},
		showQuickPick: vi.fn<(items: readonly Row[]) => unknown>(),
		showWarningMessage: () => undefined,
		withProgress: (_: object, run: (...given: readonly object[]) => unknown) =>
			run({}, { onCancellationRequested: () => undefined }),
	},
}));
vi.mock("vscode", () => ({
	window,
	commands: { executeCommand },
	ProgressLocation: { Notification: 15 },
}));

interface Row {
	readonly label: string;
	readonly detail: string;
}

const scenes = [1, 4, 2].map(duration => ({ prompt: "A boat", duration, motionStrength: 3 }));
const local = { kind: "local", baseUrl: "", origin: "local", label: "Local service" } as const;

test("the last step adds up the price of all scenes, by the seconds each is asked for", async () => {
	const asked: (readonly number[])[] = [];
	const offer = {
		name: "OpenRouter",
		mayCharge: true,
		seconds: (duration: number) => Math.max(4, duration),
		phrase: () => "",
		setPhrase: () => Promise.resolve(),
		price: Promise.resolve((...seconds: readonly number[]) => {
			asked.push(seconds);
			return "about $1.20";
		}),
	};
	const endpoint = { ...local, label: "OpenRouter", engine: "OpenRouter", mayCharge: true };
	const [generate, edit] = await stepItems(scenes, endpoint, offer);
	expect(generate).toMatchObject({
		label: "$(play) Make 3 Videos",
		description: "7 s in all · about $1.20 in all",
		detail: "One request for each, to OpenRouter. Each may be charged.",
		isGenerate: true,
	});
	expect(asked).toEqual([[4, 4, 4]]);
	expect(edit?.isGenerate).toBeUndefined();
});

test("the local renderer charges nothing and has no price", async () => {
	const [generate] = await stepItems(scenes, local, undefined);
	expect(generate).toMatchObject({
		description: "7 s in all",
		detail: "One after the other, on this machine. Nothing is charged.",
	});
});

test("the last step speaks of a charge only where a server may charge", async () => {
	const detail = async (endpoint: Parameters<typeof stepItems>[1]): Promise<unknown> =>
		(await stepItems(scenes, endpoint, undefined))[0]?.detail;
	expect(await detail(local)).toBe("One after the other, on this machine. Nothing is charged.");
	expect(await detail({ ...local, label: "ComfyUI", engine: "ComfyUI", mayCharge: false })).toBe(
		"One request for each, to ComfyUI.",
	);
	expect(await detail({ ...local, kind: "remote", label: "api.example.com" })).toBe(
		"One request for each, to api.example.com. Each may be charged.",
	);
});

test("scenes of selected code have its language, its file's name and their own line numbers", () => {
	const text = "\tconst a = 1;\r\n\r\n\tif (a) {\r\n\t\tb();\r\n\t}\r\n\r\n\tconst a = 1;";
	const cut = cutScenes(text, 3, true) ?? [];
	const promptsOf = (languageId: string) =>
		fencedScenes(cut, { text, name: "cart.ts", startLine: 9, endLine: 15 }, languageId).map(
			({ prompt }) => prompt,
		);
	expect(promptsOf("typescript")).toEqual([
		'```typescript title="cart.ts" line=10\n\tconst a = 1;\n```',
		'```typescript title="cart.ts" line=12\n\tif (a) {\n\t\tb();\n\t}\n```',
		'```typescript title="cart.ts" line=16\n\tconst a = 1;\n```',
	]);
	const linked =
		"See [the rules](https://shop.example/rules/of/charging/an/order/once/and/never/twice) there.";
	const [fenced] = fencedScenes(
		cutScenes(linked, 3, true) ?? [],
		{ text: linked, name: "cart.ts", startLine: 0, endLine: 0 },
		"typescript",
	);
	expect(fenced?.duration).toBe(autoSeconds(fenced?.prompt ?? "", 3));
	expect(promptsOf("markdown")).toEqual(cut.map(({ prompt }) => prompt.trim()));
});

test("scenes have no line numbers where their lines in the file aren't known", () => {
	const text = "a();\n\nb();";
	const promptsOf = (endLine: number, ...prompts: readonly string[]) =>
		fencedScenes(
			prompts.map(prompt => ({ prompt, duration: 2, motionStrength: 3 })),
			{ text, name: "cart.go", startLine: 3, endLine },
			"go",
		).map(({ prompt }) => prompt.split("\n", 1)[0]);
	const [named, one] = ['```go title="cart.go"', '```go title="cart.go" line=4'];
	expect(promptsOf(5, "a();", "b();")).toEqual([one, '```go title="cart.go" line=6']);
	expect(promptsOf(40, "a();", "b();"), "several selections").toEqual([named, named]);
	expect(promptsOf(5, "a();", "lost();", "b();"), "a cut").toEqual([one, named, named]);
});

test.each([
	["is asked once it is chosen", true],
	["isn't asked where none is chosen", false],
])(
	"without a model, scenes that a model proposes lead to choosing one, which %s",
	async (_, has) => {
		const [start, end] = [
			{ line: 0, character: 0 },
			{ line: 2, character: 3 },
		];
		const document = { getText: () => "A boat.\n\nA river.", uri: { path: "/story.md" } };
		window.activeTextEditor = { selections: [{ start, end }], document };
		window.showQuickPick.mockImplementationOnce(rows =>
			rows.find(({ label }) => label.includes("Propose Scenes")),
		);
		const answers = [false, has];
		const askModel = vi.fn(() => Promise.resolve(""));
		executeCommand.mockClear();
		window.showQuickPick.mockClear();
		await generateStoryboard({
			jobs: { submit: () => Promise.reject(new Error("nothing is requested")) },
			settings: createFakeSettings(),
			spendingNotice: () => undefined,
			endpoint: () => local,
			hasModel: () => Promise.resolve(answers.shift() ?? false),
			askModel,
		});
		expect(window.showQuickPick.mock.calls[0]?.[0][1]?.detail).toContain("Needs a model");
		expect(executeCommand.mock.calls).toEqual([["cutaway.chooseModel"]]);
		expect(askModel).toHaveBeenCalledTimes(has ? 1 : 0);
	},
);
