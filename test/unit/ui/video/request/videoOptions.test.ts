import { beforeEach, expect, test, vi } from "vitest";
import { chooseVideoOptions } from "../../../../../src/ui/video/request/videoOptions.ts";
import { createFakeSettings } from "../../../../helpers/fakeSettings.ts";
import { FakeLists } from "../../../../helpers/fakeLists.ts";

const createQuickPick = vi.hoisted(() => vi.fn<() => object>());
vi.mock("vscode", () => ({
	QuickInputButtons: { Back: {} },
	QuickPickItemKind: { Separator: -1 },
	window: { createQuickPick },
}));

let lists = new FakeLists();
beforeEach(() => {
	lists = new FakeLists();
});

/** Opens the step of a text. Returns the list and what is chosen in the end. */
function openStep(step: { readonly prompt?: string; readonly hasAuto: boolean }) {
	const pick = Object.assign(lists.open(), { onDidTriggerButton: () => undefined });
	createQuickPick.mockReturnValueOnce(pick);
	const settings = createFakeSettings();
	const { hasAuto, prompt = "A boat leaves at dawn." } = step;
	const about = { title: "Generate Video", name: "text", prompt, hasAuto, isDrawn: hasAuto };
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
	expect(choices()).toContain("Title bar, Line numbers, Margin, Small");
});

test("the look of prose has no title bar, line numbers and margin, because it has no window", async () => {
	await openLook("A boat leaves at dawn.");
	expect(lookOf()).toBe("Editor · Gradient");
	expect(choices()).toMatch(/^Theme, .*Solid color$/);
});

test("the look's page says that several things can be changed, and one row is active", async () => {
	const { placeholder, activeItems } = await openLook("A boat leaves at dawn.");
	expect(placeholder).toBe("Choose what to change");
	expect(activeItems).toMatchObject([{ label: "$(check) Editor" }]);
});

test("a clip that is drawn here can be longer, and only this one is", async () => {
	for (const label of ["Length", "$(blank) 8 seconds", "$(play) Generate clip: text"]) {
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
