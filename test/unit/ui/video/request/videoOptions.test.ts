import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";
import { chooseVideoOptions } from "../../../../../src/ui/video/request/videoOptions.ts";
import { createFakeSettings } from "../../../../helpers/fakeSettings.ts";
import { FakeLists } from "../../../../helpers/fakeLists.ts";

const createQuickPick = vi.hoisted(() => vi.fn<() => object>());
const showInputBox = vi.hoisted(() =>
	vi.fn<(box: vscode.InputBoxOptions) => Promise<string | undefined>>(),
);
vi.mock("vscode", () => ({
	QuickInputButtons: { Back: {} },
	QuickPickItemKind: { Separator: -1 },
	window: { createQuickPick, showInputBox },
	Uri: { joinPath: () => ({}) },
	extensions: {
		all: [
			{ packageJSON: { contributes: { themes: [{ label: "Night Owl", path: "./night.json" }] } } },
			{ packageJSON: { contributes: { themes: [{ id: "Monokai", path: "./m.json" }, 1] } } },
			{ packageJSON: {} },
		],
	},
}));

let lists = new FakeLists();
beforeEach(() => {
	lists = new FakeLists();
});

/** Opens the step of a text. Returns the list and what is chosen in the end. */
function openStep(step: {
	readonly prompt?: string;
	readonly hasAuto: boolean;
	readonly isPicture?: boolean;
}) {
	const pick = Object.assign(lists.open(), { onDidTriggerButton: () => undefined });
	createQuickPick.mockReturnValueOnce(pick);
	const settings = createFakeSettings();
	const { hasAuto, isPicture = false, prompt = "A boat leaves at dawn." } = step;
	const drawn = { hasAuto, isPicture, isDrawn: hasAuto };
	const about = { title: "Make Video", name: "text", prompt, ...drawn };
	return { pick, settings, chosen: chooseVideoOptions(settings, about) };
}

/** Opens the step of a text the local renderer draws, and the page of its look. Returns the list's properties. */
async function openLook(prompt: string): Promise<Record<string, unknown>> {
	lists.deeds.push(({ accept }) => accept("Look"));
	const { pick, chosen } = openStep({ prompt, hasAuto: true });
	expect(await chosen).toBeUndefined();
	return { ...pick };
}

const lookOf = (): string | undefined =>
	lists.shown[0]?.find(({ label }) => label === "Look")?.description;
const choices = (): string =>
	(lists.shown[1] ?? []).map(({ label }) => label.replace(/^\$\(\w+\) /, "")).join(", ");

test("the look of code has what belongs to its window", async () => {
	await openLook("```ts\nconst a = 1;\n```");
	expect(lookOf()).toBe("Editor · Gradient · Title bar · Line numbers");
	expect(choices()).toContain(
		"Title bar, Line numbers, Size of code, Auto, Small, Medium, Large, Margin, Small",
	);
});

test("the look of prose has no title bar, line numbers and margin, because it has no window", async () => {
	await openLook("A boat leaves at dawn.");
	expect(lookOf()).toBe("Editor · Gradient");
	expect(choices()).toMatch(
		/^Theme, .*Solarized Light, Night Owl, .*Silver, Own color, Frameless$/,
	);
});

test("the background's own color is asked for, and only six digits are one", async () => {
	showInputBox.mockResolvedValueOnce(" AA00ff");
	for (const row of ["Look", "$(blank) Own color", "$(play) Make clip: text"]) {
		lists.deeds.push(({ accept }) => accept(row));
	}
	const { chosen, settings } = openStep({ hasAuto: true });
	expect(await chosen).toBeDefined();
	expect(settings.get("localService.video.ground")).toBe("color");
	expect(settings.get("localService.video.groundColor")).toBe("#aa00ff");
	const box = showInputBox.mock.lastCall?.[0];
	const wrong = ["", "red", "#fff", "#1234567", "12345g", "url(#a)"];
	expect(wrong.filter(text => box?.validateInput?.(text) === undefined)).toEqual([]);
	expect(box?.validateInput?.("#0a0B0c")).toBeUndefined();
});

