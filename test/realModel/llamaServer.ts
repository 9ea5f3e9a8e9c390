import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endWithThisProcess } from "../../scripts/childProcess.ts";
import { ensureLlama } from "./llamaPackage.ts";
import { tinyModel } from "./tinyModel.ts";

/** The context that the server runs its model with, in tokens. */
export const contextLength = 512;

/** A llama.cpp of the test's own, in a process of its own. */
export interface LlamaServer {
	/** Base address without `/v1`. */
	readonly url: string;
	/** Lets it load its model, which it says it does until then; resolves once it is loaded. */
	load(): Promise<void>;
	/** Whether it computes an answer. */
	isBusy(): Promise<boolean>;
	/** Ends it at once, as a crash would, and removes its model. */
	kill(): Promise<void>;
}

/** Starts llama.cpp with a tiny model of random weights, whose answers may have no end. */
export async function startLlamaServer(isEndless = false): Promise<LlamaServer> {
	const moduleUrl = await ensureLlama();
	const folder = await mkdtemp(join(tmpdir(), "cutaway-llama-"));
	const model = join(folder, "tiny.gguf");
	await writeFile(model, tinyModel({ seed: 7, isEndless }));
	const program = join(import.meta.dirname, "llamaServerProcess.ts");
	const child = fork(program, [moduleUrl, model, String(contextLength)]);
	endWithThisProcess(child);
	const ended = once(child, "exit");
	const kill = async (): Promise<void> => {
		child.kill("SIGKILL");
		await ended;
		await rm(folder, { recursive: true, force: true });
	};
	const url = `http://127.0.0.1:${await portOf(child)}`;
	return {
		url,
		kill,
		load: async () => {
			child.send("load");
			while ((await fetch(`${url}/v1/models`)).status !== 200) {
				await delay(20);
			}
		},
		isBusy: async () => {
			const slots = (await (await fetch(`${url}/slots`)).json()) as { is_processing: boolean }[];
			return slots.some(slot => slot.is_processing);
		},
	};
}

async function portOf(child: ChildProcess): Promise<number> {
	const failed = once(child, "exit").then(([code]) => {
		throw new Error(`llama.cpp's process ended with ${String(code)}`);
	});
	const [port] = (await Promise.race([once(child, "message"), failed])) as [number];
	return port;
}
