import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { readManifest } from "../../scripts/project.ts";

/**
 * Makes folders with extensions the ones that an editor finds in `extensionsFolder`, as they are and without a package. The editor
 * must not be running.
 */
export async function linkExtensions(
	extensionsFolder: string,
	...sources: readonly string[]
): Promise<void> {
	await mkdir(extensionsFolder, { recursive: true });
	// Without its list of what is installed, the editor looks into the folder.
	await rm(join(extensionsFolder, "extensions.json"), { force: true });
	for (const source of sources) {
		const { publisher, name, version } = await readManifest(source);
		const link = join(extensionsFolder, `${publisher}.${name}-${version}`);
		await rm(link, { recursive: true, force: true });
		// A junction, where a link needs rights that users of Windows do not have.
		await symlink(source, link, "junction");
	}
}
