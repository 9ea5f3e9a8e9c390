import textmate from "vscode-textmate";

/** Parses a property list in XML, such as a theme of TextMate. Throws if it is damaged. */
export function parsePropertyList(text: string): unknown {
	// Grammars are property lists, too.
	return textmate.parseRawGrammar(text, "file.plist");
}
