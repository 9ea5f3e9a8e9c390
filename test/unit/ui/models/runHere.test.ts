import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { Emitter } from "../../../../src/common/disposable.ts";
import { AbortError } from "../../../../src/common/errors.ts";
import { silentLog } from "../../../../src/common/log.ts";
import {
	hubModels,
	type PullFailure,
	type PullProgress,
} from "../../../../src/common/modelSetup.ts";
import { currentHolder } from "../../../../src/storage/lease.ts";
import { ServiceConnection } from "../../../../src/ui/connection/connection.ts";
import { ApiKeys } from "../../../../src/ui/connection/secrets.ts";
import { progressWords } from "../../../../src/ui/models/modelDownload.ts";
import type {
	ModelChoiceDependencies,
	ShownDownload,
} from "../../../../src/ui/models/modelChoice.ts";
import {
	deleteModel,
	describeNeeds,
	fitsHere,
	getModelHere,
	hubFailureWords,
	hubOf,
	roomFor,
} from "../../../../src/ui/models/runHere.ts";
import { createFakeSecretStorage } from "../../../helpers/fakeSecretStorage.ts";
import { createFakeSettings } from "../../../helpers/fakeSettings.ts";
import { makeTempFolder } from "../../../helpers/tempFolder.ts";

const mocks = vi.hoisted(() => ({
	showInformationMessage: vi.fn<(text: string, ...rest: unknown[]) => Promise<unknown>>(),
	showErrorMessage: vi.fn<(text: string, ...rest: unknown[]) => Promise<unknown>>(),
	executeCommand: vi.fn<(id: string) => Promise<unknown>>(),
	status: { text: "", tooltip: "", command: "", show: () => undefined, dispose: () => undefined },
	commands: new Map<string, () => void>(),
	freeMemory: vi.fn<() => number>(),
}));
vi.mock("../../../../src/common/modelSetup.ts", async original => ({
	...(await original<object>()),
	availableMemory: mocks.freeMemory,
}));
vi.mock("vscode", () => ({
	StatusBarAlignment: { Left: 1 },
	commands: {
		executeCommand: mocks.executeCommand,
		registerCommand: (id: string, run: () => void) => {
			mocks.commands.set(id, run);
			return { dispose: () => mocks.commands.delete(id) };
		},
	},
	window: { ...mocks, createStatusBarItem: () => mocks.status },
}));

const [model] = hubModels;
const hub = new URL("https://huggingface.co");

beforeEach(() => {
	vi.resetAllMocks();
	mocks.freeMemory.mockReturnValue(8e9);
});

type Pull = ModelChoiceDependencies["pullModel"];

function setUp(pull: Pull): {
	context: ModelChoiceDependencies;
	asked: unknown[];
	answering: () => string;
} {
	const settings = createFakeSettings();
	const keys = new ApiKeys(createFakeSecretStorage());
	const asked: unknown[] = [];
	let agreed: unknown;
	const unused = {
		connect: () => Promise.reject(new Error("nothing is asked")),
		restart: () => Promise.reject(new Error("nothing is asked")),
		state: { state: "stopped" as const },
	};
	const listed = { id: `embedded/${model.file}`, label: "Qwen", server: "embedded" };
	const context: ModelChoiceDependencies = {
		settings,
		keys,
		connection: new ServiceConnection(settings, keys, unused, silentLog),
		listModels: places =>
			Promise.resolve(places === "embedded" ? [{ server: "embedded", models: [listed] }] : []),
		editorModels: () => Promise.resolve([]),
		allowedProviders: { get: () => [], set: () => undefined },
		agreedDownloads: { get: () => agreed, set: value => (agreed = value) },
		pullModel: async (...args) => {
			asked.push(args[0]);
			return await pull(...args);
		},
		modelFiles: {
			modelsFolder: "/home/me/models",
			useModelFile: () => Promise.reject(new Error("no file is used")),
			removeModel: () => Promise.resolve(),
		},
		setModel: name => settings.set("chat.model", name),
		log: silentLog,
	};
	return { context, asked, answering: () => settings.get("chat.model") };
}

