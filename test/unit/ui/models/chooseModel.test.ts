import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import {
	hubModels,
	type ModelPlaces,
	type ServerListing,
} from "../../../../src/common/modelSetup.ts";
import { Emitter } from "../../../../src/common/disposable.ts";
import { silentLog } from "../../../../src/common/log.ts";
import { currentHolder } from "../../../../src/storage/lease.ts";
import type { ChatEnvironment } from "../../../../src/ui/composer/chatSettings.ts";
import { ServiceConnection } from "../../../../src/ui/connection/connection.ts";
import { ApiKeys } from "../../../../src/ui/connection/secrets.ts";
import { chooseModel, setModelKey } from "../../../../src/ui/models/chooseModel.ts";
import type { ShownDownload } from "../../../../src/ui/models/modelChoice.ts";
import { ModelOffers } from "../../../../src/ui/models/offerModels.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { createFakeSecretStorage } from "../../../helpers/fakeSecretStorage.ts";
import { FakeLists } from "../../../helpers/fakeLists.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const mocks = vi.hoisted(() => ({
	executeCommand: vi.fn<(id: string) => Promise<void>>(),
	createQuickPick: vi.fn<() => object>(),
	createInputBox: vi.fn<() => object>(),
	openExternal: vi.fn<(uri: unknown) => void>(),
	showInputBox: vi.fn<(options?: { readonly value?: string }) => Promise<string | undefined>>(),
	showWarningMessage: vi.fn<(sentence: string) => Promise<string | undefined>>(),
	showInformationMessage: vi.fn<(sentence: string) => Promise<string | undefined>>(),
}));
const { createQuickPick, executeCommand, showInputBox, showWarningMessage } = mocks;
vi.mock("vscode", () => ({
	ProgressLocation: { Notification: 15 },
	QuickPickItemKind: { Separator: -1 },
	ThemeIcon: Object,
	Uri: { parse: (text: string) => text },
	env: { openExternal: mocks.openExternal },
	commands: { executeCommand: mocks.executeCommand },
	window: {
		...mocks,
		withProgress: (_options: unknown, work: () => unknown) => work(),
	},
}));

let lists = new FakeLists();

beforeEach(() => {
	vi.resetAllMocks();
	lists = new FakeLists();
	createQuickPick.mockImplementation(() => lists.open());
});

const found: readonly ServerListing[] = [
	{
		server: "ollama",
		models: [
			{
				id: "ollama/qwen3:8b",
				label: "qwen3:8b",
				server: "ollama",
				sizeBytes: 5.2e9,
				isLoaded: true,
			},
		],
	},
];
const ollama = { name: "ollama", baseUrl: "http://127.0.0.1:11434" };

function setUp(endpoint = "") {
	const settings = createFakeSettings({ endpoint });
	const keys = new ApiKeys(createFakeSecretStorage());
	const unused = {
		connect: () => Promise.reject(new Error("nothing is asked")),
		restart: () => Promise.reject(new Error("nothing is asked")),
		state: { state: "stopped" as const },
	};
	let allowed: readonly string[] = ["acme", "copilot"];
	const listModels = vi.fn((places: ModelPlaces): Promise<readonly ServerListing[]> =>
		Promise.resolve(places === "found" ? found : []),
	);
	const clock = createFakeClock();
	const context = {
		clock,
		settings,
		keys,
		connection: new ServiceConnection(settings, keys, unused, silentLog),
		listModels,
		editorModels: () => Promise.resolve([]),
		allowedProviders: { get: () => allowed, set: (names: readonly string[]) => (allowed = names) },
		agreedDownloads: { get: () => [], set: () => undefined },
		modelFiles: {
			modelsFolder: "/models",
			useModelFile: () => Promise.reject(new Error("no file is used")),
			removeModel: () => Promise.reject(new Error("nothing is deleted")),
		},
		pullModel: () => Promise.reject(new Error("nothing is downloaded")),
		setModel: (model: string) => settings.set("chat.model", model),
		log: silentLog,
	};
	return { clock, context, settings, keys, listModels };
}

