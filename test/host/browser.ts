import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import { say } from "../../scripts/project.ts";

/** What Playwright turns off itself: of two flags that name features, Chromium heeds the last alone. */
const playwrightFeatures = [
	"AvoidUnnecessaryBeforeUnloadCheckSync",
	"DestroyProfileOnBrowserClose",
	"HttpsUpgrades",
	"HttpsFirstBalancedModeAutoEnable",
	"LensOverlay",
	"MediaRouter",
	"PaintHolding",
	"ThirdPartyStoragePartitioning",
	"AvoidCorsURLLoaderRestartOnRedirect",
	"TcpPortRandomizationWin",
	"OptimizationHints",
	"NetworkTimeServiceQuerying",
	"AimEnabled",
	"PreconnectToSearch",
	"msForceBrowserSignIn",
	"msEdgeUpdateLaunchServicesPreferredVersion",
];

/** Two pages of the address bar and a process in reserve, which every new context starts and no test meets: half a second each. */
const unusedFeatures = [
	"WebUIOmniboxPopup",
	"WebUIOmniboxAimPopup",
	"SpareRendererForSitePerProcess",
];

/**
 * Flags for a Chromium that runs as root in a closed network without a screen: it looks up nothing of its own, and
 * paints in software.
 */
export const browserFlags: readonly string[] = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
	`--disable-features=${[...playwrightFeatures, ...unusedFeatures].join()}`,
];

const commandNames = [
	"chromium",
	"chromium-browser",
	"google-chrome",
	"google-chrome-stable",
	"microsoft-edge",
	"msedge",
	"chrome",
];

const wellKnownPlaces: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
	linux: ["/usr/bin/chromium", "/snap/bin/chromium", "/opt/google/chrome/chrome"],
	darwin: [
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
	],
	win32: [
		"C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
		"C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
		"C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
	],
};

function onPath(names: readonly string[]): string[] {
	const suffix = process.platform === "win32" ? ".exe" : "";
	const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
	return names.flatMap(name => folders.map(folder => join(folder, name + suffix)));
}

/** Chromium without a browser's window, which takes a quarter less of the processor for the same page. */
const shellName = "chromium-headless-shell";

/** Playwright's headless shell, whose path it does not tell, and its whole Chromium. */
function playwrightBrowsers(): { shells: string[]; whole: string[] } {
	try {
		const whole = chromium.executablePath();
		const folder = dirname(dirname(whole)).replace(/chromium(-\d+)$/, "chromium_headless_shell$1");
		const shells = globSync("*/*headless?shell{,.exe}", { cwd: folder });
		return { shells: shells.map(file => join(folder, file)), whole: [whole] };
	} catch {
		// Playwright has no build for this platform; the machine's own browsers are next.
		return { shells: [], whole: [] };
	}
}

function answers(executable: string): boolean {
	if (!existsSync(executable)) {
		return false;
	}
	// On Windows and macOS a browser's --version opens a window or says nothing.
	const isLinux = process.platform === "linux";
	return (
		!isLinux ||
		spawnSync(executable, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0
	);
}

/**
 * Absolute path of a Chromium on this machine, or undefined: `CUTAWAY_BROWSER` first, then a headless shell unless it has to be
 * whole, then Playwright's own Chromium, then Chromium, Chrome or Edge on the path and in the usual places.
 */
export function findBrowser(isWhole = false): string | undefined {
	const chosen = process.env["CUTAWAY_BROWSER"];
	if (chosen) {
		if (!existsSync(chosen)) {
			throw new Error(`CUTAWAY_BROWSER names ${chosen}, which does not exist.`);
		}
		return chosen;
	}
	const places = wellKnownPlaces[process.platform] ?? [];
	const { shells, whole } = playwrightBrowsers();
	const light = isWhole ? [] : [...shells, ...onPath([shellName])];
	return [...light, ...whole, ...onPath(commandNames), ...places].find(answers);
}

function succeeds(command: string, args: readonly string[]): boolean {
	const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
	return spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], env }).status === 0;
}

function downloadWithPlaywright(): void {
	say("Fetching a Chromium with Playwright, once …");
	const manifest = createRequire(import.meta.url).resolve("@playwright/test/package.json");
	const args = [join(dirname(manifest), "cli.js"), "install", "chromium"];
	const result = spawnSync(process.execPath, args, { stdio: "ignore", timeout: 300_000 });
	if (result.status !== 0) {
		say("Playwright's download did not work here.");
	}
}

function installWithSystem(): void {
	const isRoot = process.getuid?.() === 0;
	const sudo = isRoot ? [] : ["sudo", "-n"];
	const mayInstall = isRoot || (process.platform === "linux" && succeeds("sudo", ["-n", "true"]));
	if (!mayInstall || onPath(["apt-get"]).every(path => !existsSync(path))) {
		return;
	}
	say("Installing the system's chromium with apt-get, once …");
	const apt = (...args: string[]): boolean => {
		const [command = "", ...rest] = [...sudo, "apt-get", ...args];
		return succeeds(command, rest);
	};
	const install = (name: string): boolean => apt("install", "-y", "-qq", name);
	if (!install("chromium")) {
		apt("update", "-qq");
		install("chromium");
	}
	// Not every system has it.
	install(shellName);
}

/**
 * Absolute path of a Chromium, fetched when the machine has none: by Playwright's download, else by the system's
 * package manager where that is allowed without a password. Throws one sentence that says what to install.
 */
export function ensureBrowser(): string {
	for (const provide of [() => undefined, downloadWithPlaywright, installWithSystem]) {
		provide();
		const browser = findBrowser();
		if (browser !== undefined) {
			return browser;
		}
	}
	throw new Error(
		"No Chromium found: install Chromium, Google Chrome or Microsoft Edge (on Debian and Ubuntu: " +
			"`sudo apt-get install chromium`), or name one in the environment variable CUTAWAY_BROWSER.",
	);
}