test("the question names size, host, licence, folder and memory; without its click nothing is asked for", async () => {
	const { context, asked } = setUp(() => Promise.resolve(undefined));
	mocks.showInformationMessage.mockResolvedValue(undefined);
	expect(await getModelHere(context)).toBe(false);
	expect(asked).toEqual([]);
	const [text, options] = mocks.showInformationMessage.mock.calls[0] ?? [];
	expect(text).toContain("Qwen3.5 0.8B");
	expect(options).toMatchObject({ modal: true });
	const { detail } = options as { detail: string };
	for (const fact of ["530 MB", "huggingface.co", "Apache-2.0", "/home/me/models", "1.4 GB"]) {
		expect(detail).toContain(fact);
	}
});

test("the question is asked once for a file of a hub, until the file is deleted", async () => {
	const { context, asked } = setUp(() => Promise.reject(new AbortError()));
	const questions = (): number =>
		mocks.showInformationMessage.mock.calls.filter(([text]) => text.startsWith("Download ")).length;
	mocks.showInformationMessage.mockImplementation(async text =>
		Promise.resolve(text.startsWith("Download ") ? "Download" : undefined),
	);
	for (const count of [1, 2]) {
		await getModelHere(context);
		await expect.poll(() => asked.length).toBe(count);
		await expect.poll(() => mocks.showInformationMessage.mock.lastCall?.[1]).toBe("Continue");
	}
	expect(questions()).toBe(1);
	await deleteModel(context, model.file);
	await getModelHere(context);
	expect(questions()).toBe(2);
	await context.settings.set("localService.modelHub", "https://mirror.example");
	await getModelHere(context);
	expect(questions()).toBe(3);
});

test("a model that no longer fits into the free memory is asked about again", async () => {
	const { context, asked } = setUp(() => Promise.reject(new AbortError()));
	mocks.showInformationMessage.mockResolvedValueOnce("Download");
	await getModelHere(context);
	await expect.poll(() => mocks.showInformationMessage.mock.lastCall?.[1]).toBe("Continue");
	mocks.freeMemory.mockReturnValue(model.memoryBytes - 1);
	expect(await getModelHere(context)).toBe(false);
	expect(mocks.showInformationMessage.mock.lastCall?.[0]).toMatch(/^Download /);
	expect(asked).toHaveLength(1);
});

test("a part that another window downloads is not deleted", async () => {
	const { context } = setUp(() => Promise.resolve(undefined));
	const modelsFolder = await makeTempFolder();
	const removeModel = vi.fn<(file: string) => Promise<void>>();
	const own = { ...context, modelFiles: { ...context.modelFiles, modelsFolder, removeModel } };
	const lease = join(modelsFolder, `${model.file}.lock`);
	await writeFile(lease, JSON.stringify(currentHolder()));
	await deleteModel(own, model.file);
	expect(removeModel).not.toHaveBeenCalled();
	await rm(lease);
	await deleteModel(own, model.file);
	expect(removeModel).toHaveBeenCalledExactlyOnceWith(model.file);
});

test("a model without room on the disk or in the free memory is not offered, and the disk is named", async () => {
	const folder = join(await makeTempFolder(), "missing", "models");
	const room = await roomFor(model, folder);
	expect(room.needed).toBe(model.sizeBytes);
	expect(fitsHere(model, room, model.memoryBytes)).toBe(true);
	expect(fitsHere(model, room, model.memoryBytes - 1)).toBe(false);
	const huge = await roomFor({ ...model, sizeBytes: 1e17 }, folder);
	expect(fitsHere(model, huge)).toBe(false);
	expect(describeNeeds(model, huge)).toMatch(/^Needs .* on disk; .* is free\.$/);
});

test("what is downloaded of a model needs no more room", async () => {
	const folder = await makeTempFolder();
	await writeFile(join(folder, `${model.file}.part`), Buffer.alloc(1_000));
	const { needed } = await roomFor(model, folder);
	expect(needed).toBe(model.sizeBytes - 1_000);
	expect(fitsHere(model, { needed, free: needed }, model.memoryBytes)).toBe(true);
	const ofLarger = await roomFor({ ...model, sizeBytes: 999 }, folder);
	expect(ofLarger.needed).toBe(0);
});

