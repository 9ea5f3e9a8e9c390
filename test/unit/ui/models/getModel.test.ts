import { beforeEach, expect, test, vi } from "vitest";
import { Emitter } from "../../../../src/common/disposable.ts";
import { AbortError } from "../../../../src/common/errors.ts";
import type {
	PullFailure,
	PullProgress,
	ServerListing,
} from "../../../../src/common/modelSetup.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { ServiceConnection } from "../../../../src/ui/connection/connection.ts";
import { ApiKeys } from "../../../../src/ui/connection/secrets.ts";
import { chooseModel } from "../../../../src/ui/models/chooseModel.ts";
import { downloadModel } from "../../../../src/ui/models/modelDownload.ts";
import { knownModelsFor } from "../../../../src/ui/models/getModel.ts";
import type { ChatEnvironment } from "../../../../src/ui/composer/chatSettings.ts";
import type {
	ModelChoiceDependencies,
	ShownDownload,
} from "../../../../src/ui/models/modelChoice.ts";
import { ModelOffers } from "../../../../src/ui/models/offerModels.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { createFakeSecretStorage } from "../../../helpers/fakeSecretStorage.ts";
import { FakeLists } from "../../../helpers/fakeLists.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

interface Item {
	readonly label: string;
}
const mocks = vi.hoisted(() => ({
	createQuickPick: vi.fn<() => object>(),
	showQuickPick: vi.fn<(items: unknown) => Promise<unknown>>(),
	showInputBox: vi.fn<(options: { validateInput(text: string): unknown }) => Promise<unknown>>(),
	showInformationMessage: vi.fn<(text: string, ...buttons: string[]) => Promise<unknown>>(),
	showErrorMessage: vi.fn<(text: string, ...buttons: string[]) => Promise<unknown>>(),
	openExternal: vi.fn<(uri: string) => Promise<boolean>>(),
	status: { text: "", tooltip: "", command: "", show: () => undefined, dispose: () => undefined },
	commands: new Map<string, () => void>(),
}));
vi.mock("vscode", () => ({
	QuickPickItemKind: { Separator: -1 },
	Uri: { parse: (text: string) => text },
	env: { openExternal: mocks.openExternal },
	StatusBarAlignment: { Left: 1 },
	commands: {
		registerCommand: (id: string, run: () => void) => {
			mocks.commands.set(id, run);
			return { dispose: () => mocks.commands.delete(id) };
		},
	},
	window: { ...mocks, createStatusBarItem: () => mocks.status },
}));

let lists = new FakeLists();

beforeEach(() => {
	vi.resetAllMocks();
	lists = new FakeLists();
	mocks.createQuickPick.mockImplementation(() => lists.open());
});

const ollama = { name: "ollama", baseUrl: "http://127.0.0.1:11434" };
const model = { id: "ollama/qwen3:8b", label: "qwen3:8b", server: "ollama" };

type Pull = ModelChoiceDependencies["pullModel"];

/** A window whose Ollama has a model once it was pulled. */
function setUp(pull: Pull = () => Promise.resolve(undefined), isRunning = true) {
	const settings = createFakeSettings();
	const keys = new ApiKeys(createFakeSecretStorage());
	let models: ServerListing["models"] = [];
	const unused = {
		connect: () => Promise.reject(new Error("nothing is asked")),
		restart: () => Promise.reject(new Error("nothing is asked")),
		state: { state: "stopped" as const },
	};
	const context: ModelChoiceDependencies = {
		settings,
		keys,
		connection: new ServiceConnection(settings, keys, unused, silentLog),
		listModels: () =>
			Promise.resolve(
				isRunning ? [{ server: "ollama", baseUrl: ollama.baseUrl, kind: "ollama", models }] : [],
			),
		editorModels: () => Promise.resolve([]),
		allowedProviders: { get: () => [], set: () => undefined },
		agreedDownloads: { get: () => [], set: () => undefined },
		modelFiles: {
			modelsFolder: "/models",
			useModelFile: () => Promise.reject(new Error("no file is used")),
			removeModel: () => Promise.reject(new Error("nothing is deleted")),
		},
		pullModel: async (...asked) => {
			const failure = await pull(...asked);
			models = failure ? [] : [model];
			return failure;
		},
		setModel: name => settings.set("chat.model", name),
		log: silentLog,
	};
	return { context, settings };
}

function choose(label: RegExp): void {
	mocks.showQuickPick.mockImplementationOnce(async items =>
		((await items) as readonly Item[]).find(item => label.test(item.label)),
	);
}

const starting = "Downloading qwen3:8b. The status bar shows the progress.";
const sayings = (): readonly string[] =>
	[...mocks.showInformationMessage.mock.calls, ...mocks.showErrorMessage.mock.calls].map(
		([text]) => text,
	);

