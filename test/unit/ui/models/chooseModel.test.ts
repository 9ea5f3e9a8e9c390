import { beforeEach, expect, test, vi } from "vitest";
import type { ServerListing } from "../../../../src/common/models.ts";
import { silentLog } from "../../../../src/common/log.ts";
import type { ModelOffer } from "../../../../src/ui/composer/chatSettings.ts";
import { ServiceConnection } from "../../../../src/ui/connection/connection.ts";
import { ApiKeys } from "../../../../src/ui/connection/secrets.ts";
import { chooseModel, setModelKey } from "../../../../src/ui/models/chooseModel.ts";
import { ModelOffers } from "../../../../src/ui/models/offerModels.ts";
import { createFakeClock } from "../../../helpers/fakeClock.ts";
import { createFakeSecretStorage } from "../../../helpers/fakeSecretStorage.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";

interface Item {
	readonly label: string;
	readonly detail?: string;
}

const { showQuickPick, showInputBox, showWarningMessage, executeCommand } = vi.hoisted(() => ({
	executeCommand: vi.fn<(id: string) => Promise<void>>(),
	showQuickPick: vi.fn<(items: Promise<readonly Item[]>) => Promise<Item | undefined>>(),
	showInputBox: vi.fn<() => Promise<string | undefined>>(),
	showWarningMessage: vi.fn<() => Promise<string | undefined>>(),
}));
vi.mock("vscode", () => ({
	QuickPickItemKind: { Separator: -1 },
	commands: { executeCommand },
	window: { showQuickPick, showInputBox, showWarningMessage },
}));

beforeEach(() => vi.resetAllMocks());

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
	const listModels = vi.fn((places: string) => Promise.resolve(places === "found" ? found : []));
	const clock = createFakeClock();
	const context = {
		clock,
		settings,
		keys,
		connection: new ServiceConnection(settings, keys, unused, silentLog),
		listModels,
		editorModels: () => Promise.resolve([]),
		allowedProviders: { get: () => allowed, set: (names: readonly string[]) => (allowed = names) },
		pullModel: () => Promise.reject(new Error("nothing is downloaded")),
		setModel: (model: string) => settings.set("chat.model", model),
		log: silentLog,
	};
	return { clock, context, settings, keys, listModels };
}

function choose(label: string): void {
	showQuickPick.mockImplementationOnce(async items =>
		(await items).find(item => item.label === label),
	);
}

test("choosing a model that was found writes its server and makes it answer", async () => {
	const { context, settings } = setUp();
	choose("qwen3:8b");
	await chooseModel(context);
	expect(settings.get("localService.servers")).toEqual([ollama]);
	expect(settings.get("chat.model")).toBe("ollama/qwen3:8b");
});

test("leaving the list changes nothing", async () => {
	const { context, settings } = setUp();
	showQuickPick.mockResolvedValueOnce(undefined);
	await chooseModel(context);
	expect(settings.get("localService.servers")).toEqual([]);
	expect(settings.get("chat.model")).toBe("llm-4-turbo-tools");
});

test("a provider that was allowed is asked about again once the user says so in the list", async () => {
	const { context } = setUp();
	choose("$(circle-slash) Ask again before sending to acme");
	await chooseModel(context);
	expect(context.allowedProviders.get()).toEqual(["copilot"]);
	const again = await showQuickPick.mock.calls[1]?.[0];
	expect(again?.filter(({ label }) => label.startsWith("$(circle-slash)"))).toHaveLength(1);
});

test("a service the user connected to is not left without a question", async () => {
	const { context, settings } = setUp("https://service.example.com");
	choose("qwen3:8b");
	showWarningMessage.mockResolvedValueOnce(undefined);
	await chooseModel(context);
	expect(settings.get("endpoint")).toBe("https://service.example.com");
	expect(settings.get("chat.model")).toBe("llm-4-turbo-tools");
	expect(showWarningMessage).toHaveBeenCalledOnce();
});