test("of two downloads at once the chat shows the first until its end, then the other", async () => {
	const ends: (() => void)[] = [];
	const { context } = setUp(async ({ model: file }, onProgress) => {
		const completedBytes = file === model.file ? 24 : 45;
		onProgress({ stage: "downloading", completedBytes, totalBytes: 100 });
		await new Promise<void>(resolve => ends.push(resolve));
		return undefined;
	});
	const downloads = new Emitter<ShownDownload | undefined>();
	const shown: (number | undefined)[] = [];
	downloads.event(download => shown.push(download?.percent));
	const changes = (): (number | undefined)[] =>
		shown.filter((percent, index) => percent !== shown[index - 1]);
	mocks.showInformationMessage.mockResolvedValue("Download");
	for (const each of hubModels.slice(0, 2)) {
		await getModelHere({ ...context, downloads }, each);
	}
	await expect.poll(() => ends.length).toBe(2);
	expect(changes()).toEqual([0, 24]);
	ends[0]?.();
	await expect.poll(changes).toEqual([0, 24, 45]);
	ends[1]?.();
	await expect.poll(changes).toEqual([0, 24, 45, undefined]);
});

test("a model that has come answers", async () => {
	const { context, asked, answering } = setUp(async (_request, onProgress) => {
		onProgress({ stage: "downloading", completedBytes: 1e8, totalBytes: 5.3e8 });
		return await Promise.resolve(undefined);
	});
	mocks.showInformationMessage.mockResolvedValueOnce("Download");
	expect(await getModelHere(context)).toBe(true);
	await expect.poll(answering).toBe(`embedded/${model.file}`);
	expect(asked).toEqual([
		{
			kind: "hub",
			baseUrl: "https://huggingface.co/",
			model: model.file,
			isUnchecked: false,
		},
	]);
	expect(mocks.status.text).toBe("$(cloud-download) Qwen3.5 0.8B 18%");
	expect(mocks.status.tooltip).toBe("100 MB of 530 MB\nClick to cancel.");
});

test.each([
	["another window that shared its download selected it", `embedded/${model.file}`, "answers now"],
	["another model was selected meanwhile", "ollama/other", "is downloaded."],
])("a model that has come is told once where %s", async (_, selected, words) => {
	const { context, answering } = setUp(async () => {
		await context.settings.set("chat.model", selected);
		return undefined;
	});
	mocks.showInformationMessage.mockResolvedValueOnce("Download");
	await getModelHere(context);
	await expect.poll(() => mocks.showInformationMessage.mock.calls.length).toBe(3);
	expect(mocks.showInformationMessage.mock.calls[2]?.[0]).toContain(words);
	expect(answering()).toBe(selected);
});

test("a download that fails is a sentence with Retry, which goes on", async () => {
	const failures: (PullFailure | undefined)[] = [{ reason: "lost", words: "reset" }, undefined];
	const { context, asked, answering } = setUp(() => Promise.resolve(failures.shift()));
	mocks.showInformationMessage.mockResolvedValueOnce("Download");
	mocks.showErrorMessage.mockResolvedValueOnce("Retry");
	await getModelHere(context);
	await expect.poll(answering).toBe(`embedded/${model.file}`);
	expect(mocks.showErrorMessage.mock.calls[0]?.[0]).toContain("The downloaded part is kept");
	expect(asked).toHaveLength(2);
});

test("a click in the status bar cancels a download, and another goes on", async () => {
	const { context, asked, answering } = setUp(async (_request, onProgress, signal) => {
		onProgress({ stage: "downloading", completedBytes: 1e8, totalBytes: 5.3e8 });
		if (asked.length === 1) {
			await new Promise((_, reject) =>
				signal.addEventListener("abort", () => reject(new AbortError())),
			);
		}
		return undefined;
	});
	mocks.showInformationMessage
		.mockResolvedValueOnce("Download")
		.mockResolvedValueOnce(undefined)
		.mockResolvedValueOnce("Continue");
	await getModelHere(context);
	await expect.poll(() => mocks.commands.size).toBe(1);
	mocks.commands.get(mocks.status.command)?.();
	await expect.poll(answering).toBe(`embedded/${model.file}`);
	expect(asked).toHaveLength(2);
	expect(mocks.commands.size).toBe(0);
});

