import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../../../src/common/async.ts";
import { silentLog } from "../../../../src/common/log.ts";
import type { VideoModelListing } from "../../../../src/common/videoEngines.ts";
import { ServiceConnection } from "../../../../src/ui/connection/connection.ts";
import { ApiKeys } from "../../../../src/ui/connection/secrets.ts";
import { chooseVideoEngine } from "../../../../src/ui/videoEngine/chooseVideoEngine.ts";
import { durationsInUse, rememberDurations } from "../../../../src/ui/videoEngine/videoSetup.ts";
import { costOf, EngineOffers } from "../../../../src/ui/videoEngine/engineOffer.ts";
import { createFakeSecretStorage } from "../../../helpers/fakeSecretStorage.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";
import { sampleWorkflow } from "../../../helpers/videoEngineBench.ts";

interface Item {
	readonly label: string;
	readonly description?: string;
	readonly detail?: string;
}

const ui = vi.hoisted(() => ({
	showQuickPick: vi.fn<(items: readonly Item[]) => Promise<Item | undefined>>(),
	showInputBox: vi.fn<() => Promise<string | undefined>>(),
	showOpenDialog: vi.fn<() => Promise<readonly unknown[] | undefined>>(),
	showWarningMessage: vi.fn<() => Promise<string | undefined>>(),
	showErrorMessage: vi.fn<(text: string) => Promise<string | undefined>>(),
	setStatusBarMessage: vi.fn<(text: string) => void>(),
}));
vi.mock("vscode", async () => {
	const { readFile, stat } = await import("node:fs/promises");
	return {
		QuickPickItemKind: { Separator: -1 },
		ProgressLocation: { Window: 10 },
		Uri: { file: (path: string) => ({ fsPath: path }) },
		workspace: {
			fs: {
				stat: (uri: { fsPath: string }) => stat(uri.fsPath),
				readFile: (uri: { fsPath: string }) => readFile(uri.fsPath),
			},
		},
		window: { ...ui, withProgress: (_: unknown, task: () => unknown) => task() },
	};
});

beforeEach(() => vi.resetAllMocks());

/** The editor's own state, as far as it is kept while a test runs. */
function createMemory() {
	const kept = new Map<string, unknown>();
	return {
		get: (key: string) => kept.get(key),
		update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
	};
}

function setUp(listing: VideoModelListing, endpoint = "") {
	const settings = createFakeSettings({ endpoint });
	const keys = new ApiKeys(createFakeSecretStorage());
	const unused = {
		connect: () => Promise.reject(new Error("nothing is asked")),
		restart: () => Promise.reject(new Error("nothing is asked")),
		state: { state: "stopped" as const },
	};
	const listVideoModels = vi.fn((_setup: unknown) => Promise.resolve(listing));
	const connection = new ServiceConnection(settings, keys, unused, silentLog);
	return { settings, keys, connection, listVideoModels, memory: createMemory(), log: silentLog };
}

/** Chooses the row whose label ends so, and checks that there is one. */
function choose(ending: string): void {
	ui.showQuickPick.mockImplementationOnce(async items => {
		const found = items.find(({ label }) => label.endsWith(ending));
		expect(items.map(({ label }) => label)).toContain(found?.label);
		return found;
	});
}

const veo = {
	id: "google/veo",
	label: "Veo",
	durations: [8, 4, 6],
	price: { per: "second", min: 0.03, max: 0.05 },
} as const;

test("OpenRouter: the key goes to its origin, the model comes with its lengths and its price", async () => {
	const context = setUp({ models: [veo] });
	choose("OpenRouter");
	ui.showInputBox.mockResolvedValueOnce("sk-or-1");
	choose("Veo");
	await chooseVideoEngine(context);
	const { settings, keys, listVideoModels } = context;
	expect(await keys.get("https://openrouter.ai")).toBe("sk-or-1");
	expect(listVideoModels).toHaveBeenCalledWith(
		expect.objectContaining({
			engine: "openrouter",
			headers: { "https://openrouter.ai": { authorization: "Bearer sk-or-1" } },
		}),
	);
	expect(ui.showQuickPick.mock.calls[1]?.[0]?.[0]).toMatchObject({
		detail: "4, 6, 8 s · $0.03 to $0.05 per second",
	});
	expect(settings.get("localService.video.engine")).toBe("openrouter");
	expect(settings.get("localService.video.baseUrl")).toBe("");
	expect(settings.get("localService.video.model")).toBe("google/veo");
	expect(settings.get("localService.video.durations")).toEqual([8, 4, 6]);
});

