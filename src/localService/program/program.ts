/** Entry point of `npm run service`: the local service as a separate program, for curl and other clients. */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { toError } from "../../common/errors.ts";
import { formatLogLine, logOf, redactingLog, silentLog } from "../../common/log.ts";
import { bundledTools } from "../python/serverTools.ts";
import { demoEngine } from "../demo/demoEngine.ts";
import { directNetwork } from "../../client/transport/transport.ts";
import { newFilesFolder, removeStaleFolders } from "../base/fileStore.ts";
import { setNetwork } from "../base/network.ts";
import { describeAddress, parseOptions, type ProgramOptions, usage } from "./programOptions.ts";
import { LocalServer } from "../http/server.ts";
import { bundledVideo } from "../video/assets.ts";

const stderrLog = logOf((level, message, details) => {
	process.stderr.write(`${level}: ${formatLogLine(message, details)}\n`);
});

async function serve(options: ProgramOptions): Promise<void> {
	const token = options.token ?? randomBytes(32).toString("base64url");
	const log = options.isVerbose ? redactingLog(stderrLog, () => [token]) : silentLog;
	setNetwork({ ...directNetwork, mode: "auto" });
	await removeStaleFolders(tmpdir());
	const videosFolder = newFilesFolder(tmpdir());
	const server = await LocalServer.start({
		token,
		port: options.port,
		filesFolder: newFilesFolder(tmpdir()),
		videos: { folder: videosFolder, ...bundledVideo(import.meta.url) },
		tools: bundledTools(import.meta.url),
		engine: demoEngine,
		log,
	});
	let isStopping = false;
	const stop = async (): Promise<void> => {
		if (!isStopping) {
			isStopping = true;
			await server.stop();
			await rm(videosFolder, { recursive: true, force: true });
			process.stdout.write("Stopped.\n");
		}
	};
	process.once("SIGINT", () => void stop());
	process.once("SIGTERM", () => void stop());
	process.stdout.write(describeAddress(server.baseUrl, token, process.platform));
}

/** Runs the program. The exit code is 2 for an invalid option and 1 if the service can't start. */
async function main(): Promise<void> {
	const parsed = parseOptions(process.argv.slice(2));
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
