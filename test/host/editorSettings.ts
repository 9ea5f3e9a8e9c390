import { closeSync, constants, existsSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** VS Code settings by their identifiers. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * Settings that every run needs: nothing that asks the network, nothing that hides the view to look at. Values must be
 * the ones VS Code would write today: it rewrites outdated ones in the file, in the middle of a run.
 */
const quietSettings: Settings = {
	"workbench.startupEditor": "none",
	"workbench.welcomePage.walkthroughs.openOnInstall": false,
	"workbench.tips.enabled": false,
	"workbench.enableExperiments": false,
	"workbench.secondarySideBar.defaultVisibility": "visible",
	"extensions.autoCheckUpdates": false,
	"extensions.ignoreRecommendations": true,
	"telemetry.telemetryLevel": "off",
	"update.mode": "none",
	"git.openRepositoryInParentFolders": "never",
};

/** Folder with user settings in the data folder of a server: this build keeps user data on disk, not in the browser. */
export function serverUserFolder(dataFolder: string): string {
	return join(dataFolder, "data", "User");
}

/**
 * Writes `settings.json` into a user folder, the given settings laid over those that keep the workbench quiet. The
 * file is written over, not replaced, and never empty, because a window may be watching it.
 */
export async function writeUserSettings(userFolder: string, settings: Settings): Promise<void> {
	await mkdir(userFolder, { recursive: true });
	const text = JSON.stringify({ ...quietSettings, ...settings }, undefined, "\t");
	const file = openSync(join(userFolder, "settings.json"), constants.O_RDWR | constants.O_CREAT);
	try {
		ftruncateSync(file, writeSync(file, text, 0));
	} finally {
		closeSync(file);
	}
}

/**
 * Writes the settings of a server, as the user's and as the machine's. The machine's are the only ones a remote window
 * reads for settings of machine scope, and the only ones it watches while it is open: this build names user data by
 * addresses without an authority, which its file events do not match. Settings of application scope come from the
 * user's alone, so a change of those needs a reload.
 */
export async function writeServerSettings(dataFolder: string, settings: Settings): Promise<void> {
	await writeUserSettings(serverUserFolder(dataFolder), settings);
	await writeUserSettings(join(dataFolder, "data", "Machine"), settings);
}

/**
 * Writes settings for a user to look around with, only when the user folder has none, so that what they changed
 * stays.
 */
export async function provideUserSettings(userFolder: string): Promise<void> {
	if (!existsSync(join(userFolder, "settings.json"))) {
		await writeUserSettings(userFolder, {
			"workbench.startupEditor": "readme",
			"workbench.welcomePage.walkthroughs.openOnInstall": true,
		});
	}
}
