import type { CodeLens, CodeLensProvider, ConfigurationChangeEvent, TextDocument } from "vscode";
import { expect, test, vi } from "vitest";
import type { VideoEngineOffer } from "../../../../../src/common/videoEngines.ts";

const { disposable, emitter, window } = vi.hoisted(() => {
	const nothing = { dispose: () => undefined };
	const window: {
		provider?: CodeLensProvider;
		click?: () => void;
		refreshes: number;
		marks: number;
		close?: (document: unknown) => void;
		configure?: (change: ConfigurationChangeEvent) => void;
	} = { refreshes: 0, marks: 0 };
	class Emitter {
		readonly event = (): typeof nothing => nothing;
		readonly dispose = nothing.dispose;
		fire(): void {
			window.refreshes += 1;
		}
	}
	return { disposable: nothing, emitter: Emitter, window };
});
vi.mock("vscode", () => ({
	EventEmitter: emitter,
	ThemeColor: vi.fn(),
	Range: vi.fn(),
	Diagnostic: vi.fn(),
	CodeLens: class {
		readonly command: unknown;
		constructor(_range: unknown, command: unknown) {
			this.command = command;
		}
	},
	commands: {
		registerCommand: (_: string, run: () => void) => {
			window.click = run;
			return disposable;
		},
	},
	languages: {
		createDiagnosticCollection: () => ({ ...disposable, set: () => undefined }),
		registerCodeLensProvider: (_: unknown, provider: CodeLensProvider) => {
			window.provider = provider;
			return disposable;
		},
	},
	window: {
		visibleTextEditors: [],
		createTextEditorDecorationType: () => {
			window.marks += 1;
			return { dispose: () => (window.marks -= 1) };
		},
		onDidChangeVisibleTextEditors: () => disposable,
	},
	workspace: {
		onDidChangeTextDocument: () => disposable,
		onDidChangeConfiguration: (listener: typeof window.configure) => {
			window.configure = listener;
			return disposable;
		},
		onDidCloseTextDocument: (listener: typeof window.close) => {
			window.close = listener;
			return disposable;
		},
	},
}));
const { untilGenerated } =
	await import("../../../../../src/ui/video/storyboard/storyboardDocument.ts");

const offerOf = (price: string): VideoEngineOffer => ({
	name: "OpenRouter",
	mayCharge: true,
	phrase: () => "",
	seconds: duration => duration,
	setPhrase: () => Promise.resolve(),
	price: Promise.resolve(() => price),
});

const documentOf = (text: string): TextDocument => {
	const uri = { scheme: "untitled", toString: () => "untitled:story" };
	const lineAt = () => ({ range: {} });
	return { uri, isClosed: false, getText: () => text, lineAt } as unknown as TextDocument;
};

const local = { kind: "local", baseUrl: "", origin: "local", label: "Local service" } as const;

test("scene lines stay marked during the last step, until the videos are started", async () => {
	const step = vi.fn<() => Promise<boolean>>();
	const document = documentOf("--- Scene: 10 s, calm\n\nA boat\n");
	const generated = untilGenerated(document, { endpoint: () => local }, step);
	const lenses = (await window.provider?.provideCodeLenses(document, {} as never)) ?? [];
	expect(lenses.map(({ command }) => command?.title)).toEqual([
		"$(play) Make Clip",
		"10 s in all, drawn here for free",
		"Scene 1 of 1 · Words on a card",
	]);
	for (const isStarted of [false, true]) {
		const { promise, resolve } = Promise.withResolvers<boolean>();
		step.mockReset().mockReturnValue(promise);
		window.click?.();
		await expect.poll(() => step.mock.calls.length).toBe(1);
		expect(window.marks).toBe(1);
		resolve(isStarted);
		await promise;
	}
	expect(await generated).toBe(true);
	expect(window.marks).toBe(0);
});

test("a storyboard with a fault has no total, because it would leave out a scene", async () => {
	const document = documentOf("--- Scene: 3 s\n\nA boat\n\n--- Scene: 90 s\n\nA river\n");
	const generated = untilGenerated(document, { endpoint: () => local }, () =>
		Promise.resolve(true),
	);
	const lenses = (await window.provider?.provideCodeLenses(document, {} as never)) ?? [];
	const titles = lenses.map(({ command }) => command?.title);
	expect(titles[0]).toBe("$(warning) Fix 1 problem first");
	expect(titles.join("\n")).not.toContain("in all");
	window.close?.(document);
	expect(await generated).toBe(false);
});

test("the notes of an open storyboard name the service and the price of changed settings", async () => {
	const document = documentOf("--- Scene: 2 s\n\nA boat\n");
	let label = "OpenRouter";
	let offer: VideoEngineOffer | undefined = offerOf("$1");
	const dependencies = {
		endpoint: () => ({ ...local, mayCharge: true, label, engine: label }),
		engine: () => offer,
	};
	const generated = untilGenerated(document, dependencies, () => Promise.resolve(true));
	const notes = (): string => {
		const lenses = window.provider?.provideCodeLenses(document, {} as never);
		return (lenses as CodeLens[]).map(({ command }) => command?.title).join("\n");
	};
	await expect.poll(notes).toContain("2 s in all, to OpenRouter · $1");
	const before = window.refreshes;
	[label, offer] = ["ComfyUI", undefined];
	window.configure?.({ affectsConfiguration: section => section === "cutaway.localService.video" });
	expect(window.refreshes).toBeGreaterThan(before);
	expect(notes()).toContain("2 s in all, to ComfyUI");
	expect(notes()).not.toContain("$1");
	offer = offerOf("$3");
	window.configure?.({ affectsConfiguration: section => section === "cutaway.endpoint" });
	await expect.poll(notes).toContain("· $3");
	window.close?.(document);
	expect(await generated).toBe(false);
});
