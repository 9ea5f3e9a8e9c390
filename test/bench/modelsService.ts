/**
 * The local service in a process of its own, so that its CPU time is measured alone, and beside it the least that reads the
 * same stream of a server of models. Its argument is that server's address. Says where it listens, then answers `read` with
 * the CPU time of a bare reading and `cpu` with what the process has taken so far, in milliseconds.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createParser } from "eventsource-parser";
import { request } from "undici";
import { systemClock } from "../../src/common/async.ts";
import { demoEngine } from "../../src/localService/demo/demoEngine.ts";
import { LocalServer } from "../../src/localService/http/server.ts";
import { Models } from "../../src/localService/models/models.ts";

/** The token of the service, and the message it is asked with. */
export const token = "bench-token-0123456789-abcdefghijklmnopqrstu";

/** From the benchmark to the service's process. */
export type ToService = { readonly ask: "cpu" } | { readonly ask: "read"; readonly name: string };

const [origin = ""] = process.argv.slice(2);

function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** The reference: the least that reads the text of a server's frames. */
async function readBare(name: string): Promise<number> {
	const before = cpuMs();
	const body = JSON.stringify({ model: "m", stream: true, messages: [] });
	const answer = await request(`${origin}/${name}/v1/chat/completions`, { method: "POST", body });
	const decoder = new TextDecoder();
	let length = 0;
	const parser = createParser({
		onEvent: ({ data }) => {
			if (data !== "[DONE]") {
				const frame = JSON.parse(data) as { choices: { delta: { content?: string } }[] };
				length += frame.choices[0]?.delta.content?.length ?? 0;
			}
		},
	});
	for await (const chunk of answer.body) {
		parser.feed(decoder.decode(chunk as Buffer, { stream: true }));
	}
	if (length === 0) {
		throw new Error("The benchmark read nothing");
	}
	return cpuMs() - before;
}

async function run(): Promise<void> {
	const names = ["model", "modelBulk"].flatMap(kind => [1, 2_000, 50_000].map(n => `${kind}-${n}`));
	const servers = names.map(name => ({ name, baseUrl: `${origin}/${name}/v1`, headers: {} }));
	const folder = mkdtempSync(join(tmpdir(), "cutaway-bench-"));
	const service = await LocalServer.start({
		token,
		filesFolder: join(folder, "files"),
		engine: new Models(
			() => ({
				servers,
				contextLength: 0,
			}),
			demoEngine,
			systemClock,
		),
	});
	process.on("message", (asked: ToService) => {
		if (asked.ask === "cpu") {
			process.send?.(cpuMs());
		} else {
			void readBare(asked.name).then(ms => process.send?.(ms));
		}
	});
	process.on("disconnect", () => {
		rmSync(folder, { recursive: true, force: true });
		process.exit();
	});
	process.send?.(service.port);
}

if (process.argv[1] === import.meta.filename) {
	await run();
}