function choose(label: string): void {
	lists.deeds.push(({ accept }) => accept(label));
}

test("choosing a model that was found writes its server and makes it answer", async () => {
	const { context, settings } = setUp();
	choose("$(blank) qwen3:8b");
	await chooseModel(context);
	expect(settings.get("localService.servers")).toEqual([ollama]);
	expect(settings.get("chat.model")).toBe("ollama/qwen3:8b");
});

test("a model's server is named by the heading, and in the row where two servers have the model", async () => {
	const { context, settings, listModels } = setUp();
	const models = ["a", "b"].map(label => ({ id: `ollama/${label}`, label, server: "ollama" }));
	listModels.mockImplementation(async places =>
		places === "found" ? [{ server: "ollama", models }] : [],
	);
	const other = { id: "vscode/acme/b", label: "b", server: "acme" };
	await settings.set("chat.model", "ollama/a");
	await chooseModel({ ...context, editorModels: () => Promise.resolve([other]) });
	const rows = lists.shown[0]?.filter(({ label }) => /^\$\((check|blank)\)/.test(label));
	expect(rows).toMatchObject([
		{ label: "$(check) a", description: "" },
		{ label: "$(blank) b", description: "Ollama" },
		{ label: "$(blank) b", description: "acme in VS Code" },
	]);
});

test("leaving the list changes nothing", async () => {
	const { context, settings } = setUp();
	await chooseModel(context);
	expect(settings.get("localService.servers")).toEqual([]);
	expect(settings.get("chat.model")).toBe("llm-4-turbo-tools");
});

test("a provider that was allowed is asked about again once the user says so in the list", async () => {
	const { context } = setUp();
	choose("$(circle-slash) Ask again before sending to acme");
	await chooseModel(context);
	expect(context.allowedProviders.get()).toEqual(["copilot"]);
	expect(lists.shown[1]?.filter(({ label }) => label.startsWith("$(circle-slash)"))).toHaveLength(
		1,
	);
});

test("a service the user connected to is not left without a question", async () => {
	const { context, settings } = setUp("https://service.example.com");
	choose("$(blank) qwen3:8b");
	showWarningMessage.mockResolvedValueOnce(undefined);
	await chooseModel(context);
	expect(settings.get("endpoint")).toBe("https://service.example.com");
	expect(settings.get("chat.model")).toBe("llm-4-turbo-tools");
	expect(showWarningMessage).toHaveBeenCalledOnce();
});

test("VS Code's own list of models is one click away, and nothing is chosen by it", async () => {
	const { context, settings } = setUp();
	choose("$(vscode) Use VS Code's Models…");
	await chooseModel(context);
	expect(executeCommand).toHaveBeenCalledExactlyOnceWith("workbench.action.chat.manage");
	expect(settings.get("chat.model")).toBe("llm-4-turbo-tools");
});

/** The chat's part in offers: its settings, and what it was told to show. */
function chatOf({ settings }: ReturnType<typeof setUp>) {
	const told: Partial<ChatEnvironment>[] = [];
	const { get, onDidChange } = settings;
	return {
		told,
		get,
		onDidChange,
		setEnvironment: (change: (typeof told)[0]) => void told.push(change),
	};
}

test("a new chat offers what was found, and uses it on a click only", async () => {
	const bench = setUp();
	const { context, settings } = bench;
	const chat = chatOf(bench);
	await new ModelOffers(context, chat).look();
	expect(chat.told[0]?.search).toMatchObject({ isLooking: true, found: [] });
	const search = chat.told[1]?.search;
	expect(search).toMatchObject({ isLooking: false, heading: "Found on this machine" });
	expect(search?.found).toMatchObject([{ name: "qwen3:8b", detail: "Ollama · 5.2 GB, loaded" }]);
	expect(settings.get("chat.model")).toBe("llm-4-turbo-tools");
	await search?.found[0]?.take();
	expect(settings.get("chat.model")).toBe("ollama/qwen3:8b");
	expect(chat.told.at(-1)?.search).toBeUndefined();
});

