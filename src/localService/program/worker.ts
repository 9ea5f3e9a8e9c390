/** Entry of the thread that runs the local service inside the extension host. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { formatLogLine, type Log, type LogDetails, redactingLog } from "../../common/log.ts";
import { systemClock } from "../../common/async.ts";
import { bundledTools } from "../tools/index.ts";
import { createDemoEngine } from "../demo/index.ts";
import { startServer } from "../http/index.ts";
import { bundledVideo } from "../video/index.ts";
import { type FromWorker, toWorkerSchema, workerDataSchema } from "../host/index.ts";

/** Runs the service until told to stop or until nobody is left to tell. */
async function run(parent: MessagePort): Promise<void> {
	const data = workerDataSchema.parse(workerData);
	const log = redactingLog(logTo(parent), () => [data.token]);
	process.on("warning", warning => log.warn("Node warns", { reason: warning.message }));
	let { charactersPerSecond } = data;
	const server = await startServer({
		token: data.token,
		filesFolder: data.filesFolder,
		videos: { folder: data.videosFolder, ...bundledVideo(import.meta.url) },
		tools: bundledTools(import.meta.url),
		engine: createDemoEngine({
			clock: systemClock,
			charactersPerSecond: () => charactersPerSecond,
		}),
		log,
	});
	const stop = async (): Promise<void> => {
		await server.stop();
		process.exit(0);
	};
	parent.on("message", (received: unknown) => {
		const message = toWorkerSchema.parse(received);
		switch (message.type) {
			case "ping":
				charactersPerSecond = message.charactersPerSecond;
				send(parent, { type: "alive", id: message.id });
				break;
			case "list-models":
				send(parent, { type: "models", id: message.id, listings: [] });
				break;
			case "stop":
				void stop();
				break;
		}
	});
	// The port closes when the host's side is gone: nobody could stop the service any more. Fault L15.
	parent.on("close", () => void stop());
	send(parent, { type: "listening", port: server.port });
}

function send(parent: MessagePort, message: FromWorker): void {
	parent.postMessage(message);
}

function logTo(parent: MessagePort): Log {
	const write =
		(level: keyof Log) =>
		(message: string, details?: LogDetails): void =>
			send(parent, { type: "log", level, line: formatLogLine(message, details) });
	return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

if (!parentPort) {
	throw new Error("The local service's worker must run as a worker thread.");
}
await run(parentPort);
