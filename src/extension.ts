import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { systemClock, Lazy } from "./common/async.ts";
import { type Log, redactingLog } from "./common/log.ts";
import { registerAccessibilityHelp, registerSample } from "./ui/app/readOnlyDocuments.ts";
import { chatViewId } from "./ui/chatView/pageFocus.ts";
import { registerCommands } from "./ui/base/commands.ts";
import { commandTable } from "./ui/app/commandTable.ts";
import { registerLanguageModelTools } from "./ui/tools/languageModelTools.ts";
import { registerLightBulb } from "./ui/editor/lightBulb.ts";
import { registerStatusItem } from "./ui/app/statusItem.ts";
import { OutputLog } from "./ui/app/outputLog.ts";
import type { Runtime } from "./ui/app/runtime.ts";
import { type StoredValue, storedValue } from "./ui/base/keptValue.ts";
import { ApiKeys } from "./ui/connection/secrets.ts";
import { allowedProvidersIn } from "./ui/models/allowedProviders.ts";
import { PlainHosts } from "./ui/connection/plainHosts.ts";
import type { Settings } from "./ui/base/settings.ts";
import { VideoEntry, videoRecordsFolder } from "./ui/video/videoEntry.ts";

/** Objects for the integration tests, returned in test mode only. */
export interface TestApi {
	readonly runtime: () => Promise<Runtime>;
	readonly isRuntimeLoaded: () => boolean;
	readonly allowedProviders: StoredValue;
}

let closing: (() => Promise<void>) | undefined;

/** Registers the commands and the views. Doesn't wait, read files or open connections: `Runtime` creates everything else on first use. */
export function activate(context: vscode.ExtensionContext): TestApi | undefined {
	l10n.config({ contents: vscode.l10n.bundle ?? {} });
	const keys = new ApiKeys(
		context.secrets,
		new PlainHosts(storedValue(context.globalState, "cutaway.plainHosts")),
	);
	const output = new OutputLog();
	const log = redactingLog(output.log, () => keys.known());
	const runtime = lazyRuntime(context, keys, log);
	const videos = new VideoEntry({
		videos: async () => (await runtime.get()).videos.get(),
		recordsFolder: videoRecordsFolder(context.globalStorageUri),
		clock: systemClock,
		log,
	});
	context.subscriptions.push(
		output,
		keys,
		videos,
		registerLanguageModelTools(async () => (await runtime.get()).editorTools),
		registerLightBulb(),
		registerAccessibilityHelp(),
		registerSample(),
		registerStatusItem(context),
		registerCommands({ ...videos.commands, ...commandTable(runtime, output) }, log),
		vscode.window.registerWebviewViewProvider(chatViewId, {
			resolveWebviewView: async view => (await runtime.get()).chatView.resolve(view),
		}),
	);
	closing = async () => (await runtime.peek())?.close();
	return context.extensionMode === vscode.ExtensionMode.Test
		? {
				runtime: () => runtime.get(),
				isRuntimeLoaded: () => runtime.peek() !== undefined,
				allowedProviders: allowedProvidersIn(context.globalState),
			}
		: undefined;
}

/** Ends a running answer as interrupted and waits until it is on disk. */
export async function deactivate(): Promise<void> {
	await closing?.();
}

function lazyRuntime(context: vscode.ExtensionContext, keys: ApiKeys, log: Log): Lazy<Runtime> {
	return new Lazy(async () => {
		const [app, host, work, pages, models, editor, engines, looks, network, python] =
			await Promise.all([
				import("./ui/app/runtime.ts"),
				import("./localService/host/lifecycle.ts"),
				import("./localService/host/localWork.ts"),
				import("./browsing/readPage.ts"),
				import("./ui/models/serverSettings.ts"),
				import("./ui/models/editorModels.ts"),
				import("./ui/videoEngine/videoSetup.ts"),
				import("./ui/clipLooks/clipLooksReader.ts"),
				import("./ui/connection/connection.ts"),
				import("./ui/models/pythonPackages.ts"),
			]);
		const allowedProviders = allowedProvidersIn(context.globalState);
		const videoSetup = (settings: Settings) =>
			engines.readVideoSetup(settings, keys, context.globalState, log);
		const dist = (name: string) => vscode.Uri.joinPath(context.extensionUri, "dist", name).fsPath;
		return new app.Runtime({
			extension: context,
			keys,
			clock: systemClock,
			log,
			allowedProviders,
			videoSetup,
			createLocal: settings => {
				const clipLooks = new looks.ClipLooksReader({
					settings,
					log,
					clock: systemClock,
					colorsFile: dist("codeColors.js"),
					oniguruma: dist("video/onig.wasm.br"),
				});
				context.subscriptions.push(clipLooks);
				const setup = {
					workerFile: dist("localService.js"),
					dataFolder: vscode.Uri.joinPath(context.globalStorageUri, "localService").fsPath,
					clipLooks: (...asked: Parameters<typeof clipLooks.read>) => clipLooks.read(...asked),
					network: () => network.readNetworkSetup(settings),
					clock: systemClock,
					log,
				};
				const service = new host.LocalService({
					...setup,
					models: () => models.readModelSetup(settings, keys, log),
					videoEngine: () => videoSetup(settings),
					...python.pythonSetup(settings, clipLooks),
					editorModels: editor.createEditorModels({ allowed: allowedProviders, log }),
				});
				const workerFile = dist("localReader.js");
				const readPage = pages.createPageReader({ ...setup, workerFile }, systemClock);
				return { service, work: new work.LocalWork(setup), readPage };
			},
		});
	});
}
