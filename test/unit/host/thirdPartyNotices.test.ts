import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { bundledPackages, thirdPartyNotices } from "../../../scripts/thirdPartyNotices.ts";
import { makeTempFolder } from "../../helpers/tempFolder.ts";

const root = resolve(import.meta.dirname, "../../..");

/** A project with one installed package. */
async function projectWith(manifest: object, licence?: string): Promise<string> {
	const project = await makeTempFolder();
	const folder = join(project, "node_modules/odd");
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
	if (licence !== undefined) {
		await writeFile(join(folder, "LICENSE"), licence);
	}
	return project;
}

const odd = { name: "odd", version: "1.2.3", license: "MIT" };

test("the packages are those that the builds took code from, scoped and nested ones too", () => {
	const input = { bytes: 1, imports: [] };
	const inputs = {
		"src/extension.ts": input,
		"node_modules/zod/mini/index.js": input,
		"node_modules/zod/v4/core.js": input,
		"node_modules/@lit/reactive-element/index.js": input,
		"node_modules/lit/node_modules/lit-html/lit-html.js": input,
	};
	const folders = bundledPackages([{ inputs, outputs: {} }]);
	expect(folders).toEqual(["@lit/reactive-element", "lit/node_modules/lit-html", "zod"]);
});

test("every package is named with its version, licence and source, every text is there whole and once", async () => {
	const notices = await thirdPartyNotices(root, [
		"mediabunny",
		"@resvg/resvg-wasm",
		"@jsquash/webp",
	]);
	const mozilla = await readFile(join(root, "node_modules/mediabunny/LICENSE"), "utf8");
	const libwebp = join(root, "node_modules/@jsquash/webp/codec/LICENSE.codec.md");
	expect(notices.split(mozilla.trim())).toHaveLength(2);
	expect(notices).toContain((await readFile(libwebp, "utf8")).trim());
	expect(notices).toMatch(/^@resvg\/resvg-wasm 2\.\S+: MPL-2\.0, text 3\n {4}Source: https:/m);
	expect(notices).toMatch(/^mediabunny 1\.\S+: MPL-2\.0, text 3\n {4}Source: https:/m);
});

test("two versions of one package are both named", async () => {
	const project = await projectWith({ ...odd, homepage: "https://odd.example" }, "As you please.");
	const inner = join(project, "node_modules/other/node_modules/odd");
	await mkdir(inner, { recursive: true });
	const older = { ...odd, version: "0.9.0", homepage: "https://odd.example" };
	await writeFile(join(inner, "package.json"), JSON.stringify(older));
	await writeFile(join(inner, "LICENSE"), "Ask first.");
	const notices = await thirdPartyNotices(project, ["odd", "other/node_modules/odd"]);
	expect(notices).toContain("odd 1.2.3: MIT, text 1\n");
	expect(notices).toContain("odd 0.9.0: MIT, text 2\n");
});

test.each([
	["git+ssh://git@github.com/someone/odd.git", "https://github.com/someone/odd"],
	["git://github.com/someone/odd.git", "https://github.com/someone/odd"],
	["https://github.com/someone/odd", "https://github.com/someone/odd"],
])("a source known as %s is named as a page", async (repository, page) => {
	const project = await projectWith({ ...odd, repository }, "Do as you please.");
	expect(await thirdPartyNotices(project, ["odd"])).toContain(`Source: ${page}\n`);
});

test("a package without the text of its licence, or without a source, stops the build", async () => {
	const silent = await projectWith({ ...odd, homepage: "https://odd.example" });
	await expect(thirdPartyNotices(silent, ["odd"])).rejects.toThrow(/^odd says nowhere/);
	const homeless = await projectWith(odd, "Do as you please.");
	await expect(thirdPartyNotices(homeless, ["odd"])).rejects.toThrow(/^odd says nowhere/);
});
