import { posix } from "node:path";
import * as vscode from "vscode";
import type {
	ClipColors,
	ClipLooks,
	ClipTheme,
	ClipThemeName,
	FigureColors,
} from "../../common/clipLooks.ts";
import { readScene } from "../../clip/clipLength.ts";
import { clipThemes } from "../../clip/clipThemes.ts";
import { type CodeText, codeTextsOf } from "../../clip/codeTexts.ts";
import type { EditorTheme } from "../../codeColors/colorOrder.ts";
import { ColorThread } from "../../codeColors/colorThread.ts";
import type { Clock } from "../../common/async.ts";
import { toError } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { findTheme } from "../base/installedThemes.ts";
import { chosenLook, type Settings } from "../base/settings.ts";
import { colorTextOf } from "./codeSources.ts";
import { EditorLanguages } from "./editorLanguages.ts";
import { readEditorFont } from "./fontSetting.ts";
import {
	type CodeSettings,
	editorTheme,
	figureColors,
	themeColors,
	type ThemeKind,
} from "./themeColors.ts";
import {
	readCustomizations,
	readThemeFile,
	type ThemeCustomizations,
	type ThemeFile,
	type ThemeSource,
} from "./themeFile.ts";

export interface ClipLooksDependencies {
	readonly settings: Pick<Settings, "get">;
	readonly log: Log;
	readonly clock: Clock;
	/** The bundle of `codeColors/worker.ts`. */
	readonly colorsFile: URL | string;
	/** Oniguruma's WebAssembly. */
	readonly oniguruma: string;
}

/** Reads the appearance of clips: the aspect ratio setting, the active editor's tab size, the color theme, the font, and the colors of code. */
export class ClipLooksReader implements vscode.Disposable {
	private readonly dependencies: ClipLooksDependencies;
	private readonly thread: ColorThread;
	private known: { readonly id: string; readonly file: Promise<ThemeFile | undefined> } | undefined;

	constructor(dependencies: ClipLooksDependencies) {
		this.dependencies = dependencies;
		this.thread = new ColorThread(dependencies.colorsFile, dependencies.clock);
	}

	dispose(): void {
		this.thread.dispose();
	}

	/** Reads the current appearance for prompts, with the settings' choice or another. Never rejects. */
	async read(
		prompts: readonly string[],
		choice = chosenLook(this.dependencies.settings),
	): Promise<ClipLooks> {
		const { theme, ...rest } = choice;
		const { file, changes } = await this.themeOf(theme);
		const languages = new EditorLanguages(vscode.extensions.all);
		const settings = codeSettings(theme, languages);
		const tabs = tabSize();
		// A theme of VS Code that isn't on this side, as in a remote window, has the colors that are known of it.
		const own = file === undefined ? builtInTheme(theme) : undefined;
		const texts = prompts.flatMap(prompt => codeTextsOf(readScene(prompt).prompt, tabs));
		const isSemantic = (document: vscode.TextDocument): boolean =>
			semanticSetting(document) ??
			changes.semanticHighlighting ??
			file?.semanticHighlighting === true;
		return {
			...rest,
			themeName: theme,
			signature: this.dependencies.settings.get("video.signature"),
			tabSize: tabs,
			theme: own ?? themeColors(file, changes, settings),
			...(!own && {
				colors: await this.colorsOf(
					texts,
					{ languages, theme: editorTheme(file, changes, settings) },
					isSemantic,
				),
			}),
			font: readEditorFont(setting("editor", "fontFamily"), setting("editor", "fontLigatures")),
		};
	}

	/** Reads the colors of figures from the editor's theme. Never rejects. */
	async figureColors(): Promise<FigureColors> {
		const { file, changes } = await this.themeOf("editor");
		return figureColors(file, changes, themeKind());
	}

