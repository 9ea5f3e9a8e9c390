import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { compareEmbedded } from "./embeddedModel.ts";
import { token, type ToService } from "./modelsService.ts";

const rounds = 9;
const frames = 50_000;
const warmUpFrames = 2_000;
const firstRounds = 101;

/** Measures answers of models through the local service beside the server's own stream, in one run. */
export async function run(): Promise<void> {
	const upstream = spawn(process.execPath, [new URL("streamServer.ts", import.meta.url).pathname], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	const [output]: unknown[] = await once(upstream.stdout, "data");
	const upstreamPort = Number(String(output).trim());
	const service = fork(new URL("modelsService.ts", import.meta.url).pathname, [
		`http://127.0.0.1:${upstreamPort}`,
	]);
	const [listening]: unknown[] = await once(service, "message");
	const port = Number(listening);
	try {
		for (const kind of ["model", "modelBulk"]) {
			await compare(service, port, kind);
		}
		await measureFirstToken(port, upstreamPort);
	} finally {
		service.disconnect();
		upstream.stdin.end();
	}
	await compareEmbedded();
}

async function compare(service: ChildProcess, port: number, kind: string): Promise<void> {
	const bare: number[] = [];
	const through: number[] = [];
	for (let round = -1; round < rounds; round += 1) {
		const name = `${kind}-${round < 0 ? warmUpFrames : frames}`;
		const read = await ask(service, { ask: "read", name });
		const before = await ask(service, { ask: "cpu" });
		await exchange(port, chatRequest(port, name));
		const after = await ask(service, { ask: "cpu" });
		if (round >= 0) {
			bare.push((1000 * read) / frames);
			through.push((1000 * (after - before)) / frames);
		}
	}
	const ratio = median(through) / median(bare);
	console.log(
		`Models, ${frames} frames, ${kind === "model" ? "one HTTP chunk each" : "HTTP chunks of 16 KiB"}, CPU per frame`,
	);
	console.log(`  undici + eventsource-parser  ${median(bare).toFixed(2)} µs`);
	console.log(
		`  through the local service    ${median(through).toFixed(2)} µs  ×${ratio.toFixed(2)} (target: at most ×2)`,
	);
}

async function measureFirstToken(port: number, upstreamPort: number): Promise<void> {
	const direct: number[] = [];
	const through: number[] = [];
	for (let round = 0; round < firstRounds; round += 1) {
		direct.push(await exchange(upstreamPort, upstreamRequest(upstreamPort, "model-1")));
		through.push(await exchange(port, chatRequest(port, "model-1")));
	}
	const added = median(through) - median(direct);
	console.log(
		`Models, first token: ${median(direct).toFixed(2)} ms from the server, ${median(through).toFixed(2)} ms through the local service, ${added.toFixed(2)} ms added (target: at most 5)`,
	);
}

function chatRequest(port: number, name: string): string {
	const messages = [{ role: "user", content: "Hi" }];
	const body = JSON.stringify({ model: `${name}/m`, stream: true, messages });
	return httpRequest(port, "/v1/chat/messages", body);
}

function upstreamRequest(port: number, name: string): string {
	return httpRequest(port, `/${name}/v1/chat/completions`, "{}");
}

function httpRequest(port: number, path: string, body: string): string {
	return [
		`POST ${path} HTTP/1.1`,
		`Host: 127.0.0.1:${port}`,
		`Authorization: Bearer ${token}`,
		"Content-Type: application/json",
		`Content-Length: ${body.length}`,
		"Connection: close",
		"",
		body,
	].join("\r\n");
}

/** Sends a request and reads the answer to its end; resolves with the milliseconds until its first word. */
function exchange(port: number, text: string): Promise<number> {
	return new Promise((resolve, reject) => {
		const start = performance.now();
		let first = 0;
		let opening = "";
		const socket = connect(port, "127.0.0.1", () => socket.write(text));
		socket.on("data", bytes => {
			opening ||= bytes.toString().slice(0, 300);
			if (first === 0 && bytes.includes(" word")) {
				first = performance.now() - start;
			}
		});
		socket.on("error", reject);
		socket.on("close", () =>
			first > 0 ? resolve(first) : reject(new Error(`The benchmark read nothing: ${opening}`)),
		);
	});
}

async function ask(service: ChildProcess, asked: ToService): Promise<number> {
	service.send(asked);
	const [answer]: unknown[] = await once(service, "message");
	return Number(answer);
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
