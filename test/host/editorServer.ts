import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import type { EditorBuild } from "./editorBuild.ts";
import { type Settings, writeServerSettings } from "./editorSettings.ts";
import { startGuarded } from "../../scripts/guardedProcess.ts";

const run = promisify(execFile);

/** Milliseconds a server may take before it answers; a cold machine needs about five seconds. */
const startTimeout = 60_000;

/** How to start an editor server. */
export interface EditorServerOptions {
	readonly build: EditorBuild;
	/** Folder for user data, settings and logs; made when missing. */
	readonly dataFolder: string;
	/** Folder of installed extensions; made when missing; several servers may share one. */
	readonly extensionsFolder: string;
	/** Folder of built-in extensions in place of all that the build brings; see `leanBuiltInExtensions`. */
	readonly builtInExtensionsFolder?: string;
	/** Port on 127.0.0.1, or a range such as `4130-4139`; 0, the default, takes any free one. */
	readonly port?: string;
	/** Lets a page run extension tests and reach the workbench's test driver. */
	readonly isDriven?: boolean;
	/** Leaves Restricted Mode on for folders not yet trusted. */
	readonly asksForTrust?: boolean;
	/** How long the extension host of a window that left without notice is kept, in seconds; hours when left out. */
	readonly graceSeconds?: number;
	/** User settings to write before the start; left out, those in the data folder stay as they are. */
	readonly settings?: Settings;
	/** File with the token that every request must carry; without one, any program on this machine may connect. */
	readonly tokenFile?: string;
	/** Environment given to the server and so to the extension host, on top of this process's own. */
	readonly env?: Readonly<Record<string, string>>;
}

/** A running editor server. */
export interface EditorServer {
	/** Address of the workbench, such as `http://127.0.0.1:40123`. */
	readonly address: string;
	/** Port the server listens on. */
	readonly port: number;
	/** Process id of the group leader. */
	readonly pid: number;
	/** Everything printed so far, for the report of a failed run. */
	output(): string;
	/** Replaces the user settings. An open window takes them up at once, but for settings of application scope. */
	writeSettings(settings: Settings): Promise<void>;
	/** Settles when the server has ended, for whatever reason. */
	readonly ended: Promise<void>;
	/** Ends the server and every process it began. */
	stop(): Promise<void>;
}

/** Environment of a server: no word of this machine's proxies, editors or outer extension hosts. */
function serverEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
	const isForeign = (name: string): boolean => /^(VSCODE_|ELECTRON_|npm_)/i.test(name);
	const own = Object.entries(process.env).filter(([name]) => !isForeign(name));
	// An empty gallery: an editor under test asks no marketplace.
	return { ...Object.fromEntries(own), EXTENSIONS_GALLERY: "{}", ...extra };
}

/**
 * Makes a filter that lets a line pass unless it belongs to the report of a missing native log module, which every
 * process of this build prints and which means nothing: it is installed without running scripts.
 */
function createNoiseFilter(): (line: string) => boolean {
	let isInReport = false;
	return line => {
		if (line.startsWith("Error: Could not locate the bindings file")) {
			isInReport = true;
		}
		const passes = !isInReport;
		if (line === "}") {
			isInReport = false;
		}
		return passes;
	};
}

function serverArguments(options: EditorServerOptions): string[] {
	return [
		options.build.serverMain,
		"--host=127.0.0.1",
		`--port=${options.port ?? "0"}`,
		options.tokenFile === undefined
			? "--without-connection-token"
			: `--connection-token-file=${options.tokenFile}`,
		"--accept-server-license-terms",
		"--disable-telemetry",
		"--log=info",
		`--server-data-dir=${options.dataFolder}`,
		`--extensions-dir=${options.extensionsFolder}`,
		...(options.builtInExtensionsFolder === undefined
			? []
			: [`--builtin-extensions-dir=${options.builtInExtensionsFolder}`]),
		...(options.graceSeconds === undefined
			? []
			: [`--reconnection-grace-time=${options.graceSeconds}`]),
		...(options.isDriven === true ? ["--enable-smoke-test-driver"] : []),
		...(options.asksForTrust === true ? [] : ["--disable-workspace-trust"]),
	];
}

