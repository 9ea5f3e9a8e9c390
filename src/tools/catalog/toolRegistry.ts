import type { Tool } from "../contract/tool.ts";
import { askUser } from "./askUser.ts";
import { browsing } from "./browsing.ts";
import { generateVideo } from "./generateVideo.ts";
import { findReferences } from "./read/findReferences.ts";
import { getActiveFile } from "./read/getActiveFile.ts";
import { getGitDiff } from "./read/getGitDiff.ts";
import { getOpenFiles } from "./read/getOpenFiles.ts";
import { getProblems } from "./read/getProblems.ts";
import { getSelection } from "./read/getSelection.ts";
import { getSymbols } from "./read/getSymbols.ts";
import { listFiles } from "./read/listFiles.ts";
import { openFile } from "./read/openFile.ts";
import { readFile } from "./read/readFile.ts";
import { searchText } from "./read/searchText.ts";
import { applyEdit } from "./write/applyEdit.ts";
import { createFile } from "./write/createFile.ts";
import { deleteFile } from "./write/deleteFile.ts";
import { insertAtCursor } from "./write/insertAtCursor.ts";
import { renameFile } from "./write/renameFile.ts";
import { replaceSelection } from "./write/replaceSelection.ts";

/** Cutaway's tools that a model may be offered. */
const ownTools: readonly Tool[] = [
	getSelection,
	getActiveFile,
	getOpenFiles,
	readFile,
	listFiles,
	openFile,
	searchText,
	getProblems,
	getSymbols,
	findReferences,
	getGitDiff,
	applyEdit,
	insertAtCursor,
	replaceSelection,
	createFile,
	renameFile,
	deleteFile,
	askUser,
	generateVideo,
	browsing,
];

/** Tools that are most useful for a model with a small context, which gets only the first ones. Others follow. */
const mostNeeded = [
	// Offered only if the user enabled it.
	"browsing",
	"get_selection",
	"read_file",
	"search_text",
	"apply_edit",
	"list_files",
	"get_active_file",
	"replace_selection",
	"get_problems",
	"create_file",
	"insert_at_cursor",
];

function byNeed(tools: readonly Tool[]): readonly Tool[] {
	const place = ({ name }: Tool): number => (mostNeeded.indexOf(name) + 1 || Infinity) - 1;
	return tools.toSorted((one, other) =>
		place(one) < place(other) ? -1 : Number(place(one) > place(other)),
	);
}

/** All tools by exact name. None of Cutaway's runs a terminal or an editor command. */
export class ToolRegistry {
	readonly tools: readonly Tool[];
	private readonly external: () => readonly Tool[];
	private readonly byName: ReadonlyMap<string, Tool>;

	/** Throws `RangeError` if two tools share a name. `external` lists external tools; those with the name of an own tool are ignored. */
	constructor(
		tools: readonly Tool[] = byNeed(ownTools),
		external: () => readonly Tool[] = () => [],
	) {
		this.tools = tools;
		this.external = external;
		this.byName = new Map(tools.map(tool => [tool.name, tool]));
		if (this.byName.size < tools.length) {
			throw new RangeError("Two tools have the same name");
		}
	}

	/** Returns Cutaway's tools, then the current external ones. */
	all(): readonly Tool[] {
		return [...this.tools, ...this.external().filter(({ name }) => !this.isOwn(name))];
	}

	isOwn(name: string): boolean {
		return this.byName.has(name);
	}

	find(name: string): Tool | undefined {
		return this.byName.get(name) ?? this.external().find(tool => tool.name === name);
	}
}
