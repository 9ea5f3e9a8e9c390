import type { CodeLens, CodeLensProvider, ConfigurationChangeEvent, TextDocument } from "vscode";
import { expect, test, vi } from "vitest";
import type { VideoEngineOffer } from "../../../../../src/common/videoEngines.ts";

const { disposable, emitter, window } = vi.hoisted(() => {
	const nothing = { dispose: () => undefined };
	const window: {
		provider?: CodeLensProvider;
		refreshes: number;
		close?: (document: unknown) => void;
		configure?: (change: ConfigurationChangeEvent) => void;
	} = { refreshes: 0 };
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
	CodeLens: class {
		readonly command: unknown;
		constructor(_range: unknown, command: unknown) {
			this.command = command;
		}
	},
	commands: { registerCommand: () => disposable },
	languages: {
		createDiagnosticCollection: () => ({ ...disposable, set: () => undefined }),
		registerCodeLensProvider: (_: unknown, provider: CodeLensProvider) => {
			window.provider = provider;
			return disposable;
		},
	},
	window: {
		visibleTextEditors: [],
		createTextEditorDecorationType: () => disposable,
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
const { untilGenerate } =
	await import("../../../../../src/ui/video/storyboard/storyboardDocument.ts");

const offerOf = (price: string): VideoEngineOffer => ({
	...{ name: "OpenRouter", mayCharge: true, phrase: () => "" },
	seconds: duration => duration,
	setPhrase: () => Promise.resolve(),
	price: Promise.resolve(() => price),
});

test("the notes of an open storyboard name the service and the price of changed settings", async () => {
	const uri = { scheme: "untitled", toString: () => "untitled:story" };
	const text = "--- Scene: 2 s\n\nA boat\n";
	const document = { uri, isClosed: false, getText: () => text } as unknown as TextDocument;
	const local = { kind: "local", baseUrl: "", origin: "local", mayCharge: true } as const;
	let label = "OpenRouter";
	let offer: VideoEngineOffer | undefined = offerOf("$1");
	const generated = untilGenerate(document, {
		endpoint: () => ({ ...local, label, engine: label }),
		engine: () => offer,
	});
	const notes = (): string => {
		const lenses = window.provider?.provideCodeLenses(document, {} as never);
		return (lenses as CodeLens[]).map(({ command }) => command?.title).join("\n");
	};
	await expect.poll(notes).toContain("2 s in all, to OpenRouter · $1");
	expect(notes()).toContain("no video is requested yet");
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
