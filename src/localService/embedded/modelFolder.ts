import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import * as z from "zod/mini";
import { systemCode } from "../../common/errors.ts";
import { embeddedServerName, type ModelInfo } from "../../common/modelSetup.ts";
import { writeAtomically } from "../../storage/atomicFile.ts";

/** The user's own files elsewhere, by listed name. */
const listName = "files.json";
const listSchema = z.record(z.string(), z.string());
const ending = ".gguf";
/** Names of listed files. They can't lead out of the folder. */
const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._ ()+-]{0,199}$/u;

/** Returns the path of a model's file, which may not exist any longer. Returns undefined for an invalid or unknown name. */
export async function modelPath(folder: string, name: string): Promise<string | undefined> {
	const own = (await ownFiles(folder))[name];
	return own ?? (namePattern.test(name) && name.endsWith(ending) ? join(folder, name) : undefined);
}

/** Lists the models whose files exist, including the user's own. */
export async function listModelFiles(folder: string): Promise<ModelInfo[]> {
	const own = await ownFiles(folder);
	const names = await readdir(folder).catch(() => []);
	const places = new Map([
		...names
			.filter(name => namePattern.test(name) && name.endsWith(ending))
			.map(name => [name, join(folder, name)] as const),
		...Object.entries(own),
	]);
	const found = await Promise.all(
		[...places].map(async ([name, path]) => ({ name, size: await sizeOf(path) })),
	);
	return found.flatMap(({ name, size }) =>
		size === undefined
			? []
			: [
					{
						id: `${embeddedServerName}/${name}`,
						label: name.slice(0, -ending.length),
						server: embeddedServerName,
						sizeBytes: size,
						vision: false,
					},
				],
	);
}

/** Adds a file of the user's without copying it, and returns the model's id. Rejects with the system's error. */
export async function addModelFile(folder: string, path: string): Promise<string> {
	const own = await ownFiles(folder);
	const name = freeName(basename(path), path, own);
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await writeAtomically(join(folder, listName), JSON.stringify({ ...own, [name]: path }));
	return `${embeddedServerName}/${name}`;
}

/** Deletes a downloaded model and its partial file. For the user's own files removes only the entry. Rejects with the system's error. */
export async function removeModelFile(folder: string, name: string): Promise<void> {
	const { [name]: path, ...others } = await ownFiles(folder);
	if (path !== undefined) {
		await writeAtomically(join(folder, listName), JSON.stringify(others));
	} else if (namePattern.test(name)) {
		const names = [name, `${name}.part`, `${name}.part.json`];
		await Promise.all(names.map(each => rm(join(folder, each), { force: true })));
	}
}

function freeName(name: string, path: string, own: Readonly<Record<string, string>>): string {
	const plain = name.replaceAll(/[^\p{L}\p{N}._ ()+-]/gu, "-").replace(/^[^\p{L}\p{N}]+/u, "");
	const stem = plain.replace(/\.gguf$/i, "").slice(0, 150) || "model";
	for (let number = 1; ; number += 1) {
		const free = `${stem}${number === 1 ? "" : ` (${number})`}${ending}`;
		if (own[free] === undefined || own[free] === path) {
			return free;
		}
	}
}

async function ownFiles(folder: string): Promise<Readonly<Record<string, string>>> {
	try {
		const value: unknown = JSON.parse(await readFile(join(folder, listName), "utf8"));
		return listSchema.safeParse(value).data ?? {};
	} catch (error) {
		if (systemCode(error) === "ENOENT" || error instanceof SyntaxError) {
			return {};
		}
		throw error;
	}
}

async function sizeOf(path: string): Promise<number | undefined> {
	const found = await stat(path).catch(() => undefined);
	return found?.isFile() ? found.size : undefined;
}