	/** Returns the colors of code as the editor shows it, of none where that fails. */
	private async colorsOf(
		texts: readonly CodeText[],
		{ languages, theme }: { readonly languages: EditorLanguages; readonly theme: EditorTheme },
		isSemantic: (document: vscode.TextDocument) => boolean,
	): Promise<ClipColors> {
		const { log, clock, oniguruma } = this.dependencies;
		const warn = (reason: string): void =>
			log.warn("Code of a clip is not colored as in the editor", { reason });
		try {
			const found = await Promise.all(
				texts.map(text => colorTextOf(text, languages, clock, isSemantic)),
			);
			const { grammars, configurations } = languages;
			const known = found.filter(text => text !== undefined);
			const order = { texts: known, theme, grammars, configurations, oniguruma };
			const { colors, notes } =
				known.length === 0 ? { colors: {}, notes: [] } : await this.thread.find(order);
			notes.forEach(warn);
			return colors;
		} catch (error) {
			warn(toError(error).message);
			return {};
		}
	}

	/** Reads the editor's theme with the user's customizations, or another theme of VS Code. */
	private async themeOf(
		name: ClipThemeName,
	): Promise<{ readonly file: ThemeFile | undefined; readonly changes: ThemeCustomizations }> {
		const id = name === "editor" ? themeId() : name;
		const changes = readCustomizations(
			{
				colors: setting("workbench", "colorCustomizations"),
				tokens: setting("editor", "tokenColorCustomizations"),
				semantic: setting("editor", "semanticTokenColorCustomizations"),
			},
			id,
		);
		return { file: await this.fileOf(id), changes };
	}

	private async fileOf(id: string): Promise<ThemeFile | undefined> {
		if (this.known?.id !== id) {
			this.known = { id, file: this.load(id) };
		}
		return await this.known.file;
	}

	private async load(id: string): Promise<ThemeFile | undefined> {
		const theme = findTheme(id);
		const source = theme && (await openSource(theme.file));
		const file = source && (await readThemeFile(source));
		if (!file) {
			this.dependencies.log.info(
				"The color theme's file is not known; clips have VS Code's own colors",
				{ id },
			);
		}
		return file;
	}
}

/** Returns the known colors of a theme of VS Code; undefined for another. */
function builtInTheme(name: ClipThemeName): ClipTheme | undefined {
	return Object.entries(clipThemes).find(([own]) => own === name)?.[1];
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
	switch (vscode.window.activeColorTheme.kind) {
		case vscode.ColorThemeKind.Light:
			return "light";
		case vscode.ColorThemeKind.HighContrastLight:
			return "hcLight";
		case vscode.ColorThemeKind.HighContrast:
			return "hcDark";
		case vscode.ColorThemeKind.Dark:
			return "dark";
	}
}

/** Kinds of themes by the base that their contributions name. */
const kindsByBase: Readonly<Record<string, ThemeKind>> = {
	vs: "light",
	"vs-dark": "dark",
	"hc-black": "hcDark",
	"hc-light": "hcLight",
};

/** Returns what decides how code is shown besides a theme's rules. */
function codeSettings(theme: ClipThemeName, languages: EditorLanguages): CodeSettings {
	const isLight = theme.includes("Light");
	const base = findTheme(theme)?.base ?? (isLight ? "vs" : "vs-dark");
	return {
		kind: theme === "editor" ? themeKind() : (kindsByBase[base] ?? "dark"),
		hasBracketColors: setting("editor", "bracketPairColorization.enabled") === true,
		isDepthPerBracket:
			setting("editor", "bracketPairColorization.independentColorPoolPerBracketType") === true,
		semanticScopes: languages.semanticScopes,
		superTypes: languages.superTypes,
	};
}

/** Whether the user turned semantic highlighting on or off; undefined if the theme decides. */
function semanticSetting(document: vscode.TextDocument): boolean | undefined {
	const value: unknown = vscode.workspace
		.getConfiguration("editor", document)
		.get("semanticHighlighting.enabled");
	return typeof value === "boolean" ? value : undefined;
}

/** Returns the configured theme. If the editor follows the system, returns the one for the current kind. */
function themeId(): string {
	const { kind } = vscode.window.activeColorTheme;
	const isContrast =
		kind === vscode.ColorThemeKind.HighContrast || kind === vscode.ColorThemeKind.HighContrastLight;
	const tone = ["light", "hcLight"].includes(themeKind()) ? "Light" : "Dark";
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