test("a download with its Cancel is in the place of the way to a model, until it ends", async () => {
	const bench = setUp();
	bench.listModels.mockResolvedValue([]);
	const downloads = new Emitter<ShownDownload | undefined>();
	const chat = chatOf(bench);
	const offers = new ModelOffers({ ...bench.context, downloads }, chat);
	await offers.look();
	const way = chat.told.at(-1)?.search?.way;
	const cancel = vi.fn<() => void>();
	downloads.fire({ model: "Qwen", percent: 24, detail: "130 MB of 530 MB", cancel });
	const shown = chat.told.at(-1)?.search;
	expect(shown?.heading).toBe("Downloading Qwen… 24%");
	expect(shown?.way).toMatchObject({ name: "Cancel Download", detail: "130 MB of 530 MB" });
	await shown?.way?.take();
	expect(cancel).toHaveBeenCalledOnce();
	downloads.fire(undefined);
	expect(chat.told.at(-1)?.search?.way).toMatchObject({ id: way?.id, name: way?.name });
	offers.dispose();
});

test("where two searches overlap, the one that began last is shown", async () => {
	const bench = setUp();
	const answers: ((listings: readonly ServerListing[]) => void)[] = [];
	bench.listModels.mockImplementation(async places =>
		places === "found"
			? await new Promise<readonly ServerListing[]>(resolve => answers.push(resolve))
			: [],
	);
	const downloads = new Emitter<ShownDownload | undefined>();
	const chat = chatOf(bench);
	const offers = new ModelOffers({ ...bench.context, downloads }, chat);
	const first = offers.look();
	downloads.fire(undefined);
	answers[1]?.(found);
	const names = (): unknown => chat.told.at(-1)?.search?.found.map(({ name }) => name);
	await expect.poll(names).toEqual(["qwen3:8b"]);
	answers[0]?.([]);
	await first;
	expect(names()).toEqual(["qwen3:8b"]);
	offers.dispose();
});

test("a part has a button that deletes it, except while a window downloads it", async () => {
	const bench = setUp();
	bench.listModels.mockImplementation(
		async places =>
			await Promise.resolve(places === "embedded" ? [{ server: "embedded", models: [] }] : []),
	);
	const modelsFolder = await makeTempFolder();
	const context = { ...bench.context, modelFiles: { ...bench.context.modelFiles, modelsFolder } };
	const path = join(modelsFolder, hubModels[0].file);
	await writeFile(`${path}.part`, "part");
	await chooseModel(context);
	await writeFile(`${path}.lock`, JSON.stringify(currentHolder()));
	await chooseModel(context);
	const rows = lists.shown.map(items => items.find(({ label }) => label.includes("0.8B")));
	expect(rows.map(row => row && "buttons" in row)).toEqual([true, false]);
});

test("what is loaded is offered first, then what can use tools", async () => {
	const bench = setUp();
	const models = [
		{ label: "plain" },
		{ label: "with tools", tools: true },
		{ label: "loaded", isLoaded: true },
	].map(model => ({ id: `ollama/${model.label}`, server: "ollama", ...model }));
	bench.listModels.mockResolvedValue([{ server: "ollama", models }]);
	const chat = chatOf(bench);
	await new ModelOffers(bench.context, chat).look();
	const names = chat.told.at(-1)?.search?.found.map(({ name }) => name);
	expect(names).toEqual(["loaded", "with tools", "plain"]);
});

test("a server that was started later is offered at the next look, which comes five seconds after the last at the earliest", async () => {
	const bench = setUp();
	const { clock, context, listModels } = bench;
	const looks = (): readonly unknown[] =>
		listModels.mock.calls.filter(([places]) => places === "found");
	listModels.mockResolvedValueOnce([]);
	const chat = chatOf(bench);
	const offers = new ModelOffers(context, chat);
	await offers.look();
	expect(chat.told.at(-1)?.search).toMatchObject({ found: [], way: { id: "server" } });
	await clock.advance(4_999);
	await offers.look();
	expect(looks()).toHaveLength(1);
	await clock.advance(1);
	await Promise.all([offers.look(), offers.look()]);
	expect(looks()).toHaveLength(2);
	expect(chat.told.at(-1)?.search?.found).toMatchObject([{ id: "ollama/qwen3:8b" }]);
	await clock.advance(5_000);
	await offers.look();
	expect(looks()).toHaveLength(3);
	expect(chat.told).toHaveLength(3);
});

