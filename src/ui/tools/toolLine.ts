import * as l10n from "@vscode/l10n";
import * as z from "zod/mini";
import { revealInLine } from "../../common/hiddenText.ts";

/** How much of a model's words a line shows, in UTF-16 code units. */
const maxWords = 80;
const maxReason = 300;

const path = z.optional(z.string());
const argumentsSchema = z.object({
	path,
	newPath: path,
	query: path,
	symbol: path,
	files: z.optional(z.array(z.object({ path: z.string() }))),
});

/** What a call does, and on which file, in one line; undefined where the tool's title says all there is. */
export function toolLine(name: string, argumentsText: string): string | undefined {
	const { path = "", newPath, query, symbol, files = [] } = readArguments(argumentsText);
	const file = fileName(path);
	switch (file === "" ? "" : name) {
		case "read_file":
			return l10n.t("Read {0}", file);
		case "open_file":
			return l10n.t("Show {0}", file);
		case "get_problems":
			return l10n.t("Read the problems of {0}", file);
		case "get_symbols":
			return l10n.t("List the symbols of {0}", file);
		case "create_file":
			return l10n.t("Create {0}", file);
		case "rename_file":
			return l10n.t("Rename {0} to {1}", file, fileName(newPath ?? ""));
		case "delete_file":
			return l10n.t("Delete {0}", file);
		case "apply_code":
			return l10n.t("Apply the code to {0}", file);
	}
	if (name === "apply_edit" && files[0]) {
		return files.length === 1
			? l10n.t("Edit {0}", fileName(files[0].path))
			: l10n.t("Edit {0} files", files.length);
	}
	if (name === "search_text" && query !== undefined) {
		return l10n.t("Search for “{0}”", shortened(query));
	}
	return name === "find_references" && symbol !== undefined
		? l10n.t("Find references to {0}", shortened(symbol))
		: undefined;
}

/** Why a call failed or was denied, as its answer to the model says it, in one line; undefined for an answer that names no reason. */
export function toolReason(content: string): string | undefined {
	const [line = ""] = content.split("\n");
	const reason =
		/^"?Denied: .*? They said: (?<words>.+?)"?$/.exec(line) ??
		/^"?Error: (?<words>.+?)"?$/.exec(line);
	const words = reason?.groups?.["words"];
	return words === undefined ? undefined : revealInLine(words).slice(0, maxReason);
}

function readArguments(text: string): z.infer<typeof argumentsSchema> {
	try {
		return argumentsSchema.safeParse(JSON.parse(text)).data ?? {};
	} catch {
		// What is no JSON names no file.
		return {};
	}
}

function fileName(path: string): string {
	return shortened(path.split(/[/\\]/).findLast(part => part !== "") ?? "");
}

function shortened(words: string): string {
	const shown = revealInLine(words.trim());
	return shown.length > maxWords ? `${shown.slice(0, maxWords)}…` : shown;
}