test("a picture's clip can come nearer to one of nine parts, and back to none", async () => {
	const rows = (part: string) => ["Come nearer to", `$(blank) ${part}`, "$(play) Make clip: text"];
	const choose = async (prompt: string, part: string): Promise<string | undefined> => {
		lists.deeds.push(
			...rows(part).map(
				row =>
					({ accept }: { accept(label: string): void }) =>
						accept(row),
			),
		);
		return (await openStep({ prompt, hasAuto: true, isPicture: true }).chosen)?.prompt;
	};
	const address = "https://example.com/shop.png?size=2";
	const corner = await choose(address, "Bottom right");
	expect(corner).toBe(`${address}#xywh=percent:60,60,40,40`);
	expect(await choose(corner ?? "", "The middle, slightly")).toBe(address);
	expect(lists.shown.at(-2)).toHaveLength(10);
});

test("the look's page says that several things can be changed, and one row is active", async () => {
	const { placeholder, activeItems } = await openLook("A boat leaves at dawn.");
	expect(placeholder).toBe("Choose what to change");
	expect(activeItems).toMatchObject([{ label: "$(check) Editor" }]);
});

test("a clip that is drawn here can be longer, and only this one is", async () => {
	for (const label of ["Length", "$(blank) 8 seconds", "$(play) Make clip: text"]) {
		lists.deeds.push(({ accept }) => accept(label));
	}
	const { chosen, settings } = openStep({ hasAuto: true });
	expect(await chosen).toMatchObject({ duration: 8 });
	expect(settings.get("video.duration")).toBe(2);
	expect(settings.get("video.autoLength")).toBe(true);
});

test("other services are asked for 1 to 4 seconds", async () => {
	lists.deeds.push(({ accept }) => accept("Length"));
	await openStep({ hasAuto: false }).chosen;
	expect(choices()).toBe("1 second, 2 seconds, 3 seconds, 4 seconds");
});

/** Opens the step of selected code and chooses these rows, where the question for lines is answered with `lines`. */
function focusOnLines(lines: string | undefined, ...rows: readonly string[]) {
	showInputBox.mockResolvedValueOnce(lines);
	lists.deeds.push(
		...rows.map(
			row =>
				({ accept }: { accept(label: string): void }) =>
					accept(row),
		),
	);
	const prompt = '```ts title="cart.ts" line=12\na();\nb();\nc();\n```';
	return openStep({ prompt, hasAuto: true });
}

test("selected code gets a focus on the lines that the user enters", async () => {
	const rows = ["Motion", "$(blank) Focus on Lines…", "$(play) Make clip: text"];
	const { chosen, settings } = focusOnLines("12, 14", ...rows);
	expect(await chosen).toMatchObject({
		prompt: '```ts {1,3} title="cart.ts" line=12\na();\nb();\nc();\n```',
		motionStrength: 3,
	});
	expect(settings.get("video.motionStrength")).toBe(3);
	expect(lists.shown[2]?.find(({ label }) => label === "Motion")?.description).toBe("Focus");
	const box = showInputBox.mock.lastCall?.[0];
	expect(box?.value).toBe("13");
	expect(box?.validateInput?.("15")).toBe("Enter lines from 12 to 14.");
	expect(box?.validateInput?.("12-14")).toBeUndefined();
});

test("leaving the question for lines leads back to the motions, with nothing chosen", async () => {
	const { chosen } = focusOnLines(undefined, "Motion", "$(blank) Focus on Lines…");
	expect(await chosen).toBeUndefined();
	const [, motions, again] = lists.shown.map(rows => rows.map(({ label }) => label));
	expect(again).toEqual(motions);
});

test("words have no lines to focus on", async () => {
	lists.deeds.push(({ accept }) => accept("Motion"));
	await openStep({ hasAuto: true }).chosen;
	expect(choices()).toBe("Calm, Typed");
});
