import { join } from "node:path";
import { projectRoot } from "./project.ts";
import { runScript } from "./script.ts";

/** Builds everything that runs into `dist/`, for development unless `flags` hold `--production`; throws with what esbuild.js printed. */
export async function buildExtension(...flags: readonly string[]): Promise<void> {
	const { code, output } = await runScript([join(projectRoot, "esbuild.js"), ...flags]);
	if (code !== 0) {
		throw new Error(`The build failed:\n${output.trim()}`);
	}
}