test("a server by address: one whose models cannot be listed is asked for by name, with the reason", async () => {
	const context = setUp({ models: [], failure: "gpu:8000 is not running." });
	choose("Server with /v1/videos…");
	ui.showInputBox
		.mockResolvedValueOnce("http://gpu:8000/v1/")
		.mockResolvedValueOnce("")
		.mockResolvedValueOnce("wan");
	ui.showWarningMessage.mockResolvedValueOnce("Send Unencrypted");
	await chooseVideoEngine(context);
	expect(ui.showInputBox.mock.lastCall?.at(0)).toMatchObject({
		prompt: expect.stringContaining("gpu:8000 is not running."),
	});
	expect(context.settings.get("localService.video.baseUrl")).toBe("http://gpu:8000/v1");
	expect(context.settings.get("localService.video.model")).toBe("wan");
	expect(context.settings.get("localService.video.engine")).toBe("videos-api");
});

test("ComfyUI: the workflow's places are guessed, shown, and can be changed", async () => {
	const folder = await makeTempFolder();
	const file = join(folder, "wan.json");
	await writeFile(file, JSON.stringify(sampleWorkflow));
	const context = setUp({ models: [] });
	choose("ComfyUI");
	ui.showInputBox.mockResolvedValueOnce("http://127.0.0.1:8188");
	ui.showOpenDialog.mockResolvedValueOnce([{ fsPath: file }]);
	choose("Image");
	choose("None");
	choose("Use This Workflow");
	await chooseVideoEngine(context);
	expect(ui.showQuickPick.mock.calls[1]?.[0]).toEqual(
		expect.arrayContaining([
			expect.objectContaining({
				label: "$(symbol-field) Prompt",
				description: "CLIP Text Encode (Positive Prompt) › text (6.text)",
				detail: "now: a fox",
			}),
		]),
	);
	expect(context.settings.get("localService.video.workflow")).toMatchObject({
		file,
		prompt: "6.text",
		seed: "3.seed",
		frames: "40.length",
		image: undefined,
		framesPerSecond: 16,
	});
	expect(context.settings.get("localService.video.engine")).toBe("comfyui");
});

test("a file that is no workflow in the API format says how to get one, and changes nothing", async () => {
	const file = join(await makeTempFolder(), "page.json");
	await writeFile(file, '{"nodes":[]}');
	const context = setUp({ models: [] });
	choose("ComfyUI");
	ui.showInputBox.mockResolvedValueOnce("http://127.0.0.1:8188");
	ui.showOpenDialog.mockResolvedValueOnce([{ fsPath: file }]);
	await chooseVideoEngine(context);
	expect(ui.showErrorMessage.mock.lastCall?.[0]).toMatch(/Export \(API\)/);
	expect(context.settings.get("localService.video.engine")).toBe("local");
});

test("leaving any question changes no setting", async () => {
	for (const answers of [0, 1, 2]) {
		vi.resetAllMocks();
		const context = setUp({ models: [veo] });
		if (answers > 0) {
			choose("OpenRouter");
		}
		if (answers > 1) {
			ui.showInputBox.mockResolvedValueOnce("sk-or-1");
		}
		await chooseVideoEngine(context);
		expect(context.settings.get("localService.video.engine")).toBe("local");
		expect(context.settings.get("localService.video.model")).toBe("");
	}
});

test("a service the user connected to is not left without a question", async () => {
	const context = setUp({ models: [veo] }, "https://service.example.com");
	choose("OpenRouter");
	ui.showInputBox.mockResolvedValueOnce("sk-or-1");
	choose("Veo");
	await chooseVideoEngine(context);
	expect(ui.showWarningMessage).toHaveBeenCalledOnce();
	expect(context.settings.get("localService.video.engine")).toBe("local");
	expect(context.settings.get("endpoint")).toBe("https://service.example.com");
});