/**
 * Starts the server on 127.0.0.1 and resolves once it listens. Throws with the server's own output when it ends or
 * stays silent for a minute.
 */
export async function startEditorServer(options: EditorServerOptions): Promise<EditorServer> {
	if (options.settings) {
		await writeServerSettings(options.dataFolder, options.settings);
	}
	await mkdir(options.extensionsFolder, { recursive: true });
	const lines: string[] = [];
	const isWorthKeeping = createNoiseFilter();
	const listening = Promise.withResolvers<number>();
	const server = startGuarded(options.build.node, serverArguments(options), {
		env: serverEnvironment(options.env),
		onLine: line => {
			if (isWorthKeeping(line)) {
				lines.push(line);
			}
			const port = /^Extension host agent listening on (\d+)/.exec(line)?.[1];
			if (port !== undefined) {
				listening.resolve(Number(port));
			}
		},
	});
	const fail = (reason: string): void => {
		const help =
			process.platform === "linux" ? "" : "\nOn this platform `npm run test:desktop` may serve.";
		listening.reject(new Error(`The editor server ${reason}.${help}\n${lines.join("\n")}`));
	};
	const timer = setTimeout(() => fail("didn't respond within a minute"), startTimeout);
	void server.ended.then(() => fail("ended before it answered"));
	try {
		const port = await listening.promise;
		return {
			address: `http://127.0.0.1:${port}`,
			port,
			pid: server.pid,
			output: () => lines.join("\n"),
			writeSettings: settings => writeServerSettings(options.dataFolder, settings),
			ended: server.ended,
			stop: server.stop,
		};
	} catch (error) {
		await server.stop();
		throw error;
	} finally {
		clearTimeout(timer);
	}
}

/**
 * Installs packaged extensions as a user would. `dataFolder` may be any folder that a server with this extensions
 * folder uses. Throws with the installer's output when it is refused.
 */
export async function installExtension(
	build: EditorBuild,
	folders: { readonly dataFolder: string; readonly extensionsFolder: string },
	...packages: readonly string[]
): Promise<void> {
	const args = [
		build.serverMain,
		"--accept-server-license-terms",
		`--server-data-dir=${folders.dataFolder}`,
		`--extensions-dir=${folders.extensionsFolder}`,
		"--force",
		...packages.map(vsix => `--install-extension=${vsix}`),
	];
	const { stdout, stderr } = await run(build.node, args, { env: serverEnvironment() });
	if (stdout.split("was successfully installed").length - 1 !== packages.length) {
		throw new Error(`The editor refused ${packages.join(", ")}:\n${stdout}\n${stderr}`);
	}
}

/** A path as VS Code's URIs have it: `/C:/folder` for `C:\\folder`. */
function uriPath(path: string): string {
	return process.platform === "win32" ? `/${path.replaceAll("\\", "/")}` : path;
}

/** URI of a file of this machine, as the workbench names it; `payload` pairs want it so. */
export function remoteUri(server: Pick<EditorServer, "address">, path: string): string {
	return `vscode-remote://${new URL(server.address).host}${encodeURI(uriPath(path))}`;
}

/**
 * Address of the workbench with a folder, or what a `.code-workspace` file names, open; `payload` pairs say what else the
 * page should do.
 */
export function workbenchAddress(
	server: Pick<EditorServer, "address">,
	folder: string,
	payload: readonly (readonly [string, string])[] = [],
): string {
	const name = folder.endsWith(".code-workspace") ? "workspace" : "folder";
	const query = new URLSearchParams({ [name]: uriPath(folder) });
	if (payload.length > 0) {
		query.set("payload", JSON.stringify(payload));
	}
	return `${server.address}/?${query}`;
}