test("VS Code's own list of models is one click away, and nothing is chosen by it", async () => {
	const { context, settings } = setUp();
	choose("$(vscode) Use VS Code's models…");
	await chooseModel(context);
	expect(executeCommand).toHaveBeenCalledExactlyOnceWith("workbench.action.chat.manage");
	expect(settings.get("chat.model")).toBe("llm-4-turbo-tools");
});

test("a new chat offers what was found, and uses it on a click only", async () => {
	const { context, settings } = setUp();
	let offers: readonly ModelOffer[] = [];
	await new ModelOffers(context, { offer: models => (offers = models) }).look();
	expect(offers.map(({ label }) => label)).toEqual(["qwen3:8b · ollama · 5.2 GB, loaded"]);
	expect(settings.get("chat.model")).toBe("llm-4-turbo-tools");
	await offers[0]?.take();
	expect(settings.get("chat.model")).toBe("ollama/qwen3:8b");
	expect(offers).toEqual([]);
});

test("a server that was started later is offered at the next look, which comes five seconds after the last at the earliest", async () => {
	const { clock, context, listModels } = setUp();
	listModels.mockResolvedValueOnce([]);
	const told: string[][] = [];
	const offers = new ModelOffers(context, {
		offer: models => void told.push(models.map(({ id }) => id)),
	});
	await offers.look();
	expect(told).toEqual([["ollama", "server", "editor"]]);
	await clock.advance(4_999);
	await offers.look();
	expect(listModels).toHaveBeenCalledTimes(1);
	await clock.advance(1);
	await Promise.all([offers.look(), offers.look()]);
	expect(listModels).toHaveBeenCalledTimes(2);
	expect(told.slice(1)).toEqual([["ollama/qwen3:8b"]]);
	await clock.advance(5_000);
	await offers.look();
	expect(listModels).toHaveBeenCalledTimes(3);
	expect(told).toHaveLength(2);
});

test("a model that is chosen while models are looked for leaves nothing to offer", async () => {
	const { context, settings, listModels } = setUp();
	let answer: (listings: readonly ServerListing[]) => void = () => undefined;
	listModels.mockReturnValueOnce(new Promise(resolve => (answer = resolve)));
	const offer = vi.fn();
	const looking = new ModelOffers(context, { offer }).look();
	await settings.set("chat.model", "lm/other");
	answer(found);
	await looking;
	expect(offer).not.toHaveBeenCalled();
});

test("nothing is looked for where a service or a server is set", async () => {
	const remote = setUp("https://service.example.com");
	const chosen = setUp();
	await chosen.settings.set("localService.servers", [ollama]);
	for (const { context, listModels } of [remote, chosen]) {
		await new ModelOffers(context, { offer: () => undefined }).look();
		expect(listModels).not.toHaveBeenCalled();
	}
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
	["ollama", ["qwen3:8b"]],
	["vscode", ["Large"]],
	["demo", []],
] as const)("with the engine %s the list has its models alone: %j", async (engine, labels) => {
	const { context, settings, listModels } = setUp();
	await settings.set("localService.engine", engine);
	listModels.mockResolvedValue(found.map(listing => ({ ...listing, kind: "ollama" as const })));
	const large = { id: "vscode/acme/large", label: "Large", server: "acme" };
	let shown: readonly Item[] = [];
	showQuickPick.mockImplementation(async items => void (shown = await items));
	await chooseModel({ ...context, editorModels: () => Promise.resolve([large]) });
	const models = new Set(["qwen3:8b", "Large"]);
	expect(shown.map(({ label }) => label).filter(label => models.has(label))).toEqual(labels);
	expect(shown.some(({ label }) => label.includes("OpenAI-compatible"))).toBe(engine === "openai");
	expect(shown.some(({ label }) => label.includes("Ollama"))).toBe(engine === "ollama");
	expect(shown.some(({ label }) => label.includes("Demo"))).toBe(engine === "demo");
	expect(listModels).toHaveBeenCalledTimes(["openai", "ollama"].includes(engine) ? 1 : 0);
});