test("the offer before a video: seconds the model has, editable words, and the price of them, asked once", async () => {
	const { settings, listVideoModels } = setUp({ models: [veo] });
	const setup = () => Promise.resolve({} as never);
	const offers = new EngineOffers({
		settings,
		setup,
		listVideoModels,
		memory: createMemory(),
		clock: systemClock,
	});
	expect(offers.current()).toBeUndefined();
	await settings.set("localService.video.engine", "openrouter");
	await settings.set("localService.video.model", "google/veo");
	await settings.set("localService.video.durations", [8, 4, 6]);
	const offer = offers.current();
	expect(offer).toMatchObject({ name: "OpenRouter · google/veo", mayCharge: true });
	expect([1, 4].map(duration => offer?.seconds(duration))).toEqual([4, 4]);
	expect((await offer?.price)?.(4)).toBe("$0.12 to $0.20");
	expect((await offer?.price)?.(4, 4, 8)).toBe("$0.48 to $0.80");
	expect(await costOf("local", offer, undefined)).toBe(
		"OpenRouter · google/veo reports a price of $0.12 to $0.20.",
	);
	await offers.current()?.price;
	expect(listVideoModels).toHaveBeenCalledOnce();
	await offer?.setPhrase(2, "drifting");
	expect(offer?.phrase(2)).toBe("drifting");
	expect(offer?.phrase(3)).toBe("natural movement");
	await offer?.setPhrase(3, "");
	expect(offer?.phrase(3)).toBe("");
	expect(offer?.phrase(2)).toBe("drifting");
});

test("lengths written for another model do not count, and those the user wrote do", async () => {
	const { settings, memory, listVideoModels } = setUp({ models: [] });
	const setup = () => Promise.resolve({} as never);
	const offers = new EngineOffers({ settings, setup, listVideoModels, memory, clock: systemClock });
	await settings.set("localService.video.engine", "openrouter");
	await settings.set("localService.video.model", "google/veo");
	await settings.set("localService.video.durations", [4, 6]);
	await rememberDurations(memory, { model: "google/veo", durations: [4, 6] });
	expect(offers.current()?.seconds(2)).toBe(4);
	await settings.set("localService.video.model", "other/model");
	expect(offers.current()?.seconds(2)).toBe(2);
	expect(durationsInUse(settings, memory)).toEqual([]);
	await settings.set("localService.video.durations", [5]);
	expect(offers.current()?.seconds(2)).toBe(5);
	await settings.set("localService.video.model", "google/veo");
	expect(offers.current()?.seconds(2)).toBe(5);
});

test("an engine that tells no price may cost money where it may charge, and nothing is said where it is free", async () => {
	const { settings, memory, listVideoModels } = setUp({ models: [] });
	const setup = () => Promise.resolve({} as never);
	const offers = new EngineOffers({ settings, setup, listVideoModels, memory, clock: systemClock });
	expect(await costOf("local", offers.current())).toBeUndefined();
	expect(await costOf("remote", offers.current())).toBe("This may cost money.");
	await settings.set("localService.video.engine", "videos-api");
	await settings.set("localService.video.baseUrl", "https://videos.example.com");
	expect(await costOf("local", offers.current(), 2)).toBe("This may cost money.");
	await settings.set("localService.video.engine", "comfyui");
	await settings.set("localService.video.baseUrl", "http://127.0.0.1:8188");
	expect(await costOf("local", offers.current(), 2)).toBeUndefined();
});

test("a price that nobody tells, or not in time, is no price", async () => {
	const { settings } = setUp({ models: [] });
	await settings.set("localService.video.engine", "openrouter");
	const setup = () => Promise.resolve({} as never);
	const offersOf = (listVideoModels: () => Promise<VideoModelListing>, ms = 1) =>
		new EngineOffers({
			settings,
			setup,
			listVideoModels,
			memory: createMemory(),
			clock: { ...systemClock, setTimer: (_, run) => systemClock.setTimer(ms, run) },
		});
	expect(await offersOf(() => Promise.reject(new Error("no service")), 1000).current()?.price).toBe(
		undefined,
	);
	expect(await offersOf(() => new Promise(() => {})).current()?.price).toBe(undefined);
});