test("the models that fit come first, the largest on top, and each says what memory it needs", () => {
	const rows = knownModelsFor({ total: 16e9, free: 5e9 });
	expect(rows.slice(0, 3).map(row => [row.model, row.description, row.detail])).toEqual([
		["qwen3:8b", "5.2 GB to download", "Needs about 6 GB of memory; 5.0 GB is free now."],
		["qwen3:4b", "2.5 GB to download", "Needs about 3 GB of memory."],
		["llama3.2:3b", "2.0 GB to download", "Needs about 2 GB of memory."],
	]);
	expect(rows.at(-1)).toMatchObject({
		model: "qwen3:30b",
		fits: false,
		detail: "Needs about 22 GB of memory. This machine has 16 GB, and the editor needs some of it.",
	});
	expect(knownModelsFor({ total: 1e9, free: 1e9 }).every(({ fits }) => !fits)).toBe(true);
});

test("a model chosen from the list is downloaded with progress, and then its server is set up and it answers", async () => {
	const told: PullProgress[] = [
		{ stage: "starting", completedBytes: 0, totalBytes: 0 },
		{ stage: "downloading", completedBytes: 1.3e9, totalBytes: 5.2e9 },
		{ stage: "downloading", completedBytes: 2.6e9, totalBytes: 5.2e9 },
		{ stage: "verifying", completedBytes: 5.2e9, totalBytes: 5.2e9 },
		{ stage: "writing", completedBytes: 5.2e9, totalBytes: 5.2e9 },
	];
	const shown: string[] = [];
	const { context, settings } = setUp((asked, onProgress) => {
		expect(asked).toEqual({ kind: "ollama", baseUrl: ollama.baseUrl, model: "qwen3:8b" });
		for (const progress of told) {
			onProgress(progress);
			shown.push(`${mocks.status.text} ${mocks.status.tooltip}`);
		}
		return Promise.resolve(undefined);
	});
	lists.deeds.push(({ accept }) => accept("$(cloud-download) Get a Model with Ollama…"));
	choose(/qwen3:8b/);
	await chooseModel(context);
	await expect.poll(() => settings.get("chat.model")).toBe("ollama/qwen3:8b");
	expect(settings.get("localService.servers")).toEqual([ollama]);
	expect(shown).toEqual(
		[
			"0% Looking for the model…",
			"25% 1.3 GB of 5.2 GB",
			"50% 2.6 GB of 5.2 GB",
			"100% Verifying…",
			"100% Writing…",
		].map(text => `$(cloud-download) qwen3:8b ${text}\nClick to cancel.`),
	);
	await expect.poll(sayings).toEqual([starting, "qwen3:8b is downloaded and answers now."]);
});

test("another model is asked for by a name that Ollama takes", async () => {
	const { context, settings } = setUp();
	choose(/Another model/);
	mocks.showInputBox.mockImplementationOnce(({ validateInput }) => {
		const names = ["qwen3", "qwen3:8b", "hf.co/org/Model-GGUF:Q4_K_M", "me/x", "host:5000/a/b:c"];
		expect(names.map(validateInput)).toEqual(names.map(() => undefined));
		const wrong = ["a b", "qwen3:", ":8b", "https://ollama.com/library/qwen3", "../x y", "a:b:c"];
		expect(wrong.map(name => typeof validateInput(name))).toEqual(wrong.map(() => "string"));
		return Promise.resolve(" qwen3:8b ");
	});
	await chooseModel(context, "ollama");
	await expect.poll(() => settings.get("chat.model")).toBe("ollama/qwen3:8b");
});

test("leaving the list downloads nothing and shows all models again", async () => {
	const { context, settings } = setUp(() => Promise.reject(new Error("not asked")));
	await chooseModel(context, "ollama");
	expect(mocks.showQuickPick).toHaveBeenCalledTimes(1);
	expect(lists.shown).toHaveLength(1);
	expect(settings.get("localService.servers")).toEqual([]);
});

test("without Ollama its page is one click away, and nothing is opened unasked", async () => {
	const { context } = setUp(undefined, false);
	await chooseModel(context, "ollama");
	expect(mocks.openExternal).not.toHaveBeenCalled();
	mocks.showInformationMessage.mockResolvedValueOnce("Get Ollama");
	await chooseModel(context, "ollama");
	expect(mocks.openExternal).toHaveBeenCalledWith("https://ollama.com/download");
});

test("canceling keeps what came and chooses nothing", async () => {
	const { context, settings } = setUp(
		(_asked, _onProgress, signal) =>
			new Promise((_resolve, reject) =>
				signal.addEventListener("abort", () => reject(new AbortError())),
			),
	);
	const downloading = downloadModel(context, ollama, "qwen3:8b");
	mocks.commands.get(mocks.status.command)?.();
	await downloading;
	expect(mocks.commands.size).toBe(0);
	expect(sayings()).toEqual([
		starting,
		"Canceled. The downloaded part of qwen3:8b is kept; the next download continues from there.",
	]);
	expect(settings.get("localService.servers")).toEqual([]);
});

test("a model is downloaded once at a time, whichever way it is named", async () => {
	const end = Promise.withResolvers<undefined>();
	const pull = vi.fn(() => end.promise);
	const { context } = setUp(pull);
	const first = downloadModel(context, ollama, "qwen3");
	await downloadModel(context, { ...ollama, name: "box" }, "qwen3:latest");
	expect(pull).toHaveBeenCalledOnce();
	expect(sayings().at(-1)).toBe("qwen3:latest is already being downloaded.");
	end.resolve(undefined);
	await first;
});

