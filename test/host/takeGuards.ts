/**
 * A program: takes the guards between a model and an effect away one at a time, in a copy of the project, and runs their
 * tests. Every guard must be missed: a run that stays green without one fails. `npm run test:guards`.
 */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Guard, guards } from "./guards.ts";
import { makeCacheFolder, projectRoot, say } from "../../scripts/project.ts";
import { runScript } from "../../scripts/script.ts";

/** A copy of what the tests need; the installed packages and the fetched editors are linked. */
async function copyProject(): Promise<string> {
	const copy = await mkdtemp(join(tmpdir(), "cutaway-guards-"));
	const linked = ["node_modules", ".vscode-test"];
	const made = new Set([".git", "dist", "out", "test-results", ...linked]);
	for (const name of await readdir(projectRoot)) {
		if (!made.has(name)) {
			await cp(join(projectRoot, name), join(copy, name), { recursive: true });
		}
	}
	await makeCacheFolder();
	for (const name of linked) {
		await symlink(join(projectRoot, name), join(copy, name));
	}
	return copy;
}

/** Whether a test fails without the guard. */
async function isMissed(copy: string, guard: Guard): Promise<boolean> {
	const file = join(copy, guard.file.startsWith("media/") ? "" : "src", guard.file);
	const text = await readFile(file, "utf8");
	if (text.split(guard.find).length !== 2) {
		throw new Error(`The guard “${guard.name}” is not found exactly once in ${guard.file}.`);
	}
	await writeFile(
		file,
		text.replace(guard.find, () => guard.replace),
	);
	try {
		return !(await doPass(copy, guard.tests));
	} finally {
		await writeFile(file, text);
	}
}

/** Tests of pages that bundle what they look at, and so need no build. */
const bundlesItself: ReadonlySet<string> = new Set(["untrusted"]);

/** Runs tests in the copy, each with what runs it; whether all of them pass. `onFailure` gets the output of what failed. */
async function doPass(
	copy: string,
	names: readonly string[],
	onFailure: (output: string) => void = () => undefined,
): Promise<boolean> {
	const below = (folder: string): string[] =>
		names.flatMap(name => (name.startsWith(`${folder}/`) ? name.slice(folder.length + 1) : []));
	const run = async (...args: readonly string[]): Promise<boolean> => {
		const { code, output } = await runScript(args, { cwd: copy });
		if (code !== 0) {
			onFailure(output);
		}
		return code === 0;
	};
	const [pages, titles] = [below("webview"), below("integration")];
	const units = names.filter(name => !/^(?:webview|integration)\//.test(name));
	const unitTests = units.map(name => `test/unit/${name}`);
	const vitest = join("node_modules", "vitest", "vitest.mjs");
	const playwright = join("node_modules", "@playwright", "test", "cli.js");
	const pageConfig = join("test", "webview", "playwright.config.ts");
	return (
		(units.length === 0 ||
			(await run(vitest, "run", "--config=test/vitest.config.ts", "--bail=1", ...unitTests))) &&
		([...pages, ...titles].every(name => bundlesItself.has(name)) || (await run("esbuild.js"))) &&
		(pages.length === 0 ||
			(await run(
				playwright,
				"test",
				`--config=${pageConfig}`,
				"--max-failures=1",
				"--workers=1",
				...pages,
			))) &&
		(titles.length === 0 ||
			(await run(join("test", "host", "integration.ts"), "--grep", titles.join("|"))))
	);
}

const wanted = process.argv.slice(2).join(" ").split("|");
const chosen = guards.filter(({ name }) => wanted.some(words => name.includes(words)));
const copy = await copyProject();
let kept = 0;
try {
	if (!(await doPass(copy, [...new Set(chosen.flatMap(({ tests }) => tests))], say))) {
		throw new Error("The tests fail with every guard in place.");
	}
	for (const guard of chosen) {
		const missed = await isMissed(copy, guard);
		kept += missed ? 0 : 1;
		say(`${missed ? "✔" : "✖"} ${guard.name} (${guard.file})`);
	}
} finally {
	await rm(copy, { recursive: true, force: true });
}
say(`${chosen.length} guards, ${chosen.length - kept} missed by a test when gone, ${kept} not`);
process.exitCode = kept > 0 ? 1 : 0;
