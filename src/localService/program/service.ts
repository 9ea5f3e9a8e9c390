import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../common/async.ts";
import { type ClipLooks, type FigureColors, plainLooks } from "../../common/clipLooks.ts";
import type { Log } from "../../common/log.ts";
import type { ModelSetup } from "../../common/modelSetup.ts";
import type { VideoEngineSetup } from "../../common/videoEngines.ts";
import { demoEngine } from "../demo/demoEngine.ts";
import type { EditorLink } from "../editorModels/editorLink.ts";
import { EmbeddedModels } from "../embedded/embeddedModels.ts";
import type { Engine } from "../engine.ts";
import { LocalServer } from "../http/server.ts";
import { Models } from "../models/models.ts";
import { type BundledPackages, bundledPython } from "../python/servedPython.ts";
import { bundledVideo } from "../video/assets.ts";
import type { VideoServiceOptions } from "../video/generations.ts";
import { openEngines } from "../videoEngines/openEngines.ts";

export interface ServiceOptions {
	readonly token: string;
	/** 0 or absent lets the system choose. */
	readonly port?: number;
	readonly filesFolder: string;
	readonly videosFolder: string;
	/** Folders of what models need back with their calls, and of models that run here. Without them, neither is kept. */
	readonly callsFolder?: string | undefined;
	readonly modelsFolder?: string | undefined;
	readonly models: () => ModelSetup;
	readonly video: () => VideoEngineSetup;
	/** Returns the appearance of a clip of this prompt; undefined for an image. */
	readonly looks?: (prompt: string | undefined) => Promise<ClipLooks>;
	/** Packages of Python. Without them, it has the standard library alone. */
	readonly packages?: BundledPackages;
	/** Returns the colors of Python's figures. Matplotlib's own by default. */
	readonly figureColors?: () => FigureColors | undefined;
	readonly editor?: EditorLink;
	/** Answers the models of the interface; the demo by default. */
	readonly fallback?: (models: () => Engine) => Engine;
	readonly log: Log;
}

/** The local service as the extension's thread and `npm run service` run it. */
export interface RunningService {
	readonly server: LocalServer;
	readonly models: Models;
	readonly embedded: EmbeddedModels | undefined;
	stop(): Promise<void>;
}

/** Builds the local service and starts listening. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
	const { token, filesFolder, callsFolder, modelsFolder, log, editor } = options;
	const embedded =
		modelsFolder === undefined ? undefined : embeddedModels(modelsFolder, options.models, log);
	const models: Models = new Models(
		options.models,
		options.fallback?.(() => models) ?? demoEngine,
		systemClock,
		log,
		callsFolder,
		editor,
		embedded,
	);
	const server = await LocalServer.start({
		token,
		filesFolder,
		log,
		...(options.port === undefined ? {} : { port: options.port }),
		videos: {
			...videosIn(options.videosFolder, options.video),
			looks: options.looks ?? (async () => plainLooks),
		},
		python: bundledPython(import.meta.url, options.packages, options.figureColors),
		engine: models,
	});
	return {
		server,
		models,
		embedded,
		stop: () => server.stop().finally(() => embedded?.dispose()),
	};
}

/** Opens the models that run on this machine. Only platform-specific packages contain their runtime. */
function embeddedModels(
	modelsFolder: string,
	setup: () => ModelSetup,
	log: Log,
): EmbeddedModels | undefined {
	const llamaFolder = fileURLToPath(new URL("./llama", import.meta.url));
	if (!existsSync(llamaFolder)) {
		return undefined;
	}
	return new EmbeddedModels({
		childFile: new URL("./embeddedModel.js", import.meta.url),
		llamaFolder,
		modelsFolder,
		log,
		contextLength: () => setup().contextLength,
		clock: systemClock,
	});
}

function videosIn(folder: string, setup: () => VideoEngineSetup): VideoServiceOptions {
	const trimFile = new URL("./localTrim.js", import.meta.url);
	return {
		folder,
		...bundledVideo(import.meta.url),
		withEngines: (...local) => openEngines({ folder, trimFile, setup }, ...local),
	};
}
