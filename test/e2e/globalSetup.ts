import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { ensureEditorBuild } from "../host/editorBuild.ts";
import { installExtension } from "../host/editorServer.ts";
import { leanBuiltInExtensions } from "../host/leanExtensions.ts";
import { platformWithLlama } from "../../scripts/llamaBuild.ts";
import { packageExtension } from "../../scripts/package.ts";
import { makeCacheFolder, projectRoot } from "../../scripts/project.ts";

/**
 * Packages the extension (or takes the package that `CUTAWAY_VSIX` names) and installs it once, into an extensions
 * folder of this run's own that every test's server shares and none writes to.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
	const build = await ensureEditorBuild();
	const folder = await makeCacheFolder("runs", `e2e-${process.pid}`);
	const builtInExtensionsFolder = await makeCacheFolder("runs", `e2e-${process.pid}`, "built-in");
	await leanBuiltInExtensions(build, builtInExtensionsFolder);
	const reader = join(projectRoot, "test", "e2e", "settingsReader");
	await symlink(reader, join(builtInExtensionsFolder, "settings-reader"), "junction");
	const vsix =
		process.env["CUTAWAY_VSIX"] ??
		(await packageExtension(join(folder, "cutaway.vsix"), await platformWithLlama()));
	const extensionsFolder = join(folder, "extensions");
	await installExtension(build, { dataFolder: join(folder, "data"), extensionsFolder }, vsix);
	process.env["CUTAWAY_VSIX"] = vsix;
	process.env["CUTAWAY_E2E_EXTENSIONS"] = extensionsFolder;
	process.env["CUTAWAY_E2E_BUILT_IN"] = builtInExtensionsFolder;
	return () => rm(folder, { recursive: true, force: true });
}
