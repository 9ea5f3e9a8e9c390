import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod/mini";

/** Absolute path of the folder that holds package.json. */
export const projectRoot = resolve(import.meta.dirname, "..");

/** Absolute path of the folder for everything fetched or made for a run; git does not see it. */
export const cacheFolder = join(projectRoot, ".vscode-test");

/** Absolute path of the sample workspace as it is kept in git; runs work on a copy. */
export const sampleWorkspace = join(projectRoot, "test", "fixtures", "workspace");

const manifestSchema = z.object({ version: z.string(), publisher: z.string(), name: z.string() });

/** What package.json says of the extension: its name, publisher and version. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Reads the package.json of a folder, Cutaway's own by default; throws when it is missing or does not name an extension. */
export async function readManifest(folder = projectRoot): Promise<Manifest> {
	const text = await readFile(join(folder, "package.json"), "utf8");
	const json: unknown = JSON.parse(text);
	return z.parse(manifestSchema, json);
}

/** Absolute path of the package that `npm run package` makes from this manifest, for one platform where that is named. */
export function packagePath({ name, version }: Manifest, platform?: string): string {
	const parts = [name, ...(platform === undefined ? [] : [platform]), version];
	return join(projectRoot, `${parts.join("-")}.vsix`);
}

/** Makes a folder inside the cache folder, parents too, and returns its absolute path. */
export async function makeCacheFolder(...segments: string[]): Promise<string> {
	const folder = join(cacheFolder, ...segments);
	await mkdir(folder, { recursive: true });
	return folder;
}

/** Writes one line for the user who runs the script. */
export function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
