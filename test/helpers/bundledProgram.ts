import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles a program of this folder into `folder`, which then starts several times faster, and returns its path. */
export async function bundleProgram(name: string, folder: string): Promise<string> {
	const outfile = join(folder, `${name}.mjs`);
	const entry = new URL(`${name}.ts`, import.meta.url);
	await build({
		entryPoints: [fileURLToPath(entry)],
		bundle: true,
		platform: "node",
		format: "esm",
		banner: {
			js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
		},
		// The files that this folder names beside itself stay where they are.
		define: { "import.meta.url": JSON.stringify(entry.href) },
		outfile,
	});
	return outfile;
}
