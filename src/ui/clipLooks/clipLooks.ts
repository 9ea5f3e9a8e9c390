import { posix } from "node:path";
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { ChosenLook, ClipLooks, ClipTheme } from "../../common/clipLooks.ts";
import { clipThemes } from "../../clip/clipThemes.ts";
import type { Log } from "../../common/log.ts";
import { chosenLook, type Settings } from "../base/settings.ts";
import { readEditorFont } from "./fontSetting.ts";
import { themeColors, type ThemeKind } from "./themeColors.ts";
import {
	readCustomizations,
	readThemeFile,
	type ThemeFile,
	type ThemeSource,
} from "./themeFile.ts";

/** Creates a reader for the current appearance of clips. It never rejects, and caches the last theme. */
export function createClipLooks(
	settings: Pick<Settings, "get">,
	log: Log,
): (choice?: ChosenLook) => Promise<ClipLooks> {
	const reader = new ClipLooksReader(settings, log);
	return choice => reader.read(choice);
}

/** Reads the appearance of clips: the aspect ratio setting, the active editor's tab size, the color theme and the font. */
class ClipLooksReader {
	private readonly settings: Pick<Settings, "get">;
	private readonly log: Log;
	private known: { readonly id: string; readonly file: Promise<ThemeFile | undefined> } | undefined;

	constructor(settings: Pick<Settings, "get">, log: Log) {
		this.settings = settings;
		this.log = log;
	}

	/** Reads the current appearance, with the settings' choice or another. Never rejects. */
	async read(choice = chosenLook(this.settings)): Promise<ClipLooks> {
		const { theme, ...rest } = choice;
		return {
			...rest,
			themeName: theme,
			signature: this.settings.get("video.signature"),
			tabSize: tabSize(),
			theme: theme === "editor" ? await this.theme() : clipThemes[theme],
			font: readEditorFont(setting("editor", "fontFamily"), setting("editor", "fontLigatures")),
		};
	}

	private async theme(): Promise<ClipTheme> {
		const id = themeId();
		const file = await this.fileOf(id);
		const changes = readCustomizations(
			{
				colors: setting("workbench", "colorCustomizations"),
				tokens: setting("editor", "tokenColorCustomizations"),
				semantic: setting("editor", "semanticTokenColorCustomizations"),
			},
			id,
		);
		return themeColors(file, changes, themeKind());
	}

	private async fileOf(id: string): Promise<ThemeFile | undefined> {
		if (this.known?.id !== id) {
			this.known = { id, file: this.load(id) };
		}
		return await this.known.file;
	}

	private async load(id: string): Promise<ThemeFile | undefined> {
		const uri = findTheme(id);
		const source = uri && (await openSource(uri));
		const file = source && (await readThemeFile(source));
		if (!file) {
			this.log.info("The color theme's file is not known; clips have VS Code's own colors", { id });
		}
		return file;
	}
}

const maxTabSize = 16;

function tabSize(): number {
	const size: unknown =
		vscode.window.activeTextEditor?.options.tabSize ?? setting("editor", "tabSize");
	return typeof size === "number" && Number.isInteger(size) && size >= 1
		? Math.min(size, maxTabSize)
		: 4;
}

function setting(section: string, name: string): unknown {
	return vscode.workspace.getConfiguration(section).get(name);
}

function themeKind(): ThemeKind {
	const { kind } = vscode.window.activeColorTheme;
	return kind === vscode.ColorThemeKind.Light || kind === vscode.ColorThemeKind.HighContrastLight
		? "light"
		: "dark";
}

/** Returns the configured theme. If the editor follows the system, returns the one for the current kind. */
function themeId(): string {
	const { kind } = vscode.window.activeColorTheme;
	const isContrast =
		kind === vscode.ColorThemeKind.HighContrast || kind === vscode.ColorThemeKind.HighContrastLight;
	const tone = themeKind() === "light" ? "Light" : "Dark";
	const follows = (name: string): boolean => setting("window", name) === true;
	const name =
		isContrast && follows("autoDetectHighContrast")
			? `preferredHighContrast${tone === "Light" ? "Light" : ""}ColorTheme`
			: follows("autoDetectColorScheme")
				? `preferred${tone}ColorTheme`
				: "colorTheme";
	const id = setting("workbench", name);
	return typeof id === "string" ? id : "";
}

const contributionSchema = z.object({
	id: z.optional(z.string()),
	label: z.optional(z.string()),
	path: z.string(),
});

/** Finds the file of an installed theme. Returns undefined if its extension isn't on this machine, for example in a remote window. */
function findTheme(id: string): vscode.Uri | undefined {
	for (const { packageJSON, extensionUri } of vscode.extensions.all) {
		for (const theme of contributedThemes(packageJSON)) {
			// VS Code's own themes were renamed; settings may still have “Default” before the name.
			if (
				id !== "" &&
				[theme.id, theme.label].some(name => name === id || `Default ${name}` === id)
			) {
				return vscode.Uri.joinPath(extensionUri, theme.path);
			}
		}
	}
	return undefined;
}

function contributedThemes(manifest: unknown): readonly z.infer<typeof contributionSchema>[] {
	const parsed = z
		.object({ contributes: z.object({ themes: z.array(z.unknown()) }) })
		.safeParse(manifest);
	return (parsed.data?.contributes.themes ?? []).flatMap(theme => {
		const read = contributionSchema.safeParse(theme);
		return read.success ? [read.data] : [];
	});
}

const maxThemeBytes = 4_000_000;

async function openSource(uri: vscode.Uri): Promise<ThemeSource | undefined> {
	try {
		const bytes = await vscode.workspace.fs.readFile(uri);
		return bytes.length > maxThemeBytes
			? undefined
			: {
					text: new TextDecoder().decode(bytes),
					open: path => openSource(uri.with({ path: posix.join(posix.dirname(uri.path), path) })),
				};
	} catch {
		// A theme may include a missing file. The rest is still used.
		return undefined;
	}
}