test("a model that is chosen while models are looked for leaves nothing to offer", async () => {
	const bench = setUp();
	const { context, settings, listModels } = bench;
	let answer: (listings: readonly ServerListing[]) => void = () => undefined;
	listModels.mockReturnValueOnce(new Promise(resolve => (answer = resolve)));
	const chat = chatOf(bench);
	const looking = new ModelOffers(context, chat).look();
	await settings.set("chat.model", "lm/other");
	answer(found);
	await looking;
	expect(chat.told.filter(({ search }) => search?.found.length)).toEqual([]);
	expect(chat.told.at(-1)?.search).toBeUndefined();
});

test("nothing is looked for where a service or a server is set", async () => {
	const remote = setUp("https://service.example.com");
	const chosen = setUp();
	await chosen.settings.set("localService.servers", [ollama]);
	for (const bench of [remote, chosen]) {
		await new ModelOffers(bench.context, chatOf(bench)).look();
		expect(bench.listModels).not.toHaveBeenCalled();
	}
});

test("the other models of the answering server are listed with the context of the chosen one, of one elsewhere only where the user opens the list (ux 5)", async () => {
	const bench = setUp();
	const { context, settings, listModels } = bench;
	const router = { name: "router", baseUrl: "https://models.example.com/v1" };
	await settings.set("localService.servers", [ollama, router]);
	const [model] = found[0]?.models ?? [];
	const models = model ? [{ ...model, contextLength: 8192 }] : [];
	listModels.mockResolvedValue([{ server: "ollama", models }]);
	const chat = chatOf(bench);
	const offers = new ModelOffers(context, chat);
	await settings.set("chat.model", "ollama/other");
	await vi.waitFor(() => expect(chat.told.at(-1)?.serverModels).toEqual(["ollama/qwen3:8b"]));
	expect(listModels).toHaveBeenCalledExactlyOnceWith({ ...ollama, headers: {} });
	expect(chat.told.at(-1)?.listedContext).toBe(0);
	await settings.set("chat.model", "router/large");
	await vi.waitFor(() => expect(chat.told.at(-1)?.serverModels).toEqual([]));
	expect(chat.told.at(-1)?.listedContext).toBeUndefined();
	expect(listModels).toHaveBeenCalledOnce();
	await settings.set("chat.model", "ollama/qwen3:8b");
	await vi.waitFor(() => expect(chat.told.at(-1)?.listedContext).toBe(8192));
	offers.dispose();
});

/** Enters a key in the box for a provider's; false where it was left. */
function enterKey(key: string | undefined): { messages: string[]; pressButton: () => void } {
	const seen = { messages: [] as string[], pressButton: () => undefined as void };
	mocks.createInputBox.mockImplementationOnce(() => {
		const on: Record<string, () => void> = {};
		const box = {
			value: "",
			validationMessage: "",
			onDidChangeValue: () => undefined,
			onDidTriggerButton: (listener: () => void) => (seen.pressButton = listener),
			onDidAccept: (listener: () => void) => (on["accept"] = listener),
			onDidHide: (listener: () => void) => (on["hide"] = listener),
			dispose: () => undefined,
			show: () => {
				seen.messages.push(box.validationMessage);
				box.value = key ?? "";
				on[key === undefined ? "hide" : "accept"]?.();
			},
		};
		return box;
	});
	return seen;
}

