import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../src/common/async.ts";
import {
	CodeInterpreter,
	type CodeInterpreterOptions,
} from "../../src/localService/python/codeInterpreter.ts";
import { PackageQuestions } from "../../src/localService/python/packages/packageQuestions.ts";
import type { PackageStoreOptions } from "../../src/localService/python/packages/packageStore.ts";
import {
	describePython,
	type PythonOutcome,
	runPython,
} from "../../src/localService/python/pythonTool.ts";
import { storeZip } from "../../src/localService/python/storedZip.ts";
import { makeTempFolder } from "./tempFolder.ts";

const emptyZip = Buffer.from(`504b0506${"00".repeat(18)}`, "hex");

/** Returns a wheel with these files. */
export function wheelOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
	const more = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
	return storeZip(emptyZip, () => true, more);
}

/** A package of a mirror. */
export interface MirrorPackage {
	readonly file: string;
	readonly bytes: Buffer;
	readonly depends?: readonly string[];
	readonly imports: readonly string[];
	readonly isLibrary?: boolean;
}

/** A mirror of packages under way. */
export interface PackageMirror {
	/** Method, file and offset of each request. */
	readonly asked: string[];
	/** Changes what is sent. */
	change: (bytes: Buffer) => Buffer;
	/** After how many bytes the connection is cut, once each. */
	readonly cuts: number[];
	/** Resolves once the next file may end; half of it was sent. */
	hold: Promise<void> | undefined;
	readonly url: string;
	/** The build's list of these packages. */
	readonly lockFile: string;
}

/** Starts a mirror with packages by name. */
export async function startMirror(
	packages: Readonly<Record<string, MirrorPackage>>,
): Promise<PackageMirror> {
	const mirror: Omit<PackageMirror, "url" | "lockFile"> = {
		asked: [],
		cuts: [],
		hold: undefined,
		change: bytes => bytes,
	};
	const server = createServer((request, response) => {
		const name = request.url?.replace("/py/v1.2.3/full/", "") ?? "";
		const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
		mirror.asked.push(`${request.method} ${name}${from > 0 ? ` from ${from}` : ""}`);
		const found = Object.values(packages).find(({ file }) => file === name);
		if (!found) {
			response.writeHead(404).end();
			return;
		}
		const whole = mirror.change(found.bytes);
		const bytes = whole.subarray(from);
		response.writeHead(from > 0 ? 206 : 200, {
			"content-length": bytes.length,
			...(from > 0 ? { "content-range": `bytes ${from}-${whole.length - 1}/${whole.length}` } : {}),
		});
		if (request.method === "HEAD") {
			response.end();
			return;
		}
		const cut = mirror.cuts.shift();
		if (cut !== undefined) {
			response.write(bytes.subarray(0, cut), () => response.destroy());
		} else if (mirror.hold) {
			const half = bytes.length >> 1;
			response.write(bytes.subarray(0, half));
			void mirror.hold.then(() => response.end(bytes.subarray(half)));
		} else {
			response.end(bytes);
		}
	});
	await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	const lockFile = join(await makeTempFolder(), "packages.json");
	await writeFile(lockFile, JSON.stringify(lockOf(packages)));
	return Object.assign(mirror, { url: `http://127.0.0.1:${port}/py`, lockFile });
}

function lockOf(packages: Readonly<Record<string, MirrorPackage>>): object {
	const listed = Object.entries(packages).map(([name, { bytes, ...each }]) => [
		name,
		{ depends: [], ...each, sha256: createHash("sha256").update(bytes).digest("hex") },
	]);
	return { version: "1.2.3", packages: Object.fromEntries(listed) };
}

/** What a call came to. */
export interface CalledCode {
	/** The tool as it is described to the model. */
	readonly description: string;
	readonly asked: PythonOutcome["detail"][];
	/** Questions and progress, in order. */
	readonly details: PythonOutcome["detail"][];
	readonly text: string;
	/** What the model gets. */
	readonly result: string;
}

/** A window's Python with packages. */
export interface PackageBench {
	readonly folder: string;
	/** Runs code as a model's call, and answers a question about packages. */
	call(code: string, isAccepted?: boolean, signal?: AbortSignal): Promise<CalledCode>;
}

/** Opens Python with the mirror's packages, in a folder that may be shared. */
export async function openBench(
	options: CodeInterpreterOptions,
	{ url, lockFile }: Pick<PackageMirror, "url" | "lockFile">,
	folder?: string,
	clock: Clock = systemClock,
): Promise<PackageBench> {
	const questions = new PackageQuestions();
	const packages: Omit<PackageStoreOptions, "clock"> = {
		lockFile,
		questions,
		mirror: () => url,
		folder: folder ?? (await makeTempFolder()),
	};
	const interpreter = new CodeInterpreter({ ...options, packages }, clock);
	onTestFinished(() => interpreter.stop());
	const opened = interpreter.open("one", []);
	return {
		folder: packages.folder,
		call: async (code, isAccepted = true, signal = new AbortController().signal) => {
			const described = await describePython(opened);
			const outcomes: PythonOutcome[] = [];
			for await (const outcome of runPython(opened, JSON.stringify({ code }), signal)) {
				outcomes.push(outcome);
				if (outcome.detail?.type === "packages") {
					questions.answer(outcome.detail.id, isAccepted);
				}
			}
			const details = outcomes.flatMap(({ detail }) => detail ?? []);
			return {
				description: JSON.stringify(described),
				details,
				asked: details.filter(({ type }) => type === "packages"),
				text: outcomes.map(({ text = "" }) => text).join("\n"),
				result: outcomes.map(({ result = "" }) => result).join(""),
			};
		},
	};
}
