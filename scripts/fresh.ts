/**
 * A program: `npm run fresh [-- STAGE …]` runs the README's two commands as a new user would, in a clean clone of HEAD
 * with an empty home, no caches, no editor builds, no browser's download and no fonts but DejaVu and Liberation. See `helpText`.
 */
import { createWriteStream } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { startGuarded } from "./guardedProcess.ts";
import { projectRoot, say } from "./project.ts";

const helpText = `Usage: npm run fresh -- [options] [STAGE …]

Runs \`npm ci && npm start\` until the editor answers, then \`npm ci && npm run test:all\`, in a clean clone of HEAD. What is
not committed is not tested. Given stages, such as \`unit webview\`, only those run.

  --no-start   leave out the start
  --keep       leave the clone and the log in the temporary folder
  --help       this text`;

/** What this script's own run put into the environment, and what names places a new user does not have. */
const foreignVariable =
	/^(npm_|CUTAWAY_|PLAYWRIGHT_|VSCODE_|ELECTRON_|XDG_|FONTCONFIG_|NODE_|HOME$|USERPROFILE$|CI$|DISPLAY$|WAYLAND_DISPLAY$)/i;

/** Folders of Debian's packages `fonts-dejavu-core` and `fonts-liberation`, which Chromium brings. */
const fontFolders = ["dejavu", "liberation"].map(name => `/usr/share/fonts/truetype/${name}`);

/** A fontconfig file that knows DejaVu, which a development dependency brings, and Liberation where it is. */
async function provideFonts(folder: string): Promise<string> {
	const fonts = join(folder, "fonts");
	await mkdir(fonts);
	const own = join(projectRoot, "node_modules", "dejavu-fonts-ttf", "ttf");
	for (const source of [own, ...fontFolders]) {
		const names = await readdir(source).catch(() => []);
		for (const name of names.filter(file => file.endsWith(".ttf"))) {
			await copyFile(join(source, name), join(fonts, name));
		}
	}
	const file = join(folder, "fonts.conf");
	const cache = join(folder, "font-cache");
	const text = `<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>`;
	await writeFile(file, `<?xml version="1.0"?>\n${text}\n`);
	return file;
}

/** The environment of a user who has just installed Node, npm and git; what it names is made in `folder`. */
export async function freshEnvironment(folder: string): Promise<NodeJS.ProcessEnv> {
	const kept = Object.entries(process.env).filter(([name]) => !foreignVariable.test(name));
	const path = (process.env["PATH"] ?? "").split(delimiter);
	const home = join(folder, "home");
	await mkdir(home);
	return {
		...Object.fromEntries(kept),
		// npm puts the folders of its packages first on the path of its scripts; a new user's shell has none of them.
		PATH: path.filter(entry => !entry.includes("node_modules")).join(delimiter),
		HOME: home,
		USERPROFILE: home,
		npm_config_cache: join(folder, "npm-cache"),
		FONTCONFIG_FILE: await provideFonts(folder),
	};
}

interface Surroundings {
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	/** Takes every line; the screen shows only what says how something ended. */
	readonly log: NodeJS.WritableStream;
}

/** Runs a command to its end, or until a line it prints is what was waited for. Throws when it fails or ends before. */
async function run(
	command: readonly string[],
	{ cwd, env, log }: Surroundings,
	isEnough?: (line: string) => Promise<boolean>,
): Promise<void> {
	say(`$ ${command.join(" ")}`);
	const enough = Promise.withResolvers<string>();
	const last = { verdict: "no exit code" };
	// The guard tells no exit code, so the shell says it.
	const child = startGuarded("sh", ["-c", '"$@"; echo "exit code $?"', "sh", ...command], {
		cwd,
		env,
		onLine: line => {
			log.write(`${line}\n`);
			last.verdict = /^exit code \d+$/.exec(line)?.[0] ?? last.verdict;
			if (/^\s*[✖✘×]|^\d+ passed|^[✔] /.test(line)) {
				say(line);
			}
			void isEnough?.(line).then(is => is && enough.resolve("enough"), enough.reject);
		},
	});
	try {
		await Promise.race([child.ended, enough.promise.then(() => (last.verdict = "enough"))]);
	} finally {
		await child.stop();
	}
	if (last.verdict !== (isEnough ? "enough" : "exit code 0")) {
		throw new Error(`${command.join(" ")} failed: ${last.verdict}.`);
	}
}

/** Whether a line gives the editor's address; throws when the editor does not answer there. */
async function tellsAddress(line: string): Promise<boolean> {
	const address = /^\s*(http:\/\/127\.0\.0\.1:\S+)$/.exec(line)?.[1];
	if (address === undefined) {
		return false;
	}
	// A good token is answered with a cookie and the way to the address without it; a browser would follow.
	const { status } = await fetch(address, { redirect: "manual" });
	if (status >= 400) {
		throw new Error(`The editor answers with ${status}.`);
	}
	say("The editor answers.");
	return true;
}

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowNegative: true,
		allowPositionals: true,
		options: {
			start: { type: "boolean", default: true },
			keep: { type: "boolean", default: false },
			help: { type: "boolean", default: false },
		},
	});
	if (values.help) {
		say(helpText);
		return;
	}
	const folder = await mkdtemp(join(tmpdir(), "cutaway-fresh-"));
	const logFile = join(folder, "fresh.log");
	say(`Everything that is printed goes to ${logFile}`);
	const cwd = join(folder, "cutaway");
	const log = createWriteStream(logFile);
	const surroundings = { cwd: folder, env: await freshEnvironment(folder), log };
	const isWhole = { now: false };
	try {
		await run(["git", "clone", "--quiet", projectRoot, cwd], surroundings);
		const inClone = { ...surroundings, cwd };
		await run(["npm", "ci"], inClone);
		if (values.start) {
			await run(["npm", "start", "--", "--web", "--no-open"], inClone, tellsAddress);
			await run(["npm", "ci"], inClone);
		}
		await run(
			["npm", "test", "--", ...(positionals.length > 0 ? positionals : ["--all"])],
			inClone,
		);
		isWhole.now = true;
	} finally {
		log.end();
		// What a failure left is worth a look.
		if (isWhole.now && !values.keep) {
			await rm(folder, { recursive: true, force: true });
		}
	}
}

if (import.meta.main) {
	try {
		await main();
	} catch (error) {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exitCode = 1;
	}
}