test("a provider is chosen by name, and asked once its key was entered (ux 18)", async () => {
	const { context, settings, keys, listModels } = setUp();
	const models = [{ id: "openrouter/large", label: "large", server: "openrouter" }];
	listModels.mockImplementation(
		async places =>
			await Promise.resolve(
				typeof places === "object"
					? [
							{
								server: "openrouter",
								models,
								...(places.headers["authorization"] === "Bearer good"
									? {}
									: { failure: "refused" }),
							},
						]
					: [],
			),
	);
	choose("$(key) OpenRouter");
	enterKey("bad");
	const second = enterKey("good");
	await chooseModel(context);
	expect(second.messages).toEqual(["refused"]);
	second.pressButton();
	expect(mocks.openExternal).toHaveBeenCalledExactlyOnceWith("https://openrouter.ai/settings/keys");
	expect(settings.get("localService.servers")).toEqual([
		{ name: "openrouter", baseUrl: "https://openrouter.ai/api/v1" },
	]);
	expect(await keys.get("https://openrouter.ai")).toBe("good");
	expect(lists.shown[1]?.some(({ label }) => label === "$(key) OpenRouter")).toBe(false);
});

test("leaving the box for a provider's key asks nobody and saves nothing", async () => {
	const { context, settings, listModels } = setUp();
	choose("$(key) xAI");
	enterKey(undefined);
	await chooseModel(context, "server");
	expect(listModels.mock.calls.filter(([places]) => typeof places === "object")).toEqual([]);
	expect(settings.get("localService.servers")).toEqual([]);
});

test("a key that is set goes to the server whose model answers", async () => {
	const { context, settings, keys } = setUp();
	expect(await setModelKey(context)).toBe(false);
	await settings.set("localService.servers", [
		ollama,
		{ name: "router", baseUrl: "https://models.example.com/v1" },
	]);
	await settings.set("chat.model", "router/large");
	showInputBox.mockResolvedValueOnce("secret-key");
	expect(await setModelKey(context)).toBe(true);
	expect(await keys.get("https://models.example.com")).toBe("secret-key");
	expect(await keys.get("http://127.0.0.1:11434")).toBeUndefined();
});

test.each([
	["openai", []],
	["ollama", ["$(blank) qwen3:8b"]],
	["vscode", ["$(blank) Large"]],
	["demo", []],
] as const)("with the engine %s the list has its models alone: %j", async (engine, labels) => {
	const { context, settings, listModels } = setUp();
	await settings.set("localService.engine", engine);
	listModels.mockResolvedValue(found.map(listing => ({ ...listing, kind: "ollama" as const })));
	const large = { id: "vscode/acme/large", label: "Large", server: "acme" };
	await chooseModel({ ...context, editorModels: () => Promise.resolve([large]) });
	const models = new Set(["$(blank) qwen3:8b", "$(blank) Large"]);
	const [rows = []] = lists.shown;
	expect(rows.map(({ label }) => label).filter(label => models.has(label))).toEqual(labels);
	expect(rows.some(({ label }) => label.includes("Other address"))).toBe(engine === "openai");
	expect(rows.some(({ label }) => label.includes("Ollama"))).toBe(engine === "ollama");
	expect(rows.some(({ label }) => label.includes("Demo"))).toBe(engine === "demo");
	expect(listModels).toHaveBeenCalledTimes(["openai", "ollama"].includes(engine) ? 1 : 0);
});

test("the ways to more models are below headings, without those of engines that are off", async () => {
	const { context, settings } = setUp();
	const headings = (): string[] =>
		(lists.shown.at(-1) ?? []).filter(({ kind }) => kind === -1).map(({ label }) => label);
	await chooseModel(context);
	expect(headings().slice(-3)).toEqual(["Run here", "Use a key or an address", "More ways"]);
	await settings.set("localService.engine", "demo");
	await chooseModel(context);
	expect(headings()).toEqual(["More ways"]);
});

const mistyped = { name: "mistyped", baseUrl: "http://127.0.0.1:1/v1" };
const failure = "mistyped is not running: nothing listens at its address.";

