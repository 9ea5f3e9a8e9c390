/** Entry point of `npm run service`: the local service as a separate program, for curl and other clients. */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toError } from "../../common/errors.ts";
import { formatLogLine, logOf, redactingLog, silentLog } from "../../common/log.ts";
import { directNetwork } from "../../client/transport/transport.ts";
import { newFilesFolder, removeStaleFolders } from "../base/fileStore.ts";
import { setNetwork } from "../base/network.ts";
import type { Engine } from "../engine.ts";
import { startService } from "./service.ts";
import { describeAddress, parseOptions, type ProgramOptions, usage } from "./programOptions.ts";

const stderrLog = logOf((level, message, details) => {
	process.stderr.write(`${level}: ${formatLogLine(message, details)}\n`);
});

async function serve(options: ProgramOptions): Promise<void> {
	const token = options.token ?? randomBytes(32).toString("base64url");
	const log = options.isVerbose
		? redactingLog(stderrLog, () => secretsOf(options, token))
		: silentLog;
	setNetwork({ ...directNetwork, mode: "auto" });
	const { dataFolder, model } = options;
	await removeStaleFolders(dataFolder ?? tmpdir());
	const filesFolder = newFilesFolder(dataFolder ?? tmpdir());
	const videosFolder =
		dataFolder === undefined ? newFilesFolder(tmpdir()) : join(dataFolder, "local-videos");
	const service = await startService({
		token,
		port: options.port,
		filesFolder,
		videosFolder,
		log,
		...(dataFolder === undefined ? {} : keptFolders(dataFolder)),
		models: () => options.models,
		video: () => options.video,
		...(model === undefined ? {} : { fallback: models => answeringAs(model, models) }),
	});
	let isStopping = false;
	const stop = async (): Promise<void> => {
		if (!isStopping) {
			isStopping = true;
			await service.stop();
			await rm(filesFolder, { recursive: true, force: true });
			if (dataFolder === undefined) {
				await rm(videosFolder, { recursive: true, force: true });
			}
			process.stdout.write("Stopped.\n");
		}
	};
	process.once("SIGINT", () => void stop());
	process.once("SIGTERM", () => void stop());
	const { baseUrl } = service.server;
	const servers = options.models.servers.map(({ name }) => name);
	process.stdout.write(describeAddress(baseUrl, token, process.platform, model, servers));
}

/** The folders of the extension's local service. */
function keptFolders(dataFolder: string) {
	return {
		callsFolder: join(dataFolder, "local-calls"),
		modelsFolder: join(dataFolder, "local-models"),
	};
}

/** Answers the models of the interface as this one. */
function answeringAs(model: string, models: () => Engine): Engine {
	return { answer: (request, ...rest) => models().answer({ ...request, model }, ...rest) };
}

function secretsOf({ models, video }: ProgramOptions, token: string): readonly string[] {
	const headers = [
		...models.servers.map(server => server.headers),
		...Object.values(video.headers),
	];
	const values = headers.flatMap(each => Object.values(each));
	return [token, ...values.map(value => value.replace(/^\S+ /, ""))];
}

/** Runs the program. The exit code is 2 for an invalid option and 1 if the service can't start. */
async function main(): Promise<void> {
	const parsed = parseOptions(process.argv.slice(2), process.env);
	if (parsed.type === "help") {
		process.stdout.write(usage);
		return;
	}
	if (parsed.type === "wrong") {
		process.stderr.write(`${parsed.message}\n\n${usage}`);
		process.exitCode = 2;
		return;
	}
	await serve(parsed.options);
}

try {
	await main();
} catch (error) {
	process.stderr.write(`The local service could not start: ${toError(error).message}\n`);
	process.exitCode = 1;
}
