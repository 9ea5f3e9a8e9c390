import { beforeEach, expect, test, vi } from "vitest";

interface ShownEditor {
	readonly name: string;
	readonly viewColumn: number | undefined;
	readonly document: { readonly name: string };
}

const shown = vi.hoisted(() => ({
	active: undefined as ShownEditor | undefined,
	visible: [] as ShownEditor[],
	inserted: [] as string[],
}));
vi.mock("vscode", () => ({
	Selection: vi.fn(),
	window: {
		get activeTextEditor() {
			return shown.active;
		},
		get visibleTextEditors() {
			return shown.visible;
		},
		showTextDocument: ({ name }: { readonly name: string }) =>
			Promise.resolve({
				selections: [{}],
				edit: (change: (edit: object) => void) => {
					change({
						replace: (_: unknown, text: string) => shown.inserted.push(`${name}: ${text}`),
					});
					return Promise.resolve(true);
				},
			}),
	},
}));
const { insertAtCursor } = await import("../../../src/editor/applyChanges.ts");

const editor = (name: string, viewColumn?: number): ShownEditor => ({
	name,
	viewColumn,
	document: { name },
});

beforeEach(() => {
	Object.assign(shown, { active: undefined, visible: [], inserted: [] });
});

test("a code block goes into the active editor, whatever is beside it", async () => {
	shown.active = editor("a.ts", 2);
	shown.visible = [editor("b.ts", 1), shown.active];
	await insertAtCursor("let x;");
	expect(shown.inserted).toEqual(["a.ts: let x;"]);
});

test("beside an image it goes into the only text editor, which the output panel is not", async () => {
	shown.visible = [editor("output"), editor("a.ts", 1)];
	await insertAtCursor("let x;");
	expect(shown.inserted).toEqual(["a.ts: let x;"]);
});

test.each([
	["two editors", [editor("a.ts", 1), editor("b.ts", 2)]],
	["the output panel alone", [editor("output")]],
	["nothing", []],
])("with %s visible and none active it goes nowhere, and says what to do", async (_, visible) => {
	shown.visible = visible;
	await expect(insertAtCursor("let x;")).rejects.toThrow("put the cursor where you want to insert");
	expect(shown.inserted).toEqual([]);
});