test("a server that does not answer is removed by the button of its row, and put back on Undo", async () => {
	const { context, settings, listModels } = setUp();
	await settings.set("localService.servers", [mistyped, ollama]);
	listModels.mockImplementation(async () => {
		const names = settings.get("localService.servers").map(({ name }) => name);
		const listing = { server: "mistyped", models: [], failure };
		return await Promise.resolve(names.includes("mistyped") ? [listing] : []);
	});
	let undo: (choice: string) => void = () => undefined;
	mocks.showInformationMessage.mockReturnValueOnce(new Promise(resolve => (undo = resolve)));
	lists.deeds.push(({ press }) => press("$(warning) mistyped"));
	await chooseModel(context);
	expect(settings.get("localService.servers")).toEqual([ollama]);
	expect(lists.shown[1]?.some(({ label }) => label === "$(warning) mistyped")).toBe(false);
	undo("Undo");
	await vi.waitFor(() => expect(settings.get("localService.servers")).toEqual([mistyped, ollama]));
});

test("a server whose address can't be asked is listed, with the reason and the button", async () => {
	const { context, settings } = setUp();
	await settings.set("localService.servers", [{ name: "typo", baseUrl: "htp:/host" }]);
	lists.deeds.push(({ press }) => press("$(warning) typo"));
	await chooseModel(context);
	expect(lists.shown[0]?.find(({ label }) => label === "$(warning) typo")?.detail).toContain(
		"complete address",
	);
	expect(settings.get("localService.servers")).toEqual([]);
});

const addRow = "$(add) Other address…";

/** A list of models of the servers at these addresses; everything else has none there. */
function listingsAt(answers: Readonly<Record<string, Partial<ServerListing>>>) {
	return (places: ModelPlaces): Promise<readonly ServerListing[]> => {
		if (typeof places === "string") {
			return Promise.resolve([]);
		}
		const { name: server, baseUrl, headers } = places;
		const path = `${baseUrl}${"authorization" in headers ? " with a key" : ""}`;
		const none = { failure: `${baseUrl} has no list.`, refused: "address" as const };
		return Promise.resolve([{ server, baseUrl, models: [], ...(answers[path] ?? none) }]);
	};
}

test("an address is saved once its server answered, without what is asked there", async () => {
	const { context, settings, listModels } = setUp();
	listModels.mockImplementation(listingsAt({ "https://models.example.com/v1": {} }));
	choose(addRow);
	showInputBox.mockResolvedValueOnce("https://models.example.com/v1/chat/completions");
	await chooseModel(context);
	expect(settings.get("localService.servers")).toEqual([
		{ name: "models.example.com", baseUrl: "https://models.example.com/v1" },
	]);
});

test("between an address and its models the list stays open, busy with the question", async () => {
	const { context, listModels } = setUp();
	const opened: { busy?: boolean; placeholder?: string; dispose: () => void }[] = [];
	createQuickPick.mockImplementation(() => {
		const list = lists.open() as (typeof opened)[number];
		opened.push(list);
		return list;
	});
	const asking: unknown[] = [];
	const answer = listingsAt({ "https://models.example.com/v1": {} });
	listModels.mockImplementation(places => {
		const last = opened.at(-1);
		asking.push([last?.busy, last?.placeholder]);
		return answer(places);
	});
	choose(addRow);
	showInputBox.mockResolvedValueOnce("https://models.example.com/v1");
	await chooseModel(context);
	expect(asking).toContainEqual([true, "Asking models.example.com for its models…"]);
});

test.each([
	["https://gate.example.com/openai", "https://gate.example.com/openai/v1"],
	["http://127.0.0.1:3000/", "http://127.0.0.1:3000/api"],
])("the address %s is saved as %s, where the models are", async (entered, baseUrl) => {
	const { context, settings, listModels } = setUp();
	listModels.mockImplementation(listingsAt({ [baseUrl]: {} }));
	choose(addRow);
	showInputBox.mockResolvedValueOnce(entered);
	await chooseModel(context);
	expect(settings.get("localService.servers")).toMatchObject([{ baseUrl }]);
});

