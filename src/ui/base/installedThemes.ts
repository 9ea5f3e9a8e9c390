import * as vscode from "vscode";
import * as z from "zod/mini";
import { clipThemeNames, maxThemeName } from "../../common/clipLooks.ts";

/** A color theme that an extension brings. */
export interface InstalledTheme {
	/** Its ids in settings: the id and the label, of which one may be absent. */
	readonly names: readonly string[];
	/** Whether it is `vs`, `vs-dark`, `hc-black` or `hc-light`. */
	readonly base: string;
	readonly file: vscode.Uri;
}

const contributionSchema = z.object({
	id: z.optional(z.string()),
	label: z.optional(z.string()),
	uiTheme: z.optional(z.string()),
	path: z.string(),
});
const manifestSchema = z.object({ contributes: z.object({ themes: z.array(z.unknown()) }) });

/** Returns the themes of the extensions that this side can see. */
export function installedThemes(): readonly InstalledTheme[] {
	return vscode.extensions.all.flatMap(({ packageJSON, extensionUri }) =>
		(manifestSchema.safeParse(packageJSON).data?.contributes.themes ?? []).flatMap(theme => {
			const {
				id,
				label,
				uiTheme = "vs-dark",
				path,
			} = contributionSchema.safeParse(theme).data ?? {};
			const names = [id, label].filter(name => name !== undefined);
			return path === undefined
				? []
				: [{ names, base: uiTheme, file: vscode.Uri.joinPath(extensionUri, path) }];
		}),
	);
}

/** Returns a theme by its name; undefined if its extension isn't on this machine, for example in a remote window. */
export function findTheme(name: string): InstalledTheme | undefined {
	// VS Code's own themes were renamed; settings may still have “Default” before the name.
	return name === ""
		? undefined
		: installedThemes().find(({ names }) =>
				names.some(own => own === name || `Default ${own}` === name),
			);
}

/** Returns the names of the themes that clips can have: the editor's, VS Code's, and others by the alphabet. */
export function themeChoices(chosen: string): readonly string[] {
	const known: readonly string[] = clipThemeNames;
	const others = installedThemes()
		// A label such as `%themeLabel%` is a key of translations.
		.map(({ names }) => names.find(name => !name.startsWith("%")) ?? "")
		.filter(name => name !== "" && name.length <= maxThemeName);
	const rest = new Set([...others, chosen].filter(name => !known.includes(name)));
	return [...known, ...[...rest].toSorted((left, right) => left.localeCompare(right))];
}