test("before the local service has reported anything, a download is shown and a click cancels it", async () => {
	const { context } = setUp(
		async (_request, _onProgress, signal) =>
			await new Promise((_, reject) =>
				signal.addEventListener("abort", () => reject(new AbortError())),
			),
	);
	mocks.showInformationMessage.mockResolvedValueOnce("Download");
	await getModelHere(context);
	expect(mocks.status.tooltip).toBe("Looking for the model…\nClick to cancel.");
	mocks.commands.get(mocks.status.command)?.();
	await expect.poll(() => mocks.showInformationMessage.mock.lastCall?.[1]).toBe("Continue");
	expect(mocks.commands.size).toBe(0);
});

test("progress that comes after Cancel is not shown", async () => {
	let late: () => void = () => undefined;
	const { context } = setUp(async (_request, onProgress, signal) => {
		late = () => onProgress({ stage: "downloading", completedBytes: 1, totalBytes: 2 });
		late();
		return await new Promise((_, reject) =>
			signal.addEventListener("abort", () => reject(new AbortError())),
		);
	});
	mocks.showInformationMessage.mockResolvedValueOnce("Download");
	await getModelHere(context);
	mocks.commands.get(mocks.status.command)?.();
	await expect.poll(() => mocks.showInformationMessage.mock.lastCall?.[1]).toBe("Continue");
	late();
	expect(mocks.commands.size).toBe(0);
});

test("where llama.cpp does not run, the other ways are a click away", async () => {
	const failure = {
		reason: "cannotRun",
		words: "libc.so.6: version GLIBC_2.38 not found",
	} as const;
	const { context } = setUp(() => Promise.resolve(failure));
	mocks.showInformationMessage.mockResolvedValueOnce("Download");
	mocks.showErrorMessage.mockResolvedValueOnce("Choose Model…");
	await getModelHere(context);
	await expect.poll(() => mocks.executeCommand.mock.calls).toEqual([["cutaway.chooseModel"]]);
	expect(mocks.showErrorMessage.mock.calls[0]?.[0]).toContain(failure.words);
});

test("progress tells rate and time left", () => {
	const pulled: PullProgress = { stage: "downloading", completedBytes: 130e6, totalBytes: 530e6 };
	expect(progressWords(pulled, 10e6, 10_000)).toBe("130 MB of 530 MB · 12 MB/s · 33 seconds left");
	expect(progressWords({ ...pulled, stage: "verifying" }, 0, 0)).toBe("Verifying…");
});

test.each([
	["elsewhere", "example.com"],
	["refused", "403"],
	["wrongFile", "deleted"],
	["noSpace", "530 MB"],
	["unknownModel", "Choose another"],
	["cannotRun", "nothing was downloaded (403)"],
] as const)("a failure has a sentence of its own: %s", (reason, words) => {
	const failure = { reason, words: reason === "elsewhere" ? "example.com" : "403" };
	expect(hubFailureWords(model, hub, failure)).toContain(words);
});

test("HF_ENDPOINT of the environment names a mirror where the setting is empty", async () => {
	vi.stubEnv("HF_ENDPOINT", "https://mirror.example");
	onTestFinished(() => void vi.unstubAllEnvs());
	const settings = createFakeSettings();
	expect(hubOf(settings)?.href).toBe("https://mirror.example/");
	await settings.set("localService.modelHub", "https://other.example");
	expect(hubOf(settings)?.href).toBe("https://other.example/");
});

test.each([
	["", "https://huggingface.co/"],
	["https://mirror.example/hf", "https://mirror.example/hf"],
	["http://127.0.0.1:8080", "http://127.0.0.1:8080/"],
	["http://mirror.example", undefined],
	["mirror", undefined],
])("the hub in the settings is an https address: %s", async (set, expected) => {
	const settings = createFakeSettings();
	await settings.set("localService.modelHub", set);
	expect(hubOf(settings)?.href).toBe(expected);
});
