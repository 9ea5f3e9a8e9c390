import { globSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { projectRoot } from "../../scripts/project.ts";

/**
 * Bundles every `test/integration/**\/*.test.ts` with the runner into one CommonJS module whose `run` VS Code calls.
 * Returns its absolute path, which `name` is part of, so that two editors run at once. Mocha stays outside: the extension host
 * finds it in `node_modules`.
 */
export async function bundleIntegrationTests(name = "index"): Promise<string> {
	const folder = join(projectRoot, "test", "integration");
	const files = globSync("**/*.test.ts", { cwd: folder }).sort();
	const entries = files.map(file => {
		const path = JSON.stringify(`./${file.replaceAll("\\", "/")}`);
		return `${path}: () => import(${path}),`;
	});
	const outfile = join(projectRoot, "out", "integration", `${name}.cjs`);
	await build({
		stdin: {
			contents: [
				'import { createRun } from "./runner.ts";',
				`export const run = createRun({ ${entries.join("\n")} });`,
			].join("\n"),
			resolveDir: folder,
			loader: "ts",
		},
		outfile,
		bundle: true,
		format: "cjs",
		platform: "node",
		target: "node22",
		external: ["vscode", "mocha", "undici"],
		sourcemap: "inline",
		logLevel: "warning",
		// Modules of the extension may read their own address; a CommonJS bundle has none.
		define: { "import.meta.url": "importMetaUrl", "import.meta.dirname": "__dirname" },
		banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
	});
	return outfile;
}

/** Bundles the MCP server that an editor starts in tests into `folder`, because it's outside of `node_modules` there. Returns its absolute path. */
export async function bundleMcpServer(folder: string): Promise<string> {
	const outfile = join(folder, "mcpServer.mjs");
	await build({
		entryPoints: [join(projectRoot, "test", "integration", "modelProvider", "mcpServer.js")],
		outfile,
		bundle: true,
		format: "esm",
		platform: "node",
		logLevel: "warning",
		// Packages in CommonJS ask for the modules of Node by `require`.
		banner: {
			js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
		},
	});
	return outfile;
}

if (import.meta.main) {
	await bundleIntegrationTests();
}