test("a user who chose another model meanwhile is asked", async () => {
	const { context, settings } = setUp(async () => {
		await settings.set("chat.model", "other/model");
		return undefined;
	});
	await downloadModel(context, ollama, "qwen3:8b");
	expect(settings.get("chat.model")).toBe("other/model");
	expect(mocks.showInformationMessage).toHaveBeenCalledWith("qwen3:8b is downloaded.", "Use");
	await settings.set("chat.model", "llm-4");
	mocks.showInformationMessage.mockImplementation((text, use) =>
		Promise.resolve(text === starting ? undefined : use),
	);
	await downloadModel(context, ollama, "qwen3:8b");
	expect(settings.get("chat.model")).toBe("ollama/qwen3:8b");
});

const failures: readonly (readonly [PullFailure["reason"], string, string])[] = [
	[
		"unknownModel",
		"Ollama has no model named “qwen3:8b”. Check the name and its tag.",
		"Open Library",
	],
	[
		"noSpace",
		"No space left where Ollama keeps its models. The downloaded part of qwen3:8b is kept. Free up space, then retry.",
		"Retry",
	],
	["tooOld", "qwen3:8b needs a newer version of Ollama. Update Ollama, then retry.", "Get Ollama"],
	[
		"lost",
		"Ollama stopped while downloading qwen3:8b. The downloaded part is kept. Start Ollama, then retry.",
		"Retry",
	],
	[
		"silent",
		"Ollama stopped responding while downloading qwen3:8b. The downloaded part is kept. Retry to continue.",
		"Retry",
	],
	["refused", "Ollama couldn't download qwen3:8b: no such host", "Retry"],
];

test.each(failures)(
	"%s: a download that fails says why, with the next step",
	async (reason, text, button) => {
		const { context, settings } = setUp(() => Promise.resolve({ reason, words: "no such host" }));
		await downloadModel(context, ollama, "qwen3:8b");
		expect(mocks.showErrorMessage).toHaveBeenCalledExactlyOnceWith(text, button);
		expect(settings.get("chat.model")).toBe("llm-4-turbo-tools");
	},
);

test("a local service that does not start is told", async () => {
	const { context } = setUp(() => Promise.reject(new Error("The local service stopped.")));
	await downloadModel(context, ollama, "qwen3:8b");
	expect(sayings()).toEqual([
		starting,
		"Ollama couldn't download qwen3:8b: The local service stopped.",
	]);
});

test("trying again goes on with the same model", async () => {
	let rounds = 0;
	const { context, settings } = setUp(() => {
		rounds += 1;
		return Promise.resolve(rounds === 1 ? { reason: "lost", words: "" } : undefined);
	});
	mocks.showErrorMessage.mockResolvedValueOnce("Retry");
	await downloadModel(context, ollama, "qwen3:8b");
	expect(settings.get("chat.model")).toBe("ollama/qwen3:8b");
});

/** A chat of this window, and what it was told of models. */
function shownChat({ get, onDidChange }: ModelChoiceDependencies["settings"]) {
	const told: Partial<ChatEnvironment>[] = [];
	const setEnvironment = (change: Partial<ChatEnvironment>): void => void told.push(change);
	return { chat: { get, onDidChange, setEnvironment }, told };
}

test("where Ollama runs without a model, a new chat offers the way to one until a model is chosen", async () => {
	const { context, settings } = setUp();
	const { chat, told } = shownChat(settings);
	await new ModelOffers({ ...context, clock: createFakeClock() }, chat).look();
	const way = told.at(-1)?.search?.way;
	expect(way?.name).toBe("Get a Model with Ollama…");
	choose(/qwen3:8b/);
	await way?.take();
	await expect.poll(() => settings.get("chat.model")).toBe("ollama/qwen3:8b");
	expect(told.at(-1)?.search).toBeUndefined();
});

test("while Ollama downloads, a new chat shows how far it is, and cancels it", async () => {
	const downloads = new Emitter<ShownDownload | undefined>();
	const { context } = setUp((_asked, onProgress, signal) => {
		onProgress({ stage: "downloading", completedBytes: 1.3e9, totalBytes: 5.2e9 });
		return new Promise((_resolve, reject) =>
			signal.addEventListener("abort", () => reject(new AbortError())),
		);
	});
	const { chat, told } = shownChat(context.settings);
	const dependencies = { ...context, downloads, clock: createFakeClock() };
	await new ModelOffers(dependencies, chat).look();
	const downloading = downloadModel(dependencies, ollama, "qwen3:8b");
	const search = told.at(-1)?.search;
	expect(search?.heading).toBe("Downloading qwen3:8b… 25%");
	expect(search?.way).toMatchObject({ name: "Cancel Download", detail: "1.3 GB of 5.2 GB" });
	await search?.way?.take();
	await downloading;
	expect(told.at(-1)?.search?.way?.name).toBe("Get a Model with Ollama…");
});