test("after an address the list has the models of that server alone, and all on a click", async () => {
	const { context, settings, listModels } = setUp();
	const baseUrl = "http://127.0.0.1:18744/v1";
	const models = ["gpt-oss-20b", "qwen3-coder-30b"].map(label => ({
		id: `127.0.0.1-18744/${label}`,
		label,
		server: "127.0.0.1-18744",
	}));
	const at = listingsAt({ [baseUrl]: { models } });
	listModels.mockImplementation(async places =>
		places === "found"
			? found
			: places === "configured"
				? [{ server: "127.0.0.1-18744", baseUrl, models }]
				: at(places),
	);
	choose(addRow);
	showInputBox.mockResolvedValueOnce(baseUrl);
	choose("$(blank) Other Models…");
	choose("$(blank) qwen3-coder-30b");
	await chooseModel(context);
	const labels = lists.shown.map(rows => rows.map(({ label }) => label));
	expect(labels[1]).toEqual([
		"127.0.0.1:18744",
		"$(blank) gpt-oss-20b",
		"$(blank) qwen3-coder-30b",
		"",
		"$(blank) Other Models…",
	]);
	expect(labels[2]).toEqual(expect.arrayContaining(["$(blank) qwen3:8b", addRow]));
	expect(settings.get("chat.model")).toBe("127.0.0.1-18744/qwen3-coder-30b");
});

test("offers to download are behind one row where the user has a model, else in the list", async () => {
	const { context, listModels } = setUp();
	const get = "$(cloud-download) Get a Model…";
	choose(get);
	await chooseModel(context);
	const labels = (): string[] => (lists.shown.at(-1) ?? []).map(({ label }) => label);
	const [first = []] = lists.shown;
	expect(first.map(({ label }) => label)).toContain(get);
	expect(first.some(({ label }) => label.includes("Get Ollama"))).toBe(false);
	expect(labels()).toContain("$(link-external) Get Ollama");
	listModels.mockResolvedValue([]);
	await chooseModel(context);
	expect(labels()).not.toContain(get);
	expect(labels()).toContain("$(link-external) Get Ollama");
});

test("an address that has no models is told, is not saved, and can be changed", async () => {
	const { context, settings, listModels } = setUp();
	listModels.mockImplementation(listingsAt({ "https://right.example.com/v1": {} }));
	choose(addRow);
	showInputBox.mockResolvedValueOnce("https://wrong.example.com/v1");
	showWarningMessage.mockImplementationOnce(async sentence => {
		expect(sentence).toBe("https://wrong.example.com/v1 has no list.");
		expect(settings.get("localService.servers")).toEqual([]);
		return await Promise.resolve("Change Address…");
	});
	showInputBox.mockImplementationOnce(async options => {
		expect(options?.value).toBe("https://wrong.example.com/v1");
		return await Promise.resolve("https://right.example.com/v1");
	});
	await chooseModel(context);
	expect(settings.get("localService.servers")).toMatchObject([
		{ baseUrl: "https://right.example.com/v1" },
	]);
});

test("leaving the warning saves nothing, and an address that does not answer now can be added anyway", async () => {
	const { context, settings, listModels } = setUp();
	listModels.mockImplementation(listingsAt({}));
	for (const answer of [undefined, "Add Anyway"]) {
		choose(addRow);
		showInputBox.mockResolvedValueOnce("https://off.example.com/v1");
		showWarningMessage.mockResolvedValueOnce(answer);
		await chooseModel(context);
		expect(settings.get("localService.servers")).toHaveLength(answer === undefined ? 0 : 1);
	}
});

test("a key is asked for where the server wants one, and kept with a server that took it", async () => {
	const { context, settings, keys, listModels } = setUp();
	const baseUrl = "https://models.example.com/v1";
	listModels.mockImplementation(
		listingsAt({
			[baseUrl]: { failure: "it answered 401", refused: "key" },
			[`${baseUrl} with a key`]: {},
		}),
	);
	choose(addRow);
	showInputBox.mockResolvedValueOnce(baseUrl).mockResolvedValueOnce(undefined);
	await chooseModel(context);
	expect(settings.get("localService.servers")).toEqual([]);
	choose(addRow);
	showInputBox.mockResolvedValueOnce(baseUrl).mockResolvedValueOnce("sk-1");
	await chooseModel(context);
	expect(settings.get("localService.servers")).toMatchObject([{ baseUrl }]);
	expect(await keys.get("https://models.example.com")).toBe("sk-1");
});
