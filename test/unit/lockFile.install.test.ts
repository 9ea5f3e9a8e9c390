// @module-tag thorough
import { createServer } from "node:http";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import { runNpm } from "../../scripts/npm.ts";
import { makeTempFolder } from "../helpers/tempFolder.ts";

/** What of an entry decides whether its archive is taken; what it needs is not served here. */
const entrySchema = z.object({
	version: z.string(),
	integrity: z.string(),
	hasInstallScript: z.optional(z.boolean()),
});

const { packages } = z
	.object({ packages: z.record(z.string(), z.looseObject({})) })
	.parse(JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package-lock.json"), "utf8")));

/** A folder to install in, and the registry that serves it. */
interface Place {
	readonly folder: string;
	readonly registry: string;
	/** Appears when a script of the substituted package runs. */
	readonly marker: string;
}

/** A registry on this machine that gives, for any package of a name, an archive with an install script of its own. */
async function serveSubstitute(name: string, version: string): Promise<Place> {
	const folder = await makeTempFolder();
	const marker = join(folder, "ran");
	const substitute = join(folder, "substitute");
	await mkdir(substitute);
	const script = `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "")`;
	await writeFile(join(substitute, "postinstall.cjs"), script);
	const manifest = { name, version, scripts: { postinstall: "node postinstall.cjs" } };
	await writeFile(join(substitute, "package.json"), JSON.stringify(manifest));
	await runNpm(substitute, ["pack", "--pack-destination", folder]);
	const archiveName = (await readdir(folder)).find(each => each.endsWith(".tgz")) ?? "";
	const archive = await readFile(join(folder, archiveName));
	const server = createServer((request, response) => {
		if (request.url?.endsWith(".tgz") === true) {
			response.end(archive);
			return;
		}
		const tarball = `http://${request.headers.host}/${archiveName}`;
		const versions = { [version]: { ...manifest, dist: { tarball } } };
		response.end(JSON.stringify({ name, versions, "dist-tags": { latest: version } }));
	});
	await new Promise<void>(done => server.listen(0, "127.0.0.1", done));
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	return { folder, registry: `http://127.0.0.1:${port}/`, marker };
}

/** Installs one package by its entry of the lock file; rejects with npm's own words. */
async function install(
	place: Place,
	name: string,
	entry: Omit<z.infer<typeof entrySchema>, "integrity">,
): Promise<string> {
	const folder = await makeTempFolder();
	const project = { name: "place", version: "1.0.0", dependencies: { [name]: entry.version } };
	const lock = {
		name: "place",
		version: "1.0.0",
		lockfileVersion: 3,
		requires: true,
		packages: {
			"": project,
			[`node_modules/${name}`]: entry,
		},
	};
	await writeFile(join(folder, "package.json"), JSON.stringify(project));
	await writeFile(join(folder, "package-lock.json"), JSON.stringify(lock));
	const cache = join(place.folder, "cache");
	await runNpm(folder, [
		"ci",
		"--fetch-retries=0",
		// The registry here knows of nothing but archives.
		"--no-audit",
		"--no-update-notifier",
		`--registry=${place.registry}`,
		`--cache=${cache}`,
	]);
	return folder;
}

const entryOf = (name: string): z.infer<typeof entrySchema> =>
	entrySchema.parse(packages[`node_modules/${name}`]);

// One that runs a script when it is installed, one that is bundled, and the Node that runs every script.
test.each(["esbuild", "undici", "node"])(
	"npm ci refuses an archive that is not the %s of the lock file, and runs nothing of it",
	async name => {
		const entry = entryOf(name);
		const place = await serveSubstitute(name, entry.version);

		await expect(install(place, name, entry)).rejects.toThrow(/EINTEGRITY/);

		expect(await readdir(place.folder)).not.toContain("ran");
	},
	60_000,
);

test("npm ci installs and runs such an archive where the entry has no checksum", async () => {
	const { version, hasInstallScript } = entryOf("esbuild");
	const place = await serveSubstitute("esbuild", version);

	const folder = await install(place, "esbuild", { version, hasInstallScript });

	expect(await readdir(join(folder, "node_modules", "esbuild"))).toContain("postinstall.cjs");
	expect(await readdir(place.folder)).toContain("ran");
}, 60_000);
