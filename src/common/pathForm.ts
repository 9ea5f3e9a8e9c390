/** The systems whose paths differ; anything but `win32` is read as POSIX. */
export type PathPlatform = "win32" | "posix";

/** Names that Windows takes for a device in every folder, with any ending. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;

/**
 * Why a path is never given to the file system, as the end of the sentence «It was not opened: …»; undefined when it may
 * be. On Windows a mere look at a network path gives the person's password hash away, so this comes before any call, and only
 * what lies in `folders`, which the person has opened, may be on the network. Fault matrix §1b, §2a.
 */
export function refusedPathForm(
	path: string,
	platform: PathPlatform,
	folders: readonly string[] = [],
): string | undefined {
	if (path === "" || path.includes("\0")) {
		return "this is not a path";
	}
	if (platform === "posix") {
		return path.startsWith("/") ? undefined : "the path does not begin at the root";
	}
	if (!/^[/\\]{2}/.test(path)) {
		return /^[a-z]:[/\\]/i.test(path)
			? refusedNames(path.slice(3))
			: "the path does not begin at a drive";
	}
	const isDevice = /^[/\\]{2}[?.](?:[/\\]|$)/.test(path);
	const isOpened = folders.some(folder => pathInFolder(folder, path, platform) !== undefined);
	return isDevice || !isOpened
		? "network shares and device paths are not opened"
		: refusedNames(path);
}

function refusedNames(path: string): string | undefined {
	const names = path.split(/[/\\]/).filter(name => name !== "" && name !== "." && name !== "..");
	if (names.some(name => /[<>:"|?*]/.test(name))) {
		return "the path holds characters that no file name on Windows may have";
	}
	if (names.some(name => deviceName.test(name))) {
		return "the path names a device";
	}
	return names.some(name => /[. ]$/.test(name))
		? "a name in the path ends in a dot or a blank, which Windows would leave out"
		: undefined;
}

/**
 * The way from a folder to a path in it, `""` for the folder itself; undefined when the path lies elsewhere. Compares whole
 * names, so that `/work-evil` is not in `/work`. Both must be absolute with links resolved; only Windows ignores case.
 */
export function pathInFolder(
	folder: string,
	path: string,
	platform: PathPlatform,
): string | undefined {
	const above = namesOf(folder, platform);
	const names = namesOf(path, platform);
	const isIn = above.every(
		(name, index) => foldFor(platform, name) === foldFor(platform, names[index] ?? ""),
	);
	const isSafe = !names.includes("..") && !above.includes("..");
	return isIn && isSafe && names.length >= above.length
		? names.slice(above.length).join("/")
		: undefined;
}

function namesOf(path: string, platform: PathPlatform): string[] {
	return path.split(platform === "win32" ? /[/\\]/ : "/").filter(name => name !== "");
}

function foldFor(platform: PathPlatform, name: string): string {
	return platform === "win32" ? name.toUpperCase() : name;
}
